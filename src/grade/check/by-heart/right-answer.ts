import { canonicalJson } from '../../../base/json/canonical.ts';
import type { JsonObject, JsonValue } from '../../../base/json/value.ts';
import { isJsonObject } from '../../../base/json/value.ts';
import type { ExpectedCall, FieldMatch, Task, ToolOffer } from '../../scenario/task.ts';
import { readPath } from '../../scenario/world-path.ts';

/**
 * What is right in a task, as one text: two tasks with the same text have the same answer. A value that the operator is
 * told word for word and only passes on, such as the number of an order, counts as present, whatever it is.
 */
export function rightAnswer(task: Task, briefing: string): string {
  const told = toldIn(task, briefing);
  return canonicalJson(
    task.expected
      .filter((expected) => expected.required)
      .map((expected) => [expected.id, expected.call, inputOf(expected, task, told)]),
  );
}

/** The values of the decisions that are right, as one text; empty where there is nothing to decide. */
export function rightDecision(task: Task): string {
  const deciding = new Set(task.tools.filter(({ type }) => type === 'decision').map(({ id }) => id));
  return task.expected
    .filter(({ call, required }) => required && deciding.has(call))
    .map(({ input }) => JSON.stringify(input['value'] ?? null))
    .join(', ');
}

/**
 * All that the operator is told in words and that may differ: the opening without those lines of the briefing that are
 * the same in every variant, and the facts. A rule that names all choices hands on none of them.
 */
export function toldIn(task: Task, briefing: string): string {
  const same = new Set(briefing.split('\n').filter((line) => !line.includes('${')));
  const opening = task.opening.content.split('\n').filter((line) => !same.has(line));
  return [...opening, ...task.facts.map(({ says }) => says)].join('\n').toLowerCase();
}

/** Whether a value of a field is only handed on: a text that was told as it stands, and is not a choice of a list. */
export function isHandedOn(value: JsonValue, field: string, { tool, told }: Handing): boolean {
  if (typeof value !== 'string' || value === '' || tool === undefined || tool.mode === 'options')
    return false;
  const schema = readPath(tool.json_schema as JsonValue, `properties.${field}`);
  const chosen = isJsonObject(schema) && ('enum' in schema || 'const' in schema);
  return !chosen && told.includes(value.toLowerCase());
}

interface Handing {
  readonly tool: ToolOffer | undefined;
  readonly told: string;
}

/** Stands for what is handed on. */
export const handedOn = '\u0000handed on';

function inputOf(expected: ExpectedCall, task: Task, told: string): JsonObject {
  const tool = task.tools.find(({ id }) => id === expected.call);
  return Object.fromEntries(
    Object.entries(expected.input).map(([field, wanted]) => {
      const match = bare(wanted);
      return [field, isHandedOn(match, field, { tool, told }) ? handedOn : match];
    }),
  );
}

/** What a field is to be, without what only says how much it counts. */
function bare(wanted: FieldMatch): JsonValue {
  if (!isJsonObject(wanted)) return wanted;
  const { weight: _, after: __, required: ___, ...match } = wanted;
  return 'equal' in match ? (match['equal'] ?? null) : match;
}
