import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import { slipOf } from '../../base/schema/check/nearest-names.ts';
import { invalid } from './refusal.ts';

/** The fields that are read in one place of a request, and what is known of those within each. */
export type KnownFields = ReadonlyMap<string, KnownFields | undefined>;

/** A field that nobody knows and that can only be a slip of one that the request does not have. */
export interface Slip {
  readonly path: string;
  readonly problem: string;
}

export function fieldsNamed(...names: readonly string[]): KnownFields {
  return new Map(names.map((name) => [name, undefined]));
}

/** The fields of a shape of the API, down to those of its members. */
export function fieldsOf(schema: JsonValue | undefined): KnownFields | undefined {
  if (!isJsonObject(schema)) return undefined;
  const { items, properties } = schema;
  // What is said of a list holds for its items.
  if (items !== undefined) return fieldsOf(items);
  if (!isJsonObject(properties)) return undefined;
  return new Map(Object.entries(properties).map(([name, field]) => [name, fieldsOf(field)]));
}

/**
 * Refuses a request that can only have meant a field which it does not have: passed over, `reward_confg` would give
 * another reward without a word. Anything else that a client sends is its own business.
 */
export function mustBeSpelt(value: unknown, known: KnownFields | undefined, path = ''): void {
  const slip = known && slipIn(value, known, path);
  if (slip !== undefined) throw invalid(slip.path, slip.problem);
}

export function slipIn(value: unknown, known: KnownFields, path = ''): Slip | undefined {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const slip = slipIn(item, known, `${path}[${index}]`);
      if (slip !== undefined) return slip;
    }
    return undefined;
  }
  if (!isJsonObject(value)) return undefined;
  for (const name of Object.keys(value)) {
    const within = known.get(name);
    const slip =
      within !== undefined
        ? slipIn(value[name], within, pathTo(path, name))
        : known.has(name)
          ? undefined
          : slipAt(value, name, known, path);
    if (slip !== undefined) return slip;
  }
  return undefined;
}

function slipAt(fields: JsonObject, name: string, known: KnownFields, path: string): Slip | undefined {
  if (fields[name] === null) return undefined;
  const absent = [...known.keys()].filter((each) => !Object.hasOwn(fields, each));
  const meant = slipOf(name, absent);
  return meant === undefined
    ? undefined
    : { path: pathTo(path, name), problem: `is not a field here. Did you mean "${meant}"?` };
}

function pathTo(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
