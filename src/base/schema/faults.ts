import { WhetstoneError } from '../host/errors.ts';
import { show } from '../host/show.ts';
import { isJsonObject } from '../json/value.ts';
import type { JsonObject } from '../json/value.ts';
import type { JsonSchema } from './json-schema.ts';
import { References } from './reference.ts';
import { escapeKey } from './subschemas.ts';

/**
 * Throws where something is not a JSON Schema: not JSON, or a keyword with a value that it cannot have. The
 * place is a JSON pointer into the schema.
 */
export function refuseBadSchema(schema: unknown): void {
  const pointing: Pointing[] = [];
  visit(schema, '', new Set(), pointing);
  if (pointing.length > 0) refuseBadReferences(schema as JsonObject, pointing);
}

/** A place that points elsewhere. */
type Pointing = readonly [node: JsonObject, path: string];

/** Every reference leads somewhere, and none back to itself with nothing between. Remote ones are never fetched. */
function refuseBadReferences(schema: JsonObject, pointing: readonly Pointing[]): void {
  const references = new References(schema);
  for (const [node, path] of pointing) {
    const to = String(node['$ref']);
    if (references.resolve(node) === undefined && !/^https?:\/\/json-schema\.org\//.test(to))
      throw bad(`${path}/$ref`, to, 'nothing stands there, and references are never fetched');
    if (leadsBack(node, references, new Set()))
      throw bad(`${path}/$ref`, to, 'it leads back to itself with nothing between');
  }
}

/** Goes only through what is said of the same value. */
function leadsBack(schema: JsonSchema, references: References, above: Set<JsonSchema>): boolean {
  if (typeof schema === 'boolean') return false;
  if (above.has(schema)) return true;
  above.add(schema);
  const target = references.resolve(schema);
  const same = target === undefined ? [] : [target];
  for (const keyword of ['allOf', 'anyOf', 'oneOf'])
    if (Array.isArray(schema[keyword])) same.push(...(schema[keyword] as readonly JsonSchema[]));
  for (const keyword of ['not', 'if', 'then', 'else'])
    if (schema[keyword] !== undefined) same.push(schema[keyword] as JsonSchema);
  const back = same.some((one) => leadsBack(one, references, above));
  above.delete(schema);
  return back;
}

const types = new Set(['null', 'boolean', 'object', 'array', 'number', 'integer', 'string']);

type Kind = 'schema' | 'schemas' | 'schema map' | 'items' | 'dependencies' | Test;
type Test = readonly [says: string, holds: (value: unknown) => boolean];

/** As a number, or as the text that protobuf (and so Gemini) writes. */
const count: Test = ['a whole number ≥ 0', (v) => (Number.isInteger(v) && Number(v) >= 0) || isDigits(v)];
const number: Test = ['a number', (v) => typeof v === 'number' && Number.isFinite(v)];
const text: Test = ['a string', (v) => typeof v === 'string'];
const flag: Test = ['true or false', (v) => typeof v === 'boolean'];
const names: Test = [
  'a list of strings',
  (v) => Array.isArray(v) && v.every((name) => typeof name === 'string'),
];
const pattern: Test = ['a regular expression', isPattern];

const keywords: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['type', ['a type name or a list of them', isType]],
  ['properties', 'schema map'],
  ['patternProperties', 'schema map'],
  ['$defs', 'schema map'],
  ['definitions', 'schema map'],
  ['dependentSchemas', 'schema map'],
  ['dependencies', 'dependencies'],
  ['items', 'items'],
  ['prefixItems', 'schemas'],
  ['allOf', 'schemas'],
  ['anyOf', 'schemas'],
  ['oneOf', 'schemas'],
  ['additionalProperties', 'schema'],
  ['additionalItems', 'schema'],
  ['unevaluatedProperties', 'schema'],
  ['unevaluatedItems', 'schema'],
  ['propertyNames', 'schema'],
  ['contains', 'schema'],
  ['not', 'schema'],
  ['if', 'schema'],
  ['then', 'schema'],
  ['else', 'schema'],
  ['contentSchema', 'schema'],
  ['required', names],
  ['enum', ['a list', Array.isArray]],
  ['minimum', number],
  ['maximum', number],
  ['exclusiveMinimum', number],
  ['exclusiveMaximum', number],
  ['multipleOf', ['a number > 0', (v) => typeof v === 'number' && v > 0]],
  ['minLength', count],
  ['maxLength', count],
  ['minItems', count],
  ['maxItems', count],
  ['minContains', count],
  ['maxContains', count],
  ['minProperties', count],
  ['maxProperties', count],
  ['uniqueItems', flag],
  ['pattern', pattern],
  ['format', text],
  ['description', text],
  ['title', text],
  ['$ref', text],
  ['$id', text],
  ['$schema', text],
  ['$anchor', text],
]);

