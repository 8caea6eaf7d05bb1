import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

import { readEnvironment } from '../../../base/host/environment.ts';

/** The cookie that lets this user in to a display, where there is one. */
export async function readCookie(display: number): Promise<Buffer | undefined> {
  const path = readEnvironment('XAUTHORITY') ?? join(homedir(), '.Xauthority');
  const bytes = await readFile(path).catch(() => Buffer.alloc(0));
  let at = 2;
  const field = (): Buffer => {
    const length = bytes.readUInt16BE(at);
    at += 2 + length;
    return bytes.subarray(at - length, at);
  };
  try {
    while (at < bytes.length) {
      field();
      const number = field().toString();
      const name = field().toString();
      const data = field();
      at += 2;
      if (name === 'MIT-MAGIC-COOKIE-1' && (number === '' || number === String(display))) return data;
    }
  } catch {
    // The file is cut off: what it says after that cannot be known.
  }
  return undefined;
}
