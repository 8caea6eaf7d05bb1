import { seededRandom } from '../../base/host/random.ts';
import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import { isJsonObject } from '../../base/json/value.ts';
import { messagesOf as pathMessages } from '../scenario/paths.ts';
import type { PathTurn, Task } from '../scenario/task.ts';
import type { Observation, TurnMessage } from '../scenario/transcript.ts';

/** An operator without a model: what it does in a turn, from the task and what it has seen. */
export interface Operator {
  readonly name: string;
  readonly description: string;
  /** The messages of the next turn (counted from 1), or nothing when it has no more to do. */
  readonly next: (task: Task, turn: number, seen: Observation) => readonly TurnMessage[] | undefined;
}

/** Plays the scenario's own gold path. */
export const gold: Operator = {
  name: 'gold',
  description: 'plays the gold path of the scenario',
  next: (task, turn) => messagesOf(task.gold[turn - 1]),
};

/** Hears the person out as the gold path does, but decides without the last questions. */
export const careful: Operator = {
  name: 'careful',
  description: 'follows the gold path, but forgets one round of questions',
  next: (task, turn) => {
    // Where nobody is asked anything, on a page, the last step before the end is what is forgotten.
    const asking =
      task.page === undefined
        ? task.gold.findLastIndex((step) => (step.calls ?? []).length === 0)
        : task.gold.length - 2;
    const path = task.gold.filter((_, index) => index !== asking || task.gold.length < 3);
    return messagesOf(path[turn - 1]);
  },
};

/** Calls what the gold path calls, at once, without a question. */
export const hasty: Operator = {
  name: 'hasty',
  description: 'decides at the first turn, without a question',
  next: (task, turn) => {
    if (turn > 1) return undefined;
    const steps = task.page === undefined ? task.gold : task.gold.slice(-1);
    const calls = steps.flatMap((step) => step.calls ?? []);
    return messagesOf({ say: 'I have all I need. Here is my decision.', calls });
  },
};

/** Says and calls whatever comes: repeatable by the task's seed. */
export const random: Operator = {
  name: 'random',
  description: 'says and calls whatever comes to hand',
  next: (task, turn) => {
    const pick = seededRandom(task.reference.seed * 7919 + task.reference.variant * 104_729 + turn);
    const chosen = (list: readonly string[]) => list[Math.floor(pick() * list.length)] ?? '';
    const calls =
      task.tools.length > 0 && pick() < 0.4
        ? [task.tools[Math.floor(pick() * task.tools.length)]!].map((tool) => ({
            name: tool.id,
            input:
              tool.mode === 'options'
                ? { value: chosen(tool.options ?? []) }
                : anyInput(tool.json_schema, chosen),
          }))
        : [];
    if (turn > 8) return undefined;
    return messagesOf({ say: chosen(smallTalk), calls });
  },
};

export const operators: readonly Operator[] = [gold, careful, hasty, random];

const smallTalk = [
  'Hello there.',
  'How are you today?',
  'I see. Go on.',
  'What else is there?',
  'Thank you for telling me.',
  'Can you say more about that?',
  'The weather has been strange lately.',
  'When was that?',
];

function messagesOf(step: PathTurn | undefined): readonly TurnMessage[] | undefined {
  return step && pathMessages(step);
}

/** An input that the schema would take, without any thought. */
export function anyInput(schema: unknown, chosen: (list: readonly string[]) => string): JsonObject {
  const properties = isJsonObject(schema) && isJsonObject(schema['properties']) ? schema['properties'] : {};
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, anyValue(property, chosen)]),
  );
}

function anyValue(schema: JsonValue, chosen: (list: readonly string[]) => string): JsonValue {
  if (!isJsonObject(schema)) return 'something';
  if (Array.isArray(schema['enum'])) return chosen(schema['enum'].map(String));
  switch (schema['type']) {
    case 'number':
    case 'integer':
      return 1;
    case 'boolean':
      return true;
    case 'array':
      return [anyValue(schema['items'] ?? {}, chosen)];
    case 'object':
      return anyInput(schema, chosen);
    default:
      return 'something';
  }
}
