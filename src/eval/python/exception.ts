import type { PythonValue } from './value.ts';
import { repr } from './repr.ts';

/** What a tool of a benchmark raises; the message is Python's own, for an agent reads it. */
export class PythonException extends Error {
  readonly type: string;

  constructor(type: string, message: string) {
    super(message);
    this.type = type;
  }
}

/** A `TypeError` to throw. */
export function typeError(message: string): PythonException {
  return new PythonException('TypeError', message);
}

/** A `ValueError` to throw. */
export function valueError(message: string): PythonException {
  return new PythonException('ValueError', message);
}

/** A `KeyError` to throw: its text is the key's `repr`. */
export function keyError(key: PythonValue): PythonException {
  return new PythonException('KeyError', repr(key));
}
