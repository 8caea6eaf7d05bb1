import { isJsonObject, type JsonObject, type JsonValue } from '../../../base/json/value.ts';
import type { Task, ToolOffer } from '../../../grade/scenario/task.ts';

/** A tool as trainers' clients are shown it: a function with one object as its input. */
export interface FunctionOffer {
  readonly name: string;
  readonly description: string;
  readonly input_schema: JsonObject;
}

/** What a client may do in a task where the only way to act is to call a tool. */
export interface ActionBook {
  readonly offers: readonly FunctionOffer[];
  /** The scenario's tool behind an offered name, and its input as the scenario knows it. */
  readonly callOf: (
    name: string,
    input: JsonValue,
  ) => { readonly name: string; readonly input: JsonValue } | undefined;
}

export const sayOffer: FunctionOffer = {
  name: 'say',
  description: 'Say something to the person. The result is what the person answers.',
  input_schema: {
    type: 'object',
    properties: { message: { type: 'string', description: 'What to say.' } },
    required: ['message'],
  },
};

export const finishOffer: FunctionOffer = {
  name: 'finish',
  description: 'End the task when everything is done. Nothing can be done after it.',
  input_schema: { type: 'object', properties: {} },
};

/**
 * The tools of a task for clients that keep only names which are Python identifiers, cannot follow references, and
 * lose what enumerations say: so that is written out in the descriptions, and schemas are made plain.
 */
export function actionBook(task: Task): ActionBook {
  const taken = new Set([sayOffer.name, finishOffer.name]);
  const entries = task.tools.map((tool) => {
    const name = pythonName(tool.id, taken);
    taken.add(name);
    return { tool, name, schema: schemaOf(tool) };
  });
  return {
    offers: [
      sayOffer,
      ...entries.map(({ tool, name, schema }) => ({
        name,
        description: describe(tool, schema),
        input_schema: plainSchema(schema, schema) as JsonObject,
      })),
      finishOffer,
    ],
    callOf: (name, input) => {
      const entry = entries.find((known) => known.name === name);
      return entry && { name: entry.tool.id, input: readInput(entry.schema, input) };
    },
  };
}

const pythonWords = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);

function pythonName(id: string, taken: ReadonlySet<string>): string {
  let name = id.replaceAll(/\W/g, '_');
  if (/^\d/.test(name) || name === '') name = `tool_${name}`;
  if (pythonWords.has(name)) name = `${name}_`;
  let unique = name;
  for (let count = 2; taken.has(unique); count += 1) unique = `${name}_${count}`;
  return unique;
}

function schemaOf(tool: ToolOffer): JsonObject {
  if (tool.mode === 'options')
    return {
      type: 'object',
      properties: {
        value: { type: 'string', enum: tool.options ?? [], description: 'The option to choose.' },
      },
      required: ['value'],
    };
  const { json_schema: schema } = tool;
  return isJsonObject(schema) ? schema : { type: 'object', properties: {} };
}

function describe(tool: ToolOffer, schema: JsonObject): string {
  const lines = [tool.description ?? tool.name];
  if (tool.mode === 'options') lines.push(`Choose value from: ${(tool.options ?? []).join(', ')}.`);
  else {
    const required = Array.isArray(schema['required']) ? schema['required'] : [];
    const fields = Object.entries(isJsonObject(schema['properties']) ? schema['properties'] : {}).map(
      ([name, field]) => `${name} (${wordsOf(field)}${required.includes(name) ? '' : ', optional'})`,
    );
    if (fields.length > 0) lines.push(`Fields: ${fields.join('; ')}.`);
  }
  return lines.join(' ');
}

function wordsOf(field: JsonValue): string {
  if (!isJsonObject(field)) return 'any value';
  if (Array.isArray(field['enum'])) return `one of ${field['enum'].map(String).join(', ')}`;
  const { type, items, format } = field;
  if (type === 'array') return `list of ${isJsonObject(items) ? wordsOf(items) : 'any value'}`;
  if (type === 'object' && isJsonObject(field['properties']))
    return `object with ${Object.entries(field['properties'])
      .map(([name, inner]) => `${name}: ${wordsOf(inner)}`)
      .join(', ')}`;
  return [typeof type === 'string' ? type : 'any value', typeof format === 'string' ? format : '']
    .filter((part) => part !== '')
    .join(', ');
}

/** Without references, alternatives and titles, which the clients' own conversions break on. */
function plainSchema(schema: JsonValue, root: JsonObject, depth = 0): JsonValue {
  if (!isJsonObject(schema) || depth > 20) return {};
  const reference = schema['$ref'];
  if (typeof reference === 'string') return plainSchema(targetOf(reference, root), root, depth + 1);
  for (const name of ['anyOf', 'oneOf']) {
    const choices = schema[name];
    if (!Array.isArray(choices)) continue;
    const real = choices.filter((choice) => !isJsonObject(choice) || choice['type'] !== 'null');
    const { [name]: _, ...rest } = schema;
    const only = real.length === 1 && isJsonObject(real[0]) ? real[0] : {};
    return plainSchema({ ...only, ...rest }, root, depth + 1);
  }
  const plain: Record<string, JsonValue> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (['title', '$defs', 'definitions', '$schema', '$id'].includes(keyword)) continue;
    if (keyword === 'properties' && isJsonObject(value))
      plain[keyword] = Object.fromEntries(
        Object.entries(value).map(([name, field]) => [fieldName(name), plainSchema(field, root, depth + 1)]),
      );
    else if (keyword === 'required' && Array.isArray(value))
      plain[keyword] = value.map((name) => fieldName(String(name)));
    else if (keyword === 'items') plain[keyword] = plainSchema(value, root, depth + 1);
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

/** A field that is named `title` is mistaken for the keyword. */
function fieldName(name: string): string {
  return name === 'title' ? 'title_' : name;
}

/** The way back: fields by their own names, and without the nulls that stand for what was left out. */
function readInput(schema: JsonValue, input: JsonValue): JsonValue {
  if (!isJsonObject(schema) || !isJsonObject(input)) return input;
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const read: [string, JsonValue][] = [];
  for (const [name, value] of Object.entries(input)) {
    const own = name === 'title_' && 'title' in properties && !('title_' in properties) ? 'title' : name;
    const field = properties[own];
    if (value === null && field !== undefined && !required.includes(own) && !allowsNull(field)) continue;
    read.push([own, field === undefined ? value : readInput(field, value)]);
  }
  return Object.fromEntries(read);
}

function allowsNull(schema: JsonValue): boolean {
  if (!isJsonObject(schema)) return true;
  const { type } = schema;
  if (type === 'null' || (Array.isArray(type) && type.includes('null'))) return true;
  if (Array.isArray(schema['enum']) && schema['enum'].includes(null)) return true;
  for (const name of ['anyOf', 'oneOf'])
    if (Array.isArray(schema[name])) return schema[name].some((choice) => allowsNull(choice));
  return false;
}
