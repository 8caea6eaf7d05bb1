import { isJsonObject } from '../json/value.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import type { Dialect } from './dialect.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import type { Counts, Declined } from './plan.ts';
import { eachSubschema } from '../schema/subschemas.ts';

/** What providers count in a wire schema. */
export function count(schema: JsonSchema): Counts {
  const counts = {
    properties: 0,
    optional: 0,
    unions: 0,
    depth: 0,
    enumValues: 0,
    characters: 0,
    longestLargeEnum: 0,
  };
  if (isJsonObject(schema)) add(schema, 0, counts);
  return counts;
}

function add(node: JsonObject, depth: number, counts: { -readonly [Name in keyof Counts]: number }): void {
  const { type, enum: values, properties, required, $defs: definitions } = node;
  if (node['anyOf'] !== undefined || Array.isArray(type)) counts.unions++;
  if (Array.isArray(values)) {
    let length = 0;
    for (const value of values as readonly JsonValue[]) length += lengthOf(value);
    counts.enumValues += values.length;
    counts.characters += length;
    if (values.length > 250 && length > counts.longestLargeEnum) counts.longestLargeEnum = length;
  } else if (node['const'] !== undefined) {
    counts.enumValues++;
    counts.characters += lengthOf(node['const']);
  }
  if (isJsonObject(properties)) {
    const wanted: readonly JsonValue[] = Array.isArray(required) ? required : [];
    for (const name in properties) {
      counts.properties++;
      counts.characters += name.length;
      if (!wanted.includes(name)) counts.optional++;
    }
  }
  if (isJsonObject(definitions)) for (const name in definitions) counts.characters += name.length;
  const deeper = type === 'object' || properties !== undefined ? depth + 1 : depth;
  if (deeper > counts.depth) counts.depth = deeper;
  eachSubschema(node, (child, keyword) => {
    if (isJsonObject(child)) add(child, keyword === '$defs' ? 0 : deeper, counts);
  });
}

/** The numbers that a dialect allows in one tool, and those that were passed. */
export function overLimits(counts: Counts, dialect: Dialect): readonly Declined[] {
  const over: Declined[] = [];
  const check = (reason: string, value: number, most: number, what: string): void => {
    if (value > most)
      over.push({ path: '', reason, text: `${value} ${what}, and the provider takes ${most}` });
  };
  if (dialect === 'openai-strict') {
    check('too-many-properties', counts.properties, 5000, 'properties');
    check('too-deep', counts.depth, 10, 'levels of objects');
    check('too-many-enum-values', counts.enumValues, 1000, 'enum values');
    check('too-long', counts.characters, 120_000, 'characters of names, enum values and constants');
    check('enum-too-long', counts.longestLargeEnum, 15_000, 'characters in one enum of more than 250 values');
  }
  if (dialect === 'anthropic-strict') {
    check('too-many-optional', counts.optional, mostOptional, 'optional members');
    check('too-many-unions', counts.unions, mostUnions, 'members of more than one type');
  }
  return over;
}

/**
 * Which of the strict tools of one request pass what the provider counts over all of them, by their place, and
 * what is passed. Those that come first are kept.
 */
export function overRequest(
  schemas: readonly JsonSchema[],
  dialect: Dialect | undefined,
): ReadonlyMap<number, string> {
  const over = new Map<number, string>();
  if (dialect !== 'anthropic-strict') return over;
  const sum = { tools: 0, optional: 0, unions: 0 };
  for (const [place, schema] of schemas.entries()) {
    const { optional, unions } = count(schema);
    const passed =
      (sum.tools + 1 > mostStrictTools && `${mostStrictTools} strict tools`) ||
      (sum.optional + optional > mostOptional && `${mostOptional} optional members`) ||
      (sum.unions + unions > mostUnions && `${mostUnions} members of more than one type`);
    if (passed)
      over.set(place, `With it the request has more than ${passed} in all, and the provider takes no more.`);
    else {
      sum.tools++;
      sum.optional += optional;
      sum.unions += unions;
    }
  }
  return over;
}

const mostStrictTools = 20;
export const mostOptional = 24;
export const mostUnions = 16;

function lengthOf(value: JsonValue): number {
  return typeof value === 'string' ? value.length : JSON.stringify(value).length;
}
