import { WhetstoneError } from '../host/errors.ts';
import { isJsonObject } from '../json/value.ts';
import type { JsonObject } from '../json/value.ts';
import type { JsonSchema } from '../schema/json-schema.ts';

/** Where a value stands: the way back to the root is only written out when something is wrong. */
interface Place {
  readonly outer: Place | undefined;
  readonly key: string | number;
}

type Check = (value: unknown, place: Place | undefined) => void;

/**
 * A check for one of our own schemas, made of the few keywords that they use (`type`, `const`, `enum`, `properties`,
 * `required`, `additionalProperties`, `items`, `minItems`, `maxItems`, `minimum`, `anyOf`, `$ref` to `$defs`).
 * It knows that alternatives are told apart by `type` or `role`, so it can say which field of which one is wrong;
 * and it needs no library, so that the door stands open at once. Fields it does not know are let through.
 * Throws `message_invalid` with path, expectation and what was found.
 */
export function shapeCheck(schema: JsonSchema, name: string): (value: unknown) => void {
  const definitions = isJsonObject(schema) && isJsonObject(schema['$defs']) ? schema['$defs'] : {};
  const check = new Compiler(definitions, name).compile(schema);
  return (value) => check(value, undefined);
}

class Compiler {
  readonly #definitions: JsonObject;
  readonly #name: string;
  readonly #done = new Map<string, Check>();

  constructor(definitions: JsonObject, name: string) {
    this.#definitions = definitions;
    this.#name = name;
  }

  compile(schema: JsonSchema): Check {
    if (typeof schema === 'boolean') return () => {};
    const reference = schema['$ref'];
    if (typeof reference === 'string') return this.#refer(reference.slice('#/$defs/'.length));
    if (Array.isArray(schema['anyOf'])) return this.#choose(schema['anyOf'] as JsonObject[]);
    if ('const' in schema || 'enum' in schema) return this.#oneOf(schema);
    switch (schema['type']) {
      case 'object':
        return this.#object(schema);
      case 'array':
        return this.#array(schema);
      default:
        return this.#scalar(schema);
    }
  }

  #refer(name: string): Check {
    const known = this.#done.get(name);
    if (known !== undefined) return known;
    // Set before it is compiled: a definition may lead back to itself.
    const check: Check = (value, place) => compiled(value, place);
    this.#done.set(name, check);
    const compiled = this.compile(this.#definitions[name] as JsonSchema);
    return check;
  }

