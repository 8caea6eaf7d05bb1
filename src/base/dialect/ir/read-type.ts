import { isJsonObject } from '../../json/value.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { anyForm, neverForm, noLimits, plainNode } from './ir.ts';
import type { Form, Limit, Member, Node, Notes } from './ir.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { kind } from './keyword-kinds.ts';
import { limitsOf, listLimits, numberLimits, objectLimits, stringLimits } from './limits.ts';
import { escapeKey } from '../../schema/subschemas.ts';

/** Where a schema is, what it says to a reader, the kinds of its keywords, and how those inside it are read. */
export interface SchemaPlace {
  readonly path: string;
  readonly notes: Notes;
  readonly kinds: number;
  readonly read: (schema: JsonSchema, path: string) => Node;
}

/** What a schema says of values of one type. */
export function readType(type: string, schema: JsonObject, place: SchemaPlace): Node {
  switch (type) {
    case 'null':
    case 'boolean':
      return nodeAt(place, { kind: type }, noLimits);
    case 'integer':
      return nodeAt(place, integerForm, limitsAt(place, schema, numberLimits));
    case 'number':
      return nodeAt(place, numberForm, limitsAt(place, schema, numberLimits));
    case 'string':
      return nodeAt(place, stringForm, limitsAt(place, schema, stringLimits));
    case 'array':
      return readList(schema, place);
    default:
      return readObject(schema, place);
  }
}

const integerForm: Form = { kind: 'number', integer: true };
const numberForm: Form = { kind: 'number', integer: false };
const stringForm: Form = { kind: 'string' };

function nodeAt({ path, notes }: SchemaPlace, form: Form, limits: readonly Limit[]): Node {
  return { form, path, notes, limits };
}

function limitsAt(
  { path, kinds }: SchemaPlace,
  schema: JsonObject,
  keywords: readonly string[],
): readonly Limit[] {
  return kinds & kind.limit ? limitsOf(schema, path, keywords) : noLimits;
}

function readList(schema: JsonObject, place: SchemaPlace): Node {
  const { path, read } = place;
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
  const limits = limitsAt(place, schema, listLimits);
  const form: Form = { kind: 'list', first, rest };
  if (first.length === 0 && !Array.isArray(items)) return nodeAt(place, form, limits);
  const more = [...limits];
  if (first.length > 0) more.push({ keyword: places, value: 'tuple', path, said: true });
  if (Array.isArray(items) && restSchema !== undefined)
    more.push({ keyword: restKey, value: restSchema as JsonValue, path, said: true });
  return nodeAt(place, form, more);
}

function readObject(schema: JsonObject, place: SchemaPlace): Node {
  const { path, read } = place;
  const required = list<string>(schema['required']);
  const isRequired = among(required);
  const members = new Map<string, Member>();
  const properties = (schema['properties'] ?? {}) as JsonObject;
  const inside = `${path}/properties/`;
  for (const name in properties) {
    const node = read(properties[name] as JsonSchema, inside + escapeKey(name));
    members.set(name, { node, required: isRequired(name) });
  }
  let limits = limitsAt(place, schema, objectLimits);
  const rest = schema['additionalProperties'] as JsonSchema | undefined;
  const patterns = Object.entries((schema['patternProperties'] ?? {}) as JsonObject);
  const other = rest === undefined ? undefined : read(rest, `${path}/additionalProperties`);
  let node = other;
  if (patterns.length > 0) {
    const branches = patterns.map(([pattern, child]) =>
      read(child as JsonSchema, `${path}/patternProperties/${escapeKey(pattern)}`),
    );
    if (other && other.form.kind !== 'never') branches.push(other);
    const value = schema['patternProperties'] as JsonValue;
    limits = [...limits, { keyword: 'patternProperties', value, path }];
    node = branches.length === 1 ? branches[0] : plainNode({ kind: 'union', branches }, path);
  }
  // A name that is only required is one of the others: each of a record's keys, as Zod writes a full record.
  const unlisted = patterns.length > 0 && other === undefined ? undefined : node;
  for (const name of required)
    if (!members.has(name)) members.set(name, { node: unlisted ?? plainNode(anyForm, path), required: true });
  for (const member of members.values())
    if (member.required && member.node.form.kind === 'never') return nodeAt(place, neverForm, limits);
  const names = schema['propertyNames'] as JsonSchema | undefined;
  if (node !== undefined && namesIn(names)?.every((name) => members.has(name)))
    node = plainNode(neverForm, path);
  if (schema['unevaluatedProperties'] === false && node === undefined && !composed(schema))
    node = plainNode(neverForm, path);
  if (Number(schema['maxProperties']) === 0 && members.size === 0) node = plainNode(neverForm, path);
  const form: Form = {
    kind: 'object',
    members,
    rest: node,
    listed: schema['properties'] !== undefined || members.size > 0,
    names: names === undefined ? undefined : read(names, `${path}/propertyNames`),
  };
  return nodeAt(place, form, limits);
}

/** The types that a schema names; where it names none, those that its keywords only make sense for. */
export function typesOf(schema: JsonObject, kinds: number): string | readonly string[] {
  const type = schema['type'];
  if (typeof type === 'string') return type;
  if (Array.isArray(type)) {
    const types = [...new Set(type as readonly string[])];
    return types.length === 1 ? (types[0] as string) : types;
  }
  if ((kinds & (kind.limit | kind.member | kind.item)) === 0) return [];
  for (const [name, keywords] of implied) if (keywords.some((keyword) => keyword in schema)) return name;
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

/** A few names are looked through faster than a set of them is made. */
function among(names: readonly string[]): (name: string) => boolean {
  if (names.length <= 16) return (name) => names.includes(name);
  const set = new Set(names);
  return (name) => set.has(name);
}

function list<Item = JsonSchema>(value: unknown): readonly Item[] {
  return Array.isArray(value) ? (value as readonly Item[]) : [];
}
