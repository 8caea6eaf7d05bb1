import { failCall } from '../failure.ts';
import type { OpenFile } from './folder.ts';

/** A text as it is in its file, and how its lines end there. */
export interface TextFile {
  readonly text: string;
  /** Every line ends with `\r\n`: a model is shown, and writes, `\n`. */
  readonly isWindows: boolean;
}

/** The bytes in which a zero tells that a file is not text. */
const looked = 8192;

/** Reads a file that was opened, if it is text and not too large. Closes it. */
export async function readText(file: OpenFile, shown: string, mostBytes: number): Promise<TextFile> {
  try {
    if (file.size > mostBytes)
      throw failCall(`"${shown}" has ${file.size} bytes; files up to ${mostBytes} bytes can be read.`);
    const bytes = Buffer.alloc(file.size + 1);
    let length = 0;
    while (length < bytes.length) {
      const { bytesRead } = await file.handle.read(bytes, length, bytes.length - length, null);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    const held = bytes.subarray(0, length);
    if (held.subarray(0, looked).includes(0))
      throw failCall(`"${shown}" is not text (${length} bytes, among them zeros).`);
    let text: string;
    try {
      text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(held);
    } catch {
      throw failCall(`"${shown}" is not UTF-8 text (${length} bytes).`);
    }
    const ends = text.match(/\r?\n/g) ?? [];
    return { text, isWindows: ends.length > 0 && ends.every((end) => end === '\r\n') };
  } finally {
    await file.handle.close();
  }
}

/** Writes the whole text at once: a reader sees the old text or the new, never half of it. */
export async function writeText(path: string, text: string): Promise<void> {
  const { chmod, open, rename, rm, stat } = await import('node:fs/promises');
  const before = await stat(path).catch(() => undefined);
  const next = `${path}.${process.pid}.new`;
  // `wx`: nothing that is there already is written to, and no link is followed.
  const handle = await open(next, 'wx', 0o666);
  try {
    await handle.writeFile(text);
    await handle.close();
    if (before !== undefined) await chmod(next, before.mode & 0o7777);
    await rename(next, path);
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(next, { force: true });
    throw error;
  }
}