  /** Alternatives: objects by their `type` or `role`, everything else by what JSON calls it. */
  #choose(branches: readonly JsonObject[]): Check {
    const byTag = new Map<unknown, { readonly needs: readonly string[]; readonly check: Check }[]>();
    const byKind = new Map<string, Check>();
    let tagField = 'type';
    for (const branch of this.#flatten(branches)) {
      const properties = (branch['properties'] ?? {}) as JsonObject;
      const field = ['type', 'role', 'kind'].find(
        (each) => isJsonObject(properties[each]) && tagsOf(properties[each]),
      );
      const check = this.compile(branch);
      if (field === undefined) {
        for (const kind of kindsOf(branch)) byKind.set(kind, check);
        continue;
      }
      tagField = field;
      for (const tag of tagsOf(properties[field] as JsonObject) ?? []) {
        const needs = (branch['required'] ?? []) as readonly string[];
        byTag.set(tag, [...(byTag.get(tag) ?? []), { needs, check }]);
      }
    }
    const tags = [...byTag.keys()].map((tag) => JSON.stringify(tag)).join(', ');
    const kinds = [...byKind.keys(), ...(byTag.size > 0 ? ['object'] : [])];
    return (value, place) => {
      const kind = kindOf(value);
      const check = byKind.get(kind) ?? (kind === 'integer' ? byKind.get('number') : undefined);
      if (check !== undefined) return check(value, place);
      if (kind !== 'object' || byTag.size === 0) this.#refuse(nouns(kinds), value, place);
      const record = value as JsonObject;
      const found = byTag.get(record[tagField]);
      if (found === undefined) {
        this.#refuse(`one of ${tags}`, record[tagField], { outer: place, key: tagField });
      }
      const fitting =
        found.find(({ needs }) => needs.every((field) => record[field] !== undefined)) ?? found[0];
      fitting?.check(value, place);
    };
  }

  /** Alternatives of alternatives are alternatives. */
  #flatten(branches: readonly JsonObject[]): JsonObject[] {
    return branches.flatMap((branch) => {
      const reference = branch['$ref'];
      const meant =
        typeof reference === 'string'
          ? (this.#definitions[reference.slice('#/$defs/'.length)] as JsonObject)
          : branch;
      return Array.isArray(meant['anyOf']) ? this.#flatten(meant['anyOf'] as JsonObject[]) : [meant];
    });
  }

  #oneOf(schema: JsonObject): Check {
    const allowed = 'const' in schema ? [schema['const']] : (schema['enum'] as readonly unknown[]);
    const expected = allowed.map((each) => JSON.stringify(each)).join(', ');
    return (value, place) => {
      if (!allowed.includes(value))
        this.#refuse(allowed.length > 1 ? `one of ${expected}` : expected, value, place);
    };
  }

  #object(schema: JsonObject): Check {
    const required = new Set((schema['required'] ?? []) as readonly string[]);
    const fields = Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>).map(
      ([key, field]) => ({
        key,
        needed: required.has(key),
        check: this.compile(field),
        expected: describe(field),
      }),
    );
    const rest = schema['additionalProperties'];
    const restCheck = isJsonObject(rest) ? this.compile(rest) : undefined;
    const isFree = fields.length === 0 && restCheck === undefined;
    return (value, place) => {
      if (kindOf(value) !== 'object') this.#refuse('an object', value, place);
      const record = value as Readonly<Record<string, unknown>>;
      if (isFree) this.#json(value, place);
      for (const { key, needed, check, expected } of fields) {
        const field = Object.hasOwn(record, key) ? record[key] : undefined;
        if (field !== undefined) check(field, { outer: place, key });
        else if (needed) this.#refuse(expected, undefined, { outer: place, key });
      }
      if (restCheck === undefined) return;
      for (const key of Object.keys(record)) restCheck(record[key], { outer: place, key });
    };
  }

  #array(schema: JsonObject): Check {
    const check = this.compile((schema['items'] ?? true) as JsonSchema);
    const least = (schema['minItems'] ?? 0) as number;
    const most = (schema['maxItems'] ?? Infinity) as number;
    return (value, place) => {
      if (!Array.isArray(value)) this.#refuse('an array', value, place);
      if (value.length < least || value.length > most) {
        this.#refuse(
          least === most ? `${least} items` : `at least ${least} ${least === 1 ? 'item' : 'items'}`,
          value,
          place,
        );
      }
      value.forEach((item, key) => check(item, { outer: place, key }));
    };
  }

  #scalar(schema: JsonObject): Check {
    const kinds = kindsOf(schema);
    const minimum = schema['minimum'];
    const expected = describe(schema);
    return (value, place) => {
      const kind = kindOf(value);
      const fits = kinds.includes(kind) || (kind === 'integer' && kinds.includes('number'));
      if (!fits || (typeof minimum === 'number' && typeof value === 'number' && value < minimum)) {
        this.#refuse(expected, value, place);
      }
      if (kind === 'object' || kind === 'array') this.#json(value, place);
    };
  }

  /** Values of which our schemas say nothing must still be JSON. */
  #json(value: unknown, place: Place | undefined, depth = 0): void {
    if (depth > deepest) this.#refuse(`JSON of at most ${deepest} levels`, value, place);
    const kind = kindOf(value);
    if (kind === '' || (kind === 'object' && !isPlain(value as object))) this.#refuse('JSON', value, place);
    if (kind === 'array') {
      (value as readonly unknown[]).forEach((item, key) =>
        this.#json(item, { outer: place, key }, depth + 1),
      );
    } else if (kind === 'object') {
      for (const [key, item] of Object.entries(value as object)) {
        if (item !== undefined) this.#json(item, { outer: place, key }, depth + 1);
      }
    }
  }

  #refuse(expected: string, found: unknown, place: Place | undefined): never {
    const keys: (string | number)[] = [];
    for (let at = place; at !== undefined; at = at.outer) keys.unshift(at.key);
    throw refusal(this.#name, keys, expected, found);
  }
}

