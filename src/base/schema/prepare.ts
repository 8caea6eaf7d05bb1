import { isJsonObject } from '../json/value.ts';
import type { JsonObject } from '../json/value.ts';
import type { JsonSchema } from './json-schema.ts';
import { mapSubschemas, subschemas } from './subschemas.ts';

export type Draft = '2020-12' | 'draft-07';

/** Which draft a schema speaks: what `$schema` says, else what only one of them allows. */
export function draftOf(schema: JsonSchema): Draft {
  if (!isJsonObject(schema)) return '2020-12';
  return declared(schema) ?? (hasItemLists(schema) ? 'draft-07' : '2020-12');
}

/**
 * A schema as the library reads it rightly. A format is an annotation unless it is to be asserted; in draft 7
 * nothing beside a `$ref` counts and `prefixItems` means nothing; a metaschema of one's own can switch off what
 * it does not name. (The library takes a `$schema` for a sign of a newer draft, in which a nested `$id` works
 * differently; so draft 7 goes without.)
 */
export function prepare(
  schema: JsonSchema,
  formats: boolean,
  remotes: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  const gone = new Set(formats ? [] : ['format']);
  const vocabulary = vocabularyOf(schema, remotes);
  if (vocabulary && !vocabulary.some((uri) => uri.endsWith('/vocab/validation')))
    for (const keyword of validation) gone.add(keyword);
  if (vocabulary?.some((uri) => uri.endsWith('/vocab/format-assertion'))) gone.delete('format');
  return change(schema, draftOf(schema), gone);
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
  return mapSubschemas(kept, (child) => change(child, draft, gone));
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
  for (const [, child] of subschemas(schema)) if (isJsonObject(child) && hasItemLists(child)) return true;
  return false;
}