function visit(schema: unknown, path: string, above: Set<unknown>, pointing: Pointing[]): void {
  if (typeof schema === 'boolean') return;
  if (!isJsonObject(schema)) throw bad(path, schema, 'a schema is an object, true or false');
  enter(schema, path, above);
  if (typeof schema['$ref'] === 'string') pointing.push([schema, path]);
  for (const key of Object.keys(schema)) {
    const value: unknown = schema[key];
    const kind = keywords.get(key);
    const place = `${path}/${escapeKey(key)}`;
    if (value === undefined) continue;
    if (kind === undefined) data(value, place, above);
    else if (kind === 'schema') visit(value, place, above, pointing);
    else if (kind === 'schemas') list(value, place, above, pointing);
    else if (kind === 'schema map') map(value, place, above, pointing);
    else if (kind === 'items')
      Array.isArray(value) ? list(value, place, above, pointing) : visit(value, place, above, pointing);
    else if (kind === 'dependencies') dependencies(value, place, above, pointing);
    else if (!kind[1](value)) throw bad(place, value, `"${key}" must be ${kind[0]}`);
    else if (key === 'enum') data(value, place, above);
  }
  above.delete(schema);
}

function list(value: unknown, path: string, above: Set<unknown>, pointing: Pointing[]): void {
  if (!Array.isArray(value)) throw bad(path, value, 'a list of schemas is wanted');
  value.forEach((schema, index) => visit(schema, `${path}/${index}`, above, pointing));
}

function map(value: unknown, path: string, above: Set<unknown>, pointing: Pointing[]): void {
  if (!isJsonObject(value)) throw bad(path, value, 'an object of schemas is wanted');
  for (const key of Object.keys(value)) visit(value[key], `${path}/${escapeKey(key)}`, above, pointing);
}

function dependencies(value: unknown, path: string, above: Set<unknown>, pointing: Pointing[]): void {
  if (!isJsonObject(value)) throw bad(path, value, 'an object of schemas or lists of names is wanted');
  for (const key of Object.keys(value))
    if (!names[1](value[key])) visit(value[key], `${path}/${escapeKey(key)}`, above, pointing);
}

/** Anything may stand here, as long as it is JSON. */
function data(value: unknown, path: string, above: Set<unknown>): void {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return;
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return;
    throw bad(path, String(value), 'this number is not JSON');
  }
  if (typeof value !== 'object') throw bad(path, typeof value, 'this is not JSON');
  const proto: unknown = Object.getPrototypeOf(value);
  if (proto !== Object.prototype && proto !== null && !Array.isArray(value))
    throw bad(path, value.constructor?.name, 'only plain objects are JSON');
  enter(value, path, above);
  for (const key of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[key];
    if (member !== undefined) data(member, `${path}/${escapeKey(key)}`, above);
  }
  above.delete(value);
}

function enter(value: object, path: string, above: Set<unknown>): void {
  if (above.has(value))
    throw bad(path, '[cycle]', 'the object contains itself; say a recursive schema with $ref and $defs');
  if (above.size > deepest) throw bad(path, '…', `it is nested deeper than ${deepest} levels`);
  above.add(value);
}

/** Recursion is said with `$ref`; nesting like this is an attack or an accident. */
const deepest = 400;

function isDigits(value: unknown): boolean {
  return typeof value === 'string' && /^\d{1,15}$/.test(value);
}

function isType(value: unknown): boolean {
  const one = (name: unknown): boolean => typeof name === 'string' && types.has(name);
  return Array.isArray(value) ? value.length > 0 && value.every(one) : one(value);
}

function isPattern(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  try {
    new RegExp(value, 'u');
    return true;
  } catch {
    // Many published schemas escape more than the `u` flag allows (`\-`); the checker reads those too.
    try {
      new RegExp(value);
      return true;
    } catch {
      return false;
    }
  }
}

function bad(path: string, value: unknown, reason: string): WhetstoneError {
  return new WhetstoneError(
    'schema_invalid',
    `This is no JSON Schema: at ${inWords(path)}, ${reason}; found ${show(value)}.`,
    { details: { path, reason, value } },
  );
}

/** A place in a message; of a very deep one, its ends. */
function inWords(path: string): string {
  if (path === '') return 'the root';
  return path.length > 400 ? `${path.slice(0, 150)} … ${path.slice(-150)}` : path;
}
