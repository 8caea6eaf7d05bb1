import type { JsonValue } from '../json/value.ts';
import type { Dialect } from './dialect.ts';
import type { JsonSchema } from './json-schema.ts';

/** How values go from the original schema to a provider's form of it, and back. Plain JSON. */
export interface Plan {
  readonly version: 1;
  readonly dialect: Dialect;
  /** False where a strict dialect was asked for and the loose one had to be taken, and for every loose dialect. */
  readonly strict: boolean;
  /** What every raised value must hold in the end. */
  readonly original: JsonSchema;
  /** Absent where values go as they are. */
  readonly root?: Step;
  /** The steps of recursive parts, by name. */
  readonly definitions?: Readonly<Record<string, Step>>;
}

/** What happens to one value. A part that has no step goes as it is. */
export type Step =
  /** The root is no object: it stands as the one member of one. */
  { readonly op: 'wrap'; readonly key: string; readonly inner?: Step };

/** What was done to a schema on its way to a dialect, and what that cost. */
export interface Report {
  readonly dialect: Dialect;
  readonly strict: boolean;
  readonly changes: readonly Change[];
  readonly dropped: readonly Dropped[];
  /** Why the strict dialect was not taken. */
  readonly declined: readonly Declined[];
}

export interface Change {
  /** JSON pointer into the original schema. */
  readonly path: string;
  readonly change: string;
  readonly text: string;
}

/** A constraint that the provider is not told as such; raised values are still checked against it. */
export interface Dropped {
  readonly path: string;
  readonly keyword: string;
  readonly value: JsonValue;
  /** True where the description says it instead. */
  readonly described: boolean;
}

export interface Declined {
  readonly path: string;
  readonly reason: string;
  readonly text: string;
}