/** For functions that are handed what TypeScript would have refused. */
export function expectObject(value: unknown, name: string): void {
  if (typeof value !== 'object' || value === null) throw refusal(name, [], 'an object', value);
}

export function expectList(value: unknown, name: string): void {
  if (!Array.isArray(value)) throw refusal(name, [], 'an array', value);
}

/** A list of objects: parts, results. */
export function expectObjects(value: unknown, name: string): void {
  expectList(value, name);
  const items = value as readonly unknown[];
  for (let index = 0; index < items.length; index++)
    if (typeof items[index] !== 'object' || items[index] === null)
      throw refusal(name, [index], 'an object', items[index]);
}

export function expectText(value: unknown, name: string): void {
  if (typeof value !== 'string') throw refusal(name, [], 'a text', value);
}

function refusal(
  name: string,
  keys: readonly (string | number)[],
  expected: string,
  found: unknown,
): WhetstoneError {
  const path = name + keys.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('');
  return new WhetstoneError('message_invalid', `\`${path}\`: expected ${expected}, found ${print(found)}.`, {
    details: { path: keys, expected, found },
  });
}

/** As deep as a network door lets JSON be. */
const deepest = 256;

/** The values by which a tag field tells its branch; undefined where it is no tag. */
function tagsOf(field: JsonObject): readonly unknown[] | undefined {
  if ('const' in field) return [field['const']];
  return Array.isArray(field['enum']) ? field['enum'] : undefined;
}

function kindsOf(schema: JsonObject): readonly string[] {
  const type = schema['type'] ?? ['string', 'number', 'boolean', 'null', 'array', 'object'];
  return (Array.isArray(type) ? type : [type]) as readonly string[];
}

/** What JSON calls it; '' for what is no JSON. */
function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number')
    return Number.isInteger(value) ? 'integer' : Number.isFinite(value) ? 'number' : '';
  return typeof value === 'string' || typeof value === 'boolean' || typeof value === 'object'
    ? typeof value
    : '';
}

/** A class instance is no JSON, except one that says how it is written (`NumberToken`). */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null || 'toJSON' in value;
}

function describe(schema: JsonSchema): string {
  if (typeof schema === 'boolean') return 'any JSON';
  if ('const' in schema) return JSON.stringify(schema['const']);
  if (Array.isArray(schema['enum']))
    return `one of ${schema['enum'].map((each) => JSON.stringify(each)).join(', ')}`;
  if (Array.isArray(schema['anyOf'])) {
    return nouns([...new Set(schema['anyOf'].flatMap((branch) => kindsOf(branch as JsonObject)))]);
  }
  if (schema['$ref'] !== undefined) return 'an object';
  const kinds = nouns(kindsOf(schema));
  return schema['minimum'] === undefined ? kinds : `${kinds} ≥ ${String(schema['minimum'])}`;
}

function nouns(kinds: readonly string[]): string {
  if (kinds.length > 5) return 'any JSON';
  const words = kinds.map((kind) => {
    if (kind === 'string') return 'a text';
    return kind === 'null' ? 'null' : /^[aio]/.test(kind) ? `an ${kind}` : `a ${kind}`;
  });
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

function print(found: unknown): string {
  if (found === undefined) return 'nothing';
  if (typeof found === 'function' || typeof found === 'symbol') return `a ${typeof found}`;
  if (typeof found === 'bigint' || typeof found === 'number') return String(found);
  if (Array.isArray(found)) return `an array of ${found.length}`;
  if (typeof found === 'object' && found !== null)
    return `an object with ${Object.keys(found).slice(0, 5).join(', ') || 'no fields'}`;
  const text = JSON.stringify(found);
  return text.length > 80 ? `${text.slice(0, 79)}…"` : text;
}
