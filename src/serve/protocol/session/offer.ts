import { isJsonObject, type JsonObject, type JsonValue } from '../../../base/json/value.ts';
import type { Task, ToolOffer } from '../../../grade/scenario/task.ts';
import { plainSchema, readInput } from './plain-schema.ts';
import { pythonName } from './python-name.ts';

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

/** What TRL's environments have of their own: a tool of that name would take its place, or be hidden by it. */
const ownNames = ['reset', 'reward', 'rewards', 'get_reward', 'metadata', 'finished', 'last_output'];

const books = new WeakMap<Task, ActionBook>();

/** The book of a task, which is written once: each step asks for it. */
export function actionBook(task: Task): ActionBook {
  let book = books.get(task);
  if (book === undefined) books.set(task, (book = writeBook(task)));
  return book;
}

/**
 * The tools of a task for clients that keep only names which are Python identifiers, cannot follow references, and
 * lose what enumerations say: so that is written out in the descriptions, and schemas are made plain.
 */
function writeBook(task: Task): ActionBook {
  const taken = new Set([sayOffer.name, finishOffer.name, ...ownNames]);
  const entries = task.tools.map((tool) => {
    const name = pythonName(tool.id, taken, 'tool');
    taken.add(name);
    return { tool, name, schema: schemaOf(tool) };
  });
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  return {
    offers: [
      sayOffer,
      ...entries.map(({ tool, name, schema }) => {
        const plain = plainSchema(schema);
        return { name, description: describe(tool, plain), input_schema: plain };
      }),
      finishOffer,
    ],
    callOf: (name, input) => {
      const entry = byName.get(name);
      return entry && { name: entry.tool.id, input: readInput(entry.schema, input) };
    },
  };
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
