import { WhetstoneError } from '../../host/errors.ts';
import { show } from '../../host/show.ts';
import { isJsonObject } from '../../json/value.ts';
import type { JsonObject } from '../../json/value.ts';
import type { JsonSchema } from '../json-schema.ts';
import { References } from '../reference.ts';
import { escapeKey } from '../subschemas.ts';

/**
 * Throws where something is not a JSON Schema: not JSON, or a keyword with a value that it cannot have. The
 * place is a JSON pointer into the schema.
 */
export function validateSchema(schema: unknown): void {
  const walk: Walk = { root: schema, way: [], depth: 0, pointing: [] };
  visit(schema, walk);
  if (walk.pointing.length > 0) refuseBadReferences(schema as JsonObject, walk.pointing);
}

/** A place that points elsewhere. */
type Pointing = readonly [node: JsonObject, path: string];

/** How far the look through a schema has come. Its place is only put together for a fault: most schemas have none. */
interface Walk {
  readonly root: unknown;
  readonly way: (string | number)[];
  depth: number;
  readonly pointing: Pointing[];
}

/** Every reference leads somewhere, and none back to itself with nothing between. Remote ones are never fetched. */
function refuseBadReferences(schema: JsonObject, pointing: readonly Pointing[]): void {
  const references = new References(schema);
  for (const [node, path] of pointing) {
    const to = String(node['$ref']);
    if (references.resolve(node) === undefined && !/^https?:\/\/json-schema\.org\//.test(to))
      throw bad(`${path}/$ref`, to, 'there is nothing at that place, and references are never fetched');
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

function visit(schema: unknown, walk: Walk): void {
  if (typeof schema === 'boolean') return;
  if (!isJsonObject(schema)) throw badAt(walk.way, schema, 'a schema is an object, true or false');
  refuseOther(schema, walk);
  enter(walk);
  const { way } = walk;
  if (typeof schema['$ref'] === 'string') walk.pointing.push([schema, pathOf(way)]);
  for (const key in schema) {
    const value: unknown = schema[key];
    if (value === undefined || !Object.hasOwn(schema, key)) continue;
    way.push(key);
    const kind = keywords.get(key);
    if (typeof kind === 'object') {
      if (!kind[1](value)) throw badAt(walk.way, value, `"${key}" must be ${kind[0]}`);
      if (key === 'enum') data(value, walk);
    } else if (kind === undefined) data(value, walk);
    else if (kind === 'schema') visit(value, walk);
    else if (kind === 'schema map') map(value, walk);
    else if (kind === 'schemas') list(value, walk);
    else if (kind === 'items') Array.isArray(value) ? list(value, walk) : visit(value, walk);
    else dependencies(value, walk);
    way.pop();
  }
  walk.depth--;
}

/** A `Map` or a date would pass for an object without members. */
function refuseOther(value: object, walk: Walk): void {
  if (Object.getPrototypeOf(value) === Object.prototype) return;
  const kind = Object.prototype.toString.call(value);
  if (kind !== '[object Object]') throw badAt(walk.way, kind.slice(8, -1), 'only plain objects are JSON');
}

function list(value: unknown, walk: Walk): void {
  if (!Array.isArray(value)) throw badAt(walk.way, value, 'a list of schemas is needed');
  value.forEach((schema, index) => {
    walk.way.push(index);
    visit(schema, walk);
    walk.way.pop();
  });
}

function map(value: unknown, walk: Walk): void {
  if (!isJsonObject(value)) throw badAt(walk.way, value, 'an object of schemas is needed');
  refuseOther(value, walk);
  for (const key in value) {
    if (!Object.hasOwn(value, key)) continue;
    walk.way.push(key);
    visit(value[key], walk);
    walk.way.pop();
  }
}

function dependencies(value: unknown, walk: Walk): void {
  if (!isJsonObject(value)) throw badAt(walk.way, value, 'an object of schemas or lists of names is needed');
  for (const key of Object.keys(value)) {
    if (names[1](value[key])) continue;
    walk.way.push(key);
    visit(value[key], walk);
    walk.way.pop();
  }
}

/** Anything may be here, as long as it is JSON. */
function data(value: unknown, walk: Walk): void {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return;
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return;
    throw badAt(walk.way, String(value), 'this number is not JSON');
  }
  if (typeof value !== 'object') throw badAt(walk.way, typeof value, 'this is not JSON');
  const proto: unknown = Object.getPrototypeOf(value);
  if (proto !== Object.prototype && proto !== null && !Array.isArray(value))
    throw badAt(walk.way, value.constructor?.name, 'only plain objects are JSON');
  enter(walk);
  for (const key of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[key];
    if (member === undefined) continue;
    walk.way.push(key);
    data(member, walk);
    walk.way.pop();
  }
  walk.depth--;
}

/** What contains itself is deeper than anything: it is only looked for where the depth is passed. */
function enter(walk: Walk): void {
  if (++walk.depth <= deepest + 1) return;
  refuseCycle(walk.root, [], new Set());
  throw badAt(walk.way, '…', `it is nested deeper than ${deepest} levels`);
}

function refuseCycle(value: unknown, way: (string | number)[], above: Set<object>): void {
  // Deeper than the stack may be the tree too; then its depth is what is told.
  if (way.length > 4 * deepest || typeof value !== 'object' || value === null) return;
  if (above.has(value)) {
    const reason = 'the object contains itself; write a recursive schema with $ref and $defs';
    throw badAt(way, '[cycle]', reason);
  }
  above.add(value);
  for (const [key, member] of Object.entries(value)) {
    way.push(key);
    refuseCycle(member, way, above);
    way.pop();
  }
  above.delete(value);
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

function badAt(way: readonly (string | number)[], value: unknown, reason: string): WhetstoneError {
  return bad(pathOf(way), value, reason);
}

function pathOf(way: readonly (string | number)[]): string {
  return way.map((key) => `/${escapeKey(String(key))}`).join('');
}

function bad(path: string, value: unknown, reason: string): WhetstoneError {
  return new WhetstoneError(
    'schema_invalid',
    `This is not a JSON Schema: at ${inWords(path)}, ${reason}; found ${show(value)}.`,
    { details: { path, reason, value } },
  );
}

/** A place in a message; of a very deep one, its ends. */
function inWords(path: string): string {
  if (path === '') return 'the root';
  return path.length > 400 ? `${path.slice(0, 150)} … ${path.slice(-150)}` : path;
}
