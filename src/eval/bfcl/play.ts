import { WhetstoneError } from '../../base/host/errors.ts';
import type { JsonObject } from '../../base/json/value.ts';
import { isJsonObject, type JsonValue } from '../../base/json/value.ts';
import { listOf, requireDict, requireText } from '../python/field.ts';
import { readJson, writeJson } from '../python/json.ts';
import type { PythonDict, PythonValue } from '../python/value.ts';
import type { PlayableBenchmark, TaskChoice } from '../seat/playable.ts';
import type { SpeakerTool, SpokenCall } from '../seat/speaker.ts';
import { jsonOf } from '../seat/tool-description.ts';
import { categories } from './category.ts';
import { openFolder } from './folder.ts';
import type { LanguageName } from './language.ts';
import { bfclGrader } from './open.ts';

/** Opens a category of the Berkeley function-calling leaderboard to be played: one reply to each question. */
export function openBfclTasks(folder: string, { part: category }: TaskChoice): PlayableBenchmark {
  const data = openFolder(folder);
  const known = categories[data.version];
  const kind = category === undefined ? undefined : known.get(category);
  if (category === undefined || kind === undefined)
    throw new WhetstoneError(
      'benchmark_data',
      `BFCL ${data.version} has the categories ${[...known.keys()].join(', ')}: "category" is ${category === undefined ? 'missing' : `"${category}"`}.`,
    );
  const asked = data.asked(category);
  const grade = bfclGrader(data);
  return {
    name: `bfcl-${data.version}/${category}`,
    tasks: [...asked.keys()],
    hasPerson: false,
    async play(name, { agent: seat }) {
      const record = asked.get(name)!;
      const { system, words } = promptOf(record.get('question'));
      const functions = record.get('function') ?? [];
      const tools = (Array.isArray(functions) ? functions : [functions]).map((each) =>
        toolOf(each, kind.language),
      );
      const agent = seat({ system, tools });
      const said = await agent.next({ words });
      agent.end?.();
      const line = writeJson(
        new Map<string, PythonValue>([
          ['id', name],
          ['task', name],
          ['underscore_for_dot', true],
          ['calls', callsOf(said?.calls ?? [])],
        ]),
      );
      const verdict = grade(line);
      return {
        reward: verdict.valid ? 1 : 0,
        reasons: verdict.valid ? [] : [`${verdict.error_type}: ${verdict.reasons.join(' ')}`],
        turns: 1,
        ended: 'answered',
        line,
      };
    },
  };
}

/** What no call could be read from is `null`, as it is to the official checker. */
function callsOf(calls: readonly SpokenCall[]): PythonValue {
  if (calls.length === 0) return null;
  try {
    return calls.map(
      (call): PythonDict =>
        new Map<string, PythonValue>([
          ['name', call.name],
          ['arguments', requireDict(readJson(call.arguments === '' ? '{}' : call.arguments), 'arguments')],
        ]),
    );
  } catch {
    return null;
  }
}

/** Of 2024-08 a text; of v4 the turns, each a list of messages. */
function promptOf(question: PythonValue | undefined): { readonly system: string; readonly words: string } {
  if (typeof question === 'string') return { system: '', words: question };
  const messages = listOf(question, 'question')
    .flatMap((turn) => (Array.isArray(turn) ? turn : [turn]))
    .map((message) => requireDict(message, 'question[0]'));
  const said = (isSystem: boolean) =>
    messages
      .filter((message) => (message.get('role') === 'system') === isSystem)
      .map((message) => requireText(message.get('content'), 'question[0].content'))
      .join('\n\n');
  return { system: said(true), words: said(false) };
}

/** A function as a provider takes it. Names have `_` for `.`, which not every provider takes in a name. */
function toolOf(value: PythonValue, language: LanguageName): SpeakerTool {
  const written = requireDict(value, 'function');
  const parameters = jsonOf(requireDict(written.get('parameters'), 'function.parameters')) as JsonObject;
  return {
    name: requireText(written.get('name'), 'function.name').replaceAll('.', '_'),
    description: requireText(written.get('description'), 'function.description'),
    input: {
      ...(schemaOf(parameters) as JsonObject),
      ...(language !== 'python' && {
        properties: textProperties(parameters['properties'], language),
      }),
    },
  };
}

const types: Readonly<Record<string, string>> = { dict: 'object', float: 'number', tuple: 'array' };
const known = new Set(['object', 'number', 'array', 'integer', 'string', 'boolean', 'null']);

/** A schema in Python's words as JSON Schema; a type that is none, such as `any`, is left out. */
function schemaOf(schema: JsonValue): JsonValue {
  if (!isJsonObject(schema)) return schema;
  const { type, properties, items, ...rest } = schema;
  const name = typeof type === 'string' ? (types[type] ?? type) : undefined;
  return {
    ...plainKeywords(rest),
    ...(name !== undefined && known.has(name) && { type: name }),
    ...(isJsonObject(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([each, property]) => [each, schemaOf(property)]),
      ),
    }),
    ...(items !== undefined && { items: schemaOf(items) }),
  };
}

/** Whatever else stands in a schema may be of no kind that JSON Schema knows: only what models need is kept. */
function plainKeywords({ description, required, enum: values, default: usual }: JsonObject): JsonObject {
  return {
    ...(typeof description === 'string' && { description }),
    ...(Array.isArray(required) && { required }),
    ...(Array.isArray(values) && { enum: values }),
    ...(usual !== undefined && { default: usual }),
  };
}

/** The values of Java and JavaScript are written as text, in the language's own form. */
function textProperties(properties: JsonValue | undefined, language: LanguageName): JsonObject {
  if (!isJsonObject(properties)) return {};
  const title = language === 'java' ? 'Java' : 'JavaScript';
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => {
      const { description = '', type = 'any' } = isJsonObject(property) ? property : {};
      const form = `Write the ${title} value (${String(type)}) as text.`;
      return [name, { type: 'string', description: `${String(description)} ${form}`.trim() }];
    }),
  );
}
