import type { JsonObject, JsonValue } from '../json/value.ts';
import type { Dialect } from './dialect.ts';
import type { JsonSchema } from '../schema/json-schema.ts';

/** How values go from the original schema to a provider's form of it, and back. Plain JSON. */
export interface Plan {
  readonly version: 1;
  readonly dialect: Dialect;
  /** False where a strict dialect was asked for and the loose one had to be taken, and for every loose dialect. */
  readonly strict: boolean;
  /** What every decoded value must hold in the end. */
  readonly original: JsonSchema;
  /** Absent where values go as they are. */
  readonly root?: Step;
  /** The steps of parts that are pointed to, by name. */
  readonly definitions?: Readonly<Record<string, Step>>;
  /** The structure of parts that are pointed to, for telling the branches of a union apart. */
  readonly shapes?: Readonly<Record<string, JsonObject>>;
}

/** What happens to one value. A part that has no step goes as it is. */
export type Step =
  /** The root is not an object: it is the one member of one. */
  | { readonly op: 'wrap'; readonly key: string; readonly inner?: Step }
  | {
      readonly op: 'object';
      readonly members: readonly MemberStep[];
      /** Other members are pairs in a member of this name. */
      readonly pairs?: { readonly wire: string; readonly value?: Step };
      /** Other members stay where they are, and their values change. */
      readonly others?: Step;
    }
  /** A record is written as a list of `{key, value}`. */
  | { readonly op: 'pairs'; readonly value?: Step }
  | { readonly op: 'list'; readonly items: Step }
  /** A tuple stays a list; its places change one by one. */
  | { readonly op: 'places'; readonly places: readonly (Step | null)[]; readonly rest?: Step }
  /** A tuple is written as an object, one member a place. */
  | {
      readonly op: 'tuple';
      readonly places: readonly MemberStep[];
      readonly rest?: { readonly wire: string; readonly items?: Step };
    }
  | { readonly op: 'union'; readonly branches: readonly BranchStep[] }
  /** The value is written as JSON text. */
  | { readonly op: 'text' }
  /** Each value is written as the label of the same place. */
  | { readonly op: 'enum'; readonly values: readonly JsonValue[]; readonly labels: readonly JsonValue[] }
  | { readonly op: 'reference'; readonly to: string };

export interface MemberStep {
  readonly name: string;
  /** Its name on the wire, where that is another. */
  readonly wire?: string;
  /** How it is said that the member is not there. With `null`, a null that the schema allows too is kept. */
  readonly absent?: 'null' | 'ambiguous-null' | 'marker';
  readonly inner?: Step;
}

export interface BranchStep {
  /** The structure of this branch on the wire: a JSON Schema of types, members, items and constants. */
  readonly shape: JsonObject;
  /** The branch is the one member of an object, since no structure tells it apart. */
  readonly tag?: string;
  readonly inner?: Step;
}

/** What says that a member is not there, where null already means something. */
export const absentMarker = '__absent__';

/** What was done to a schema on its way to a dialect, and what that cost. */
export interface Report {
  readonly dialect: Dialect;
  readonly strict: boolean;
  readonly changes: readonly Change[];
  readonly dropped: readonly Dropped[];
  /** Why the strict dialect was not taken. */
  readonly declined: readonly Declined[];
  /** What providers count over all tools of a request. */
  readonly counts: Counts;
}

export interface Change {
  /** JSON pointer into the original schema. */
  readonly path: string;
  readonly change: string;
  readonly text: string;
}

/** A constraint that the provider is not told as such; decoded values are still checked against it. */
export interface Dropped {
  readonly path: string;
  readonly keyword: string;
  readonly value: JsonValue;
  /** How it is still said: in the description, by the structure, or not at all. */
  readonly said: 'description' | 'structure' | 'nowhere';
}

export interface Declined {
  readonly path: string;
  readonly reason: string;
  readonly text: string;
}

export interface Counts {
  readonly properties: number;
  readonly optional: number;
  readonly unions: number;
  readonly depth: number;
  readonly enumValues: number;
  /** Characters of names, enum values and constants. */
  readonly characters: number;
  /** Characters of the longest enum of more than 250 values. */
  readonly longestLargeEnum: number;
}
