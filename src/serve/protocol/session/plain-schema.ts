import { isJsonObject, type JsonObject, type JsonValue } from '../../../base/json/value.ts';
import { pythonName } from './python-name.ts';

/**
 * A schema without references, alternatives and titles, which the clients' own conversions break on, and with one type
 * in each place, since some adapters keep nothing else.
 */
export function plainSchema(root: JsonObject): JsonObject {
  return plainAt({ schema: root, root, within: [], isInput: true });
}

/** The way back: fields by their own names, and without the nulls that represent what was left out. */
export function readInput(root: JsonObject, input: JsonValue): JsonValue {
  return readAt({ schema: root, root, within: [], isInput: true }, input);
}

/** A place in a schema, and the references that lead to it: one that leads to itself says nothing more. */
interface Place {
  readonly schema: JsonValue;
  readonly root: JsonObject;
  readonly within: readonly string[];
  /** It is the input itself: its fields are parameters of a function. */
  readonly isInput?: boolean;
}

interface Settled {
  readonly schema: JsonObject;
  readonly within: readonly string[];
}

function plainAt(place: Place): JsonObject {
  const { schema, within } = settle(place);
  const below = (child: JsonValue): JsonObject => plainAt({ schema: child, root: place.root, within });
  const names = namesOf(schema, place.isInput);
  const plain: Record<string, JsonValue> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (['title', '$defs', 'definitions', '$schema', '$id'].includes(keyword)) continue;
    if (keyword === 'properties' && isJsonObject(value))
      plain[keyword] = Object.fromEntries(
        Object.entries(value).map(([name, field]) => [names.get(name) ?? name, below(field)]),
      );
    else if (keyword === 'required' && Array.isArray(value))
      plain[keyword] = value.map((name) => names.get(String(name)) ?? name);
    else if (keyword === 'items' || (keyword === 'additionalProperties' && isJsonObject(value)))
      plain[keyword] = below(value);
    else if (keyword === 'prefixItems' && Array.isArray(value)) plain[keyword] = value.map(below);
    else plain[keyword] = value;
  }
  if (
    plain['type'] === undefined &&
    Array.isArray(plain['enum']) &&
    plain['enum'].every((one) => typeof one === 'string')
  )
    plain['type'] = 'string';
  return plain;
}

/** What is said in one place: references followed, parts put together, and of two forms of which one is null the other. */
function settle({ schema, root, within }: Place): Settled {
  if (!isJsonObject(schema)) return { schema: {}, within };
  const { $ref: reference, allOf, anyOf, oneOf, ...own } = schema;
  const parts: JsonValue[] = [];
  let followed = within;
  if (typeof reference === 'string' && !within.includes(reference)) {
    followed = [...within, reference];
    parts.push(targetOf(reference, root));
  }
  if (Array.isArray(allOf)) parts.push(...allOf);
  for (const choices of [anyOf, oneOf]) {
    if (!Array.isArray(choices)) continue;
    const real = choices.filter((choice) => !isJsonObject(choice) || choice['type'] !== 'null');
    if (real.length === 1) parts.push(...real);
  }
  let whole: JsonObject = {};
  for (const part of parts) {
    const settled = settle({ schema: part, root, within: followed });
    followed = settled.within;
    whole = together(whole, settled.schema);
  }
  return { schema: together(whole, withOneType(own)), within: followed };
}

function withOneType(schema: JsonObject): JsonObject {
  const { type, enum: values } = schema;
  if (!Array.isArray(type) || !type.includes('null')) return schema;
  const real = type.filter((name) => name !== 'null');
  return {
    ...schema,
    ...(real.length === 1 && { type: real[0] as string }),
    ...(Array.isArray(values) && { enum: values.filter((value) => value !== null) }),
  };
}

/** Both in one; where they differ, the second is nearer to its place. */
function together(one: JsonObject, other: JsonObject): JsonObject {
  const { properties, required } = one;
  const { properties: more, required: others } = other;
  return {
    ...one,
    ...other,
    ...(isJsonObject(properties) && isJsonObject(more) && { properties: { ...properties, ...more } }),
    ...(Array.isArray(required) &&
      Array.isArray(others) && { required: [...new Set([...required, ...others])] }),
  };
}

function targetOf(reference: string, root: JsonObject): JsonValue {
  let place: JsonValue | undefined = root;
  for (const part of reference
    .replace(/^#\/?/, '')
    .split('/')
    .filter((name) => name !== '')) {
    const name = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    place = isJsonObject(place) ? place[name] : undefined;
  }
  return place ?? {};
}

/** Names of fields that the clients' conversions take for keywords, wherever they are. */
const keywords = new Set(
  'title default examples example not additionalProperties additional_properties patternProperties oneOf allOf anyOf'.split(
    ' ',
  ),
);

/** What the fields of an object are called where that is not their own name. */
function namesOf({ properties }: JsonObject, isInput = false): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  if (!isJsonObject(properties)) return names;
  const taken = new Set([...Object.keys(properties), 'self']);
  for (const own of Object.keys(properties)) {
    const written = keywords.has(own) ? `${own}_` : own;
    const others = new Set(taken);
    if (own !== 'self') others.delete(own);
    const name = isInput || written !== own ? pythonName(written, others, 'field') : own;
    if (name === own) continue;
    names.set(own, name);
    taken.add(name);
  }
  return names;
}

function readAt(place: Place, input: JsonValue): JsonValue {
  const { schema, within } = settle(place);
  const below = (child: JsonValue): Place => ({ schema: child, root: place.root, within });
  if (Array.isArray(input)) {
    const { items = {}, prefixItems } = schema;
    const first = Array.isArray(prefixItems) ? prefixItems : [];
    return input.map((item, index) => readAt(below(first[index] ?? items), item));
  }
  if (!isJsonObject(input)) return input;
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const owns = new Map([...namesOf(schema, place.isInput)].map(([own, name]) => [name, own]));
  const read: [string, JsonValue][] = [];
  for (const [name, value] of Object.entries(input)) {
    const own = owns.get(name) ?? name;
    const field = properties[own];
    if (value === null && field !== undefined && !required.includes(own) && !allowsNull(below(field)))
      continue;
    read.push([own, readAt(below(field ?? schema['additionalProperties'] ?? {}), value)]);
  }
  return Object.fromEntries(read);
}

function allowsNull({ schema, root, within }: Place): boolean {
  if (!isJsonObject(schema)) return true;
  const { type, enum: values, $ref: reference } = schema;
  if (type === 'null' || (Array.isArray(type) && type.includes('null'))) return true;
  if (Array.isArray(values) && values.includes(null)) return true;
  for (const name of ['anyOf', 'oneOf'])
    if (Array.isArray(schema[name]))
      return schema[name].some((choice) => allowsNull({ schema: choice, root, within }));
  return (
    typeof reference === 'string' &&
    !within.includes(reference) &&
    allowsNull({ schema: targetOf(reference, root), root, within: [...within, reference] })
  );
}
