import type { JsonObject, JsonValue } from '../../json/value.ts';

/**
 * What a schema says about the structure of a value, whatever keywords it says it with: references are named,
 * `allOf` is merged, every type of a union is a node of its own. Everything else it says is a list of limits next to it.
 */
export interface Node {
  readonly form: Form;
  /** JSON pointer to where this was said in the original schema. */
  readonly path: string;
  readonly notes: Notes;
  readonly limits: readonly Limit[];
}

export type Form =
  | { readonly kind: 'any' }
  | { readonly kind: 'never' }
  | { readonly kind: 'null' }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'number'; readonly integer: boolean }
  | { readonly kind: 'string' }
  | { readonly kind: 'enum'; readonly values: readonly JsonValue[] }
  | { readonly kind: 'list'; readonly first: readonly Node[]; readonly rest: Node | undefined }
  | ObjectForm
  | { readonly kind: 'union'; readonly branches: readonly Node[] }
  | { readonly kind: 'reference'; readonly to: Definition };

export interface ObjectForm {
  readonly kind: 'object';
  readonly members: ReadonlyMap<string, Member>;
  /** What other members may hold; undefined where nothing is said of them. */
  readonly rest: Node | undefined;
  /** The schema speaks of members at all (it has `properties`, be they empty). */
  readonly listed: boolean;
  /** What the names of other members may be. */
  readonly names: Node | undefined;
}

export interface Member {
  readonly node: Node;
  readonly required: boolean;
  /** Only a condition speaks of it: what is said elsewhere holds, and two conditions are a choice. */
  readonly sometimes?: true;
}

/** A schema that is pointed to. Its node is read when it is first wanted, so that it may contain itself. */
export interface Definition {
  readonly name: string;
  readonly read: () => Node;
  /** What it says is not known yet: reading it has led back to it. */
  readonly isBeingRead: () => boolean;
}

/** What a schema tells a reader without excluding any value: `title`, `description`, `default`, `examples`. */
export type Notes = JsonObject;

/** One constraint, by its keyword. */
export interface Limit {
  readonly keyword: string;
  readonly value: JsonValue;
  readonly path: string;
  /** True where the structure says it too, so that only its name must be accounted for. */
  readonly said?: true;
}

export const noNotes: Notes = Object.freeze({});
export const noLimits: readonly Limit[] = Object.freeze([]);

export function plainNode(form: Form, path: string): Node {
  return { form, path, notes: noNotes, limits: noLimits };
}

export const anyForm: Form = { kind: 'any' };
export const neverForm: Form = { kind: 'never' };
