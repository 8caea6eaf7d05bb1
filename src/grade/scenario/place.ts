import type { JsonValue } from '../../base/json/value.ts';

/** A place in a file: line and column counted from 1, as editors do, or a member of what a module holds. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** In TypeScript a value has no line of its own: the path to it, as code writes it (`tools[0].id`). */
  readonly member?: string;
}

/** A fault of a scenario: what is wrong, where, and what to do. */
export interface Fault {
  readonly message: string;
  readonly place: Place;
}

/** What a file holds as plain data, and where each value of it stands. */
export interface SourceFile {
  readonly value: JsonValue;
  readonly faults: readonly Fault[];
  /** What it was read from, where that is a text. */
  readonly text?: string;
  /** Where the value at this path stands; the nearest one above it where nothing stands there. */
  readonly locate: (path: readonly (string | number)[]) => Place;
}

/** `file:line:column`, or `file (tools[0].id)`. */
export function sayPlace(place: Place, file: string = place.file): string {
  return place.member === undefined
    ? `${file}:${place.line}:${place.column}`
    : `${file} (${place.member === '' ? 'the scenario' : place.member})`;
}

/** The place and what is wrong there, in one line. */
export function sayFault(fault: Fault): string {
  return `${sayPlace(fault.place)}: ${fault.message}`;
}
