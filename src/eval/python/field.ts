import { WhetstoneError } from '../../base/host/errors.ts';
import { repr } from './repr.ts';
import { type PythonDict, type PythonValue, typeName } from './value.ts';

/** A dict at a place of a line, or the error that says what is there instead. */
export function requireDict(value: PythonValue | undefined, where: string): PythonDict {
  return value instanceof Map ? value : wrong(value, where, 'an object');
}

/** A text at a place of a line. */
export function requireText(value: PythonValue | undefined, where: string): string {
  return typeof value === 'string' ? value : wrong(value, where, 'a text');
}

/** A list at a place of a line. */
export function listOf(value: PythonValue | undefined, where: string): readonly PythonValue[] {
  return Array.isArray(value) ? value : wrong(value, where, 'a list');
}

/** The error of a line whose member is missing or of the wrong type. */
export function wrong(value: PythonValue | undefined, where: string, expected: string): never {
  if (value === undefined) {
    throw new WhetstoneError('benchmark_line', `“${where}” is missing: it should be ${expected}.`, {
      details: { where, expected },
    });
  }
  const shown = repr(value);
  throw new WhetstoneError(
    'benchmark_line',
    `“${where}” should be ${expected}, not ${typeName(value)} ${shown.length > 80 ? `${shown.slice(0, 80)}…` : shown}.`,
    { details: { where, expected } },
  );
}
