import type { JsonValue } from '../../base/json/value.ts';

/** A place in a file: line and column counted from 1, as editors do; 0 where nobody knows. */
export interface SourceLocation {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** In TypeScript a value need not be written anywhere: the path to it, as code writes it (`tools[0].id`). */
  readonly member?: string;
}

/** A fault of a scenario: what is wrong, where, and what to do. */
export interface Diagnostic {
  readonly message: string;
  readonly place: SourceLocation;
  /** It may be gone the next time: too many open files, say. */
  readonly passing?: true;
}

/** What a file holds as plain data, and where each value of it is written. */
export interface SourceFile {
  readonly value: JsonValue;
  readonly faults: readonly Diagnostic[];
  /** What it was read from, where that is a text. */
  readonly text?: string;
  /** Lets go of the value where it can be had again: a catalog of checked scenarios holds texts, which are small. */
  readonly letGo?: () => void;
  /** Where the value at this path is written, or the nearest value above it. */
  readonly locate: (path: readonly (string | number)[]) => SourceLocation;
}

/** `file:line:column`, with the member in brackets where there is one, and without a line where nobody knows it. */
export function formatLocation(place: SourceLocation, file: string = place.file): string {
  const line = place.line === 0 ? file : `${file}:${place.line}:${place.column}`;
  return place.member === undefined
    ? line
    : `${line} (${place.member === '' ? 'the scenario' : place.member})`;
}

/** The place of an offset into a file's text. */
export function locationAt(text: string, file: string, offset: number): SourceLocation {
  const before = text.slice(0, Math.max(0, offset));
  const lineStart = before.lastIndexOf('\n') + 1;
  return { file, line: before.split('\n').length, column: before.length - lineStart + 1 };
}

/** The place and what is wrong there, in one line. */
export function formatDiagnostic(fault: Diagnostic): string {
  return `${formatLocation(fault.place)}: ${fault.message}`;
}
