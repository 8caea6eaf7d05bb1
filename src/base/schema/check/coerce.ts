import { setMember } from '../../json/member.ts';
import { canonicalNumber, NumberToken } from '../../json/number-token.ts';
import { parseJson } from '../../json/parse.ts';
import { formatPath, type JsonPath } from '../../json/path.ts';
import { formatPointer } from '../../json/pointer.ts';
import { isJsonObject } from '../../json/value.ts';
import type { ExactJson, JsonObject, JsonValue } from '../../json/value.ts';
import { explain, hasType } from './explain.ts';
import type { JsonSchema } from '../json-schema.ts';
import { References } from '../reference.ts';

/** One value that was read as another, because the schema wants it so. */
export interface Coercion {
  /** JSON pointer into the value. */
  readonly path: string;
  /** `items[2].quantity` */
  readonly place: string;
  readonly from: JsonValue;
  readonly to: JsonValue;
}

export interface Coerced {
  readonly value: JsonValue;
  readonly coercions: readonly Coercion[];
}

/**
 * Reads a value as what the schema wants, where it was only written as something else: `"3"` as 3, `"true"` as
 * true, a lone value as a list of one, JSON in a string as its value. What fits stays untouched, and what fits
 * in no way stays as it was; each change is reported. The runner of calls has to ask for this, and checks afterwards.
 */
export function coerce(schema: JsonSchema, value: JsonValue): Coerced {
  const coercer = new Coercer(new References(schema));
  return { value: coercer.at(schema, value, []), coercions: coercer.coercions };
}

class Coercer {
  readonly #references: References;
  coercions: Coercion[] = [];

  constructor(references: References) {
    this.#references = references;
  }

  at(schema: JsonSchema, value: JsonValue, place: JsonPath): JsonValue {
    if (!isJsonObject(schema) || place.length > 100 || this.#fits(schema, value)) return value;
    const target = this.#references.resolve(schema);
    let result = target === undefined ? value : this.at(target, value, place);
    for (const part of schemas(schema['allOf'])) result = this.at(part, result, place);
    result = this.#choice([...schemas(schema['anyOf']), ...schemas(schema['oneOf'])], result, place);
    if (!hasType(schema['type'], result)) result = this.#retype(schema, result, place);
    else if (schema['enum'] !== undefined || schema['const'] !== undefined)
      result = this.#listed(schema, result, place);
    return this.#inside(schema, result, place);
  }

  #fits(schema: JsonSchema, value: JsonValue): boolean {
    return explain(schema, value, this.#references).length === 0;
  }

  /** The first branch that takes the value once it is read its way. */
  #choice(branches: readonly JsonSchema[], value: JsonValue, place: JsonPath): JsonValue {
    if (branches.some((branch) => this.#fits(branch, value))) return value;
    for (const branch of branches) {
      const before = this.coercions;
      this.coercions = [...before];
      const read = this.at(branch, value, place);
      if (this.#fits(branch, read)) return read;
      this.coercions = before;
    }
    return value;
  }

  #retype(schema: JsonObject, value: JsonValue, place: JsonPath): JsonValue {
    const wanted = schema['type'];
    const types = (Array.isArray(wanted) ? wanted : [wanted]) as readonly string[];
    for (const read of readings(value))
      if (types.some((type) => hasType(type, read))) return this.#take(value, read, place);
    return types.includes('array') ? this.#take(value, [value], place) : value;
  }

  #listed(schema: JsonObject, value: JsonValue, place: JsonPath): JsonValue {
    const { enum: values, const: only } = schema;
    const list: JsonObject = {
      ...(values === undefined ? {} : { enum: values }),
      ...(only === undefined ? {} : { const: only }),
    };
    const read = readings(value).find((one) => this.#fits(list, one));
    return read === undefined ? value : this.#take(value, read, place);
  }

  #inside(schema: JsonObject, value: JsonValue, place: JsonPath): JsonValue {
    if (Array.isArray(value)) {
      const lists = Array.isArray(schema['items']);
      const first = schemas(lists ? schema['items'] : schema['prefixItems']);
      const rest = schema[lists ? 'additionalItems' : 'items'] as JsonSchema | undefined;
      return value.map((item: JsonValue, index) =>
        this.at(first[index] ?? rest ?? true, item, [...place, index]),
      );
    }
    if (!isJsonObject(value)) return value;
    const properties = (schema['properties'] ?? {}) as JsonObject;
    const result: Record<string, unknown> = {};
    for (const name of Object.keys(value)) {
      const wanted = Object.hasOwn(properties, name) ? properties[name] : schema['additionalProperties'];
      setMember(
        result,
        name,
        this.at((wanted ?? true) as JsonSchema, value[name] as JsonValue, [...place, name]),
      );
    }
    return result as JsonObject;
  }

  #take(from: JsonValue, to: JsonValue, place: JsonPath): JsonValue {
    this.coercions.push({ path: formatPointer(place), place: formatPath(place), from, to });
    return to;
  }
}

/** What a text may have been meant to be; numbers only where nothing of them is lost. */
function readings(value: JsonValue): readonly JsonValue[] {
  if (typeof value !== 'string') return [];
  const text = value.trim();
  if (/^(true|false)$/i.test(text)) return [text.toLowerCase() === 'true'];
  if (!/^[[{"\d-]|^null$/.test(text)) return [];
  try {
    return losesNumbers(parseJson(text, { numbers: 'as-written' })) ? [] : [parseJson(text)];
  } catch {
    // Not JSON: then it was meant as text.
    return [];
  }
}

/** Whether there is a whole number that no double holds, or one that is too large for any. */
function losesNumbers(value: ExactJson): boolean {
  if (value instanceof NumberToken) {
    const double = value.valueOf();
    return Number.isInteger(double)
      ? canonicalNumber(value.text) !== String(double)
      : !Number.isFinite(double);
  }
  return typeof value === 'object' && value !== null && Object.values(value).some(losesNumbers);
}

function schemas(value: JsonValue | undefined): readonly JsonSchema[] {
  return Array.isArray(value) ? (value as readonly JsonSchema[]) : [];
}
