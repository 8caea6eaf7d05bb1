import { isJsonObject } from '../json/value.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import type { JsonSchema } from './json-schema.ts';
import { eachSubschema, mapSubschemas } from './subschemas.ts';

export type Draft = '2020-12' | 'draft-07';

/** Which draft a schema speaks: what `$schema` says, else what only one of them allows. */
export function draftOf(schema: JsonSchema): Draft {
  if (!isJsonObject(schema)) return '2020-12';
  return declared(schema) ?? (hasItemLists(schema) ? 'draft-07' : '2020-12');
}

/** What a check needs in addition to the schema. */
export interface Asked {
  /** `format` is asserted. */
  readonly formats: boolean;
  /** The value holds whole numbers that no double is, as bigints. */
  readonly bigNumbers: boolean;
}

/**
 * A schema as the library reads it rightly. A format is an annotation unless it is to be asserted; in draft 7
 * nothing next to a `$ref` counts and `prefixItems` means nothing; a metaschema of one's own can switch off what
 * it does not name. (The library takes a `$schema` for a sign of a newer draft, in which a nested `$id` works
 * differently; so draft 7 goes without.)
 */
export function prepare(
  schema: JsonSchema,
  { formats, bigNumbers }: Asked,
  remotes: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  const gone = new Set(formats ? [] : ['format']);
  const vocabulary = vocabularyOf(schema, remotes);
  if (vocabulary && !vocabulary.some((uri) => uri.endsWith('/vocab/validation')))
    for (const keyword of validation) gone.add(keyword);
  if (vocabulary?.some((uri) => uri.endsWith('/vocab/format-assertion'))) gone.delete('format');
  const prepared = change(schema, draftOf(schema), gone);
  return bigNumbers ? withBigNumbers(prepared) : prepared;
}

function change(schema: JsonSchema, outer: Draft, gone: ReadonlySet<string>): JsonSchema {
  if (!isJsonObject(schema)) return schema;
  const draft = declared(schema) ?? outer;
  let kept = schema;
  if (draft === 'draft-07') {
    if (typeof schema['$ref'] === 'string') kept = only(schema, (keyword) => besideReference.has(keyword));
    else if (schema['$schema'] !== undefined || schema['prefixItems'] !== undefined)
      kept = only(schema, (keyword) => keyword !== '$schema' && keyword !== 'prefixItems');
  }
  for (const keyword of gone)
    if (keyword in kept) {
      kept = only(kept, (name) => !gone.has(name));
      break;
    }
  return mapSubschemas(closedNames(ownNames(kept)), (child) => change(child, draft, gone));
}

/** The library knows a type of bigints, which it compares rightly; only a divisor must be a whole number for them. */
function withBigNumbers(schema: JsonSchema): JsonSchema {
  if (!isJsonObject(schema)) return schema;
  const { type, multipleOf, ...rest } = mapSubschemas(schema, withBigNumbers);
  const wide: Record<string, JsonValue> = { ...rest };
  const types = (Array.isArray(type) ? type : [type]) as readonly string[];
  if (types.includes('integer') || types.includes('number')) wide['type'] = [...types, 'bigint'];
  else if (type !== undefined) wide['type'] = type;
  if (Number.isInteger(multipleOf)) wide['multipleOf'] = multipleOf as JsonValue;
  else if (multipleOf !== undefined) {
    const parts = (rest['allOf'] ?? []) as readonly JsonValue[];
    wide['allOf'] = [...parts, { anyOf: [{ type: 'bigint' }, { multipleOf }] }];
  }
  return wide;
}

/**
 * The library takes a member that every object inherits (`toString`) for one that is there. Said by a pattern,
 * such a name is looked for among an object's own.
 */
function ownNames(schema: JsonObject): JsonObject {
  const { properties, required, patternProperties, allOf, ...rest } = schema;
  const named = isJsonObject(properties) ? Object.keys(properties).filter(isInherited) : [];
  const wanted = Array.isArray(required) ? (required as readonly string[]).filter(isInherited) : [];
  if (named.length === 0 && wanted.length === 0) return schema;
  const patterns: Record<string, JsonValue> = { ...(patternProperties as JsonObject | undefined) };
  for (const name of named) {
    const own = (properties as JsonObject)[name] as JsonValue;
    const known = patterns[`^${name}$`];
    patterns[`^${name}$`] = known === undefined ? own : { allOf: [known, own] };
  }
  const there = wanted.map((name) => ({
    anyOf: [{ not: { type: 'object' } }, { not: { propertyNames: { not: { const: name } } } }],
  }));
  const kept: Record<string, JsonValue> = {
    ...rest,
    allOf: [...((allOf ?? []) as readonly JsonValue[]), ...there],
  };
  if (isJsonObject(properties)) kept['properties'] = only(properties, (name) => !isInherited(name));
  if (Array.isArray(required))
    kept['required'] = (required as readonly string[]).filter((name) => !isInherited(name));
  if (Object.keys(patterns).length > 0) kept['patternProperties'] = patterns;
  if (there.length === 0 && allOf === undefined) delete kept['allOf'];
  return kept;
}

/**
 * The library tests each name of a closed object with an expression; a list of names says the same and is
 * checked in two thirds of the time.
 */
function closedNames(schema: JsonObject): JsonObject {
  const { additionalProperties, properties, patternProperties, propertyNames, ...rest } = schema;
  if (additionalProperties !== false || !isJsonObject(properties) || patternProperties !== undefined)
    return schema;
  const names: JsonValue = { enum: Object.keys(properties) };
  return {
    ...rest,
    properties,
    propertyNames: propertyNames === undefined ? names : { allOf: [names, propertyNames] },
  };
}

/** The library looks after `constructor` and `__proto__` itself. */
function isInherited(name: string): boolean {
  return name in Object.prototype && name !== 'constructor' && name !== '__proto__';
}

/** `definitions` too, though it counts for nothing there: other references point into it. */
const besideReference = new Set(['$ref', 'definitions']);

const validation = (
  'type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern ' +
  'maxItems minItems uniqueItems maxContains minContains maxProperties minProperties required dependentRequired'
).split(' ');

function only(schema: JsonObject, wanted: (keyword: string) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => wanted(keyword)));
}

function vocabularyOf(
  schema: JsonSchema,
  remotes: Readonly<Record<string, JsonSchema>>,
): readonly string[] | undefined {
  const uri = isJsonObject(schema) ? schema['$schema'] : undefined;
  const meta = typeof uri === 'string' && Object.hasOwn(remotes, uri) ? remotes[uri] : undefined;
  const vocabulary = isJsonObject(meta) ? meta['$vocabulary'] : undefined;
  return isJsonObject(vocabulary) ? Object.keys(vocabulary) : undefined;
}

function declared(schema: JsonObject): Draft | undefined {
  const uri = schema['$schema'];
  if (typeof uri !== 'string') return undefined;
  return /draft-0[3467]|draft\/2019-09/.test(uri) ? 'draft-07' : '2020-12';
}

function hasItemLists(schema: JsonObject): boolean {
  if (Array.isArray(schema['items'])) return true;
  let found = false;
  eachSubschema(schema, (child) => {
    found ||= isJsonObject(child) && hasItemLists(child);
  });
  return found;
}
