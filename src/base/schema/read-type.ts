import { isJsonObject } from '../json/value.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { anyForm, neverForm, plainNode } from './form.ts';
import type { Member, Node } from './form.ts';
import type { JsonSchema } from './json-schema.ts';
import { limitsOf, listLimits, numberLimits, objectLimits, stringLimits } from './limits.ts';
import { escapeKey } from './subschemas.ts';

/** Reads a schema inside another one. */
export type ReadChild = (schema: JsonSchema, path: string) => Node;

/** What a schema says of values of one type. */
export function readType(type: string, schema: JsonObject, path: string, read: ReadChild): Node {
  switch (type) {
    case 'null':
    case 'boolean':
      return plainNode({ kind: type }, path);
    case 'integer':
    case 'number':
      return {
        ...plainNode({ kind: 'number', integer: type === 'integer' }, path),
        limits: limitsOf(schema, path, numberLimits),
      };
    case 'string':
      return { ...plainNode({ kind: 'string' }, path), limits: limitsOf(schema, path, stringLimits) };
    case 'array':
      return readList(schema, path, read);
    default:
      return readObject(schema, path, read);
  }
}

function readList(schema: JsonObject, path: string, read: ReadChild): Node {
  const items = schema['items'] as JsonSchema | readonly JsonSchema[] | undefined;
  const places = Array.isArray(items) ? 'items' : 'prefixItems';
  const first = list(Array.isArray(items) ? items : schema['prefixItems']).map((item, index) =>
    read(item, `${path}/${places}/${index}`),
  );
  const restKey = Array.isArray(items) ? 'additionalItems' : 'items';
  const restSchema = schema[restKey] as JsonSchema | undefined;
  let rest = restSchema === undefined ? undefined : read(restSchema, `${path}/${restKey}`);
  if (Number(schema['maxItems']) <= first.length) rest = plainNode(neverForm, path);
  if (schema['unevaluatedItems'] === false && rest === undefined) rest = plainNode(neverForm, path);
  const limits = limitsOf(schema, path, listLimits);
  if (first.length > 0) limits.push({ keyword: places, value: 'tuple', path, said: true });
  if (Array.isArray(items) && restSchema !== undefined)
    limits.push({ keyword: restKey, value: restSchema as JsonValue, path, said: true });
  return { form: { kind: 'list', first, rest }, path, notes: {}, limits };
}

function readObject(schema: JsonObject, path: string, read: ReadChild): Node {
  const required = new Set(list<string>(schema['required']));
  const members = new Map<string, Member>();
  for (const [name, child] of Object.entries((schema['properties'] ?? {}) as JsonObject)) {
    const node = read(child as JsonSchema, `${path}/properties/${escapeKey(name)}`);
    members.set(name, { node, required: required.has(name) });
  }
  const limits = limitsOf(schema, path, objectLimits);
  const rest = schema['additionalProperties'] as JsonSchema | undefined;
  const patterns = Object.entries((schema['patternProperties'] ?? {}) as JsonObject);
  const other = rest === undefined ? undefined : read(rest, `${path}/additionalProperties`);
  let node = other;
  if (patterns.length > 0) {
    const branches = patterns.map(([pattern, child]) =>
      read(child as JsonSchema, `${path}/patternProperties/${escapeKey(pattern)}`),
    );
    if (other && other.form.kind !== 'never') branches.push(other);
    limits.push({ keyword: 'patternProperties', value: schema['patternProperties'] as JsonValue, path });
    node = branches.length === 1 ? branches[0] : plainNode({ kind: 'union', branches }, path);
  }
  // A name that is only required is one of the others: each of a record's keys, as Zod writes a full record.
  const unlisted = patterns.length > 0 && other === undefined ? undefined : node;
  for (const name of required)
    if (!members.has(name)) members.set(name, { node: unlisted ?? plainNode(anyForm, path), required: true });
  const names = schema['propertyNames'] as JsonSchema | undefined;
  if (node !== undefined && namesIn(names)?.every((name) => members.has(name)))
    node = plainNode(neverForm, path);
  if (schema['unevaluatedProperties'] === false && node === undefined && !composed(schema))
    node = plainNode(neverForm, path);
  if (Number(schema['maxProperties']) === 0 && members.size === 0) node = plainNode(neverForm, path);
  return {
    form: {
      kind: 'object',
      members,
      rest: node,
      listed: schema['properties'] !== undefined || members.size > 0,
      names: names === undefined ? undefined : read(names, `${path}/propertyNames`),
    },
    path,
    notes: {},
    limits,
  };
}

/** The types that a schema names; where it names none, those that its keywords only make sense for. */
export function typesOf(schema: JsonObject): readonly string[] {
  const type = schema['type'];
  if (typeof type === 'string') return [type];
  if (Array.isArray(type)) return [...new Set(type as readonly string[])];
  for (const [name, keywords] of implied) if (keywords.some((keyword) => keyword in schema)) return [name];
  return [];
}

const implied: readonly (readonly [string, readonly string[]])[] = [
  ['object', ['properties', 'required', 'additionalProperties', 'patternProperties', ...objectLimits]],
  ['array', ['items', 'prefixItems', 'additionalItems', ...listLimits]],
  ['string', stringLimits.filter((keyword) => keyword !== 'format')],
  ['number', numberLimits.filter((keyword) => keyword !== 'format')],
];

/** The only names that an object's members may have, where they are listed. */
function namesIn(names: JsonSchema | undefined): readonly string[] | undefined {
  const values = isJsonObject(names) ? names['enum'] : undefined;
  return Array.isArray(values) ? (values as readonly string[]) : undefined;
}

function composed(schema: JsonObject): boolean {
  return ['allOf', 'anyOf', 'oneOf', '$ref', 'if', 'dependentSchemas'].some((keyword) => keyword in schema);
}

function list<Item = JsonSchema>(value: unknown): readonly Item[] {
  return Array.isArray(value) ? (value as readonly Item[]) : [];
}
