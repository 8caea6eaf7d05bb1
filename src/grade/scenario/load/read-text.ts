import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';

import type { Diagnostic } from '../diagnostic.ts';

/** No person writes more than this; a dump that is here by mistake would use up a server's memory. */
const mostCharacters = 4_000_000;
const mostPictureBytes = 200_000;

/** A file that is there and cannot be taken as text: the fault says why. */
class NoText extends Error {
  readonly fault: Diagnostic;

  constructor(fault: Diagnostic) {
    super(fault.message);
    this.fault = fault;
  }
}

/** The text of a file, without a byte order mark and with plain line ends; undefined where no file is. */
export function readText(file: string): string | undefined {
  const text = readIfThere(file, (path) => readFileSync(path, 'utf8'));
  if (text === undefined) return undefined;
  if (text.length > mostCharacters) throw tooLong(file, (text.length / 1e6).toFixed(1));
  if (text.includes('\ufffd')) checkBytes(file);
  const bare = text.startsWith('\ufeff') ? text.slice(1) : text;
  return bare.includes('\r') ? bare.replaceAll(/\r\n?/g, '\n') : bare;
}

/** The bytes of a picture as base64; undefined where no file is. */
export function readPicture(file: string): string | undefined {
  const bytes = readIfThere(file, (path) => readFileSync(path));
  if (bytes !== undefined && bytes.length > mostPictureBytes)
    throw noText(
      file,
      `It has ${bytes.length} bytes, and a picture at most ${mostPictureBytes}: each episode keeps it, and each player is sent it. Make it smaller.`,
    );
  return bytes?.toString('base64');
}

/** What a reader makes of a file; undefined where no file is. */
function readIfThere<Read>(file: string, read: (file: string) => Read): Read | undefined {
  try {
    return read(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    if (code === 'EISDIR') throw noText(file, 'It is a folder. Put a text file here.');
    if (code === 'ERR_STRING_TOO_LONG') throw tooLong(file, 'more than 500');
    throw error;
  }
}

function tooLong(file: string, millions: string): NoText {
  return noText(
    file,
    `It has ${millions} million characters, and a file of a scenario at most ${mostCharacters / 1e6}. Is it the right one?`,
  );
}

/** What is decoded without being UTF-8 has replacement characters, and nobody would see where they came from. */
function checkBytes(file: string): void {
  const bytes = readFileSync(file);
  if (isUtf8(bytes)) return;
  let line = 1;
  for (let at = 0; ; line++) {
    const end = bytes.indexOf(10, at);
    if (end < 0 || !isUtf8(bytes.subarray(at, end))) break;
    at = end + 1;
  }
  throw noText(file, 'This line is not UTF-8. Save the file as UTF-8.', line);
}

function noText(file: string, message: string, line = 1): NoText {
  return new NoText({ message, place: { file, line, column: 1 } });
}

/** What passes by itself: no more files can be opened just now, or no memory had. */
const passing = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EIO']);

/** What stood in the way of reading: of its own words, or of the file system's (its rights, say). */
export function faultOf(error: unknown, file: string): Diagnostic {
  if (error instanceof NoText) return error.fault;
  const { message, path, code = '' } = error as NodeJS.ErrnoException;
  const more = passing.has(code) ? ({ passing: true } as const) : {};
  return {
    message: `It cannot be read: ${message}.`,
    place: { file: path ?? file, line: 1, column: 1 },
    ...more,
  };
}
