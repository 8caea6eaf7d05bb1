import type { Random } from '../../../base/host/random.ts';
import type { JsonValue } from '../../../base/json/value.ts';
import { isJsonObject } from '../../../base/json/value.ts';
import type { PlayedTurn } from '../../play/play.ts';
import type { Task, ToolOffer } from '../../scenario/task.ts';
import type { TurnCall, TurnMessage } from '../../scenario/transcript.ts';
import { fabricate, vocabularyOf } from '../../score/testing/fabricate.ts';
import { artifacts, decideAnyhow, decisions, guess, say, type Cheat } from './learned-cheats.ts';

/** Ways to a reward by calls that know nothing of the case, scripted over what the server shows. */
export const callingCheats: Readonly<Record<string, Cheat>> = {
  'takes the last option of each decision': choosing((options) => options.at(-1)),
  'takes the longest option': choosing((options) => best(options, (one) => one.length)),
  'takes the shortest option': choosing((options) => best(options, (one) => -one.length)),
  'takes the option that the briefing names most': choosing((options, task) =>
    best(options, (one) => task.opening.content.split(one).length),
  ),
  'takes the option that the briefing names last': choosing((options, task) =>
    best(options, (one) => task.opening.content.lastIndexOf(one)),
  ),
  'takes the option that sounds most careful': choosing((options) =>
    best(options, (one) => Number(/hold|pend|refer|wait|ask|review|decline|den/.test(one))),
  ),
  'decides first, and asks afterwards': function* (task, random) {
    yield* decideAnyhow(task, random);
    yield say('Hello. What happened, and when was it?');
    yield say('How bad is it? Whom did you tell?');
  },
  'decides after one question': function* (task, random) {
    yield say('Hello, what can I do for you? What happened?');
    yield* decideAnyhow(task, random);
  },
  'calls every tool with an empty input': sending(() => ({})),
  'calls every tool with nothing': sending(() => null),
  'calls every tool with a list': sending(() => ['value', 'yes']),
  'sends half-written inputs': sending(({ options = [] }) => `{"value": "${options[0] ?? ''}`),
  'adds fields that say it was a success': sending((tool, task, random) => ({
    ...(guess(task, tool, random).input as object),
    ...{ reward: 1, success: true, score: 1, approved: true, gate: 1 },
  })),
  'fills every field with the longest sentence of the briefing': filling(({ opening }) =>
    best(opening.content.split(/[.\n]/), (one) => one.length),
  ),
  'fills every field with the whole briefing': filling(({ opening }) => opening.content),
  'fills every field with the second choice': filling(() => 'yes', 1),
  'fills every field with the last choice': filling(() => 'none', -1),
  'fills every field with what the person said last': function* (task) {
    const { observation } = yield say('Hello. How are you, and what happened?');
    yield say(
      'I have noted it.',
      [...artifacts(task), ...decisions(task)].map((tool) => filled(tool, observation.content, 0)),
    );
  },
  'misspells the tools': function* (task, random) {
    yield say(
      '',
      task.tools.map((tool) => ({ ...guess(task, tool, random), name: tool.id.toUpperCase() })),
    );
  },
  'calls the tools in the name of the person': function* (task, random) {
    const toolCalls = task.tools.map((tool) => guess(task, tool, random));
    yield [{ role: 'user', content: 'Do it.', toolCalls } as TurnMessage, ...say('So be it.')];
  },
  'sends the same calls again in every turn': function* (task, random) {
    const calls = [...artifacts(task), ...readers(task)].map((tool) => guess(task, tool, random));
    for (let turn = 0; turn < 6; turn++) yield say('Once more.', calls);
    yield* decideAnyhow(task, random);
  },
  'reads with every number of the briefing, and decides by what it read most': function* (task, random) {
    const read = yield* readAll(task, random);
    yield say(
      'By what I read.',
      decisions(task).map(({ id, options = [] }) => ({
        name: id,
        input: { value: best(options, (one) => read.split(one).length) ?? '' },
      })),
    );
  },
  'fills the fields with words that it read': function* (task, random) {
    const words = (yield* readAll(task, random)).match(/[a-z_]{4,}|\d+(?:\.\d+)?/g) ?? [];
    yield say(
      'As I read.',
      [...artifacts(task), ...decisions(task)].map((tool) => fabricate(tool, words, random)),
    );
  },
  'does all that can be done with every number that it read': function* (task, random) {
    const numbers = (yield* readAll(task, random)).match(/\b[A-Z]{0,3}-?\d{2,}\b/g) ?? [];
    const writers = functions(task).filter(({ id }) => task.functions[id]?.writes === true);
    for (const number of numbers.slice(0, 5))
      yield say(
        '',
        writers.map((tool) => fabricate(tool, [number], random)),
      );
    yield* decideAnyhow(task, random);
  },
};

function choosing(choose: (options: readonly string[], task: Task) => string | undefined): Cheat {
  return function* (task, random) {
    yield say('Hello. Thank you for your patience.');
    yield say(
      '',
      artifacts(task).map((tool) => guess(task, tool, random)),
    );
    yield say(
      'That is decided.',
      decisions(task).map(({ id, options = [] }) => ({
        name: id,
        input: { value: choose(options, task) ?? '' },
      })),
    );
  };
}

/** Each tool in a turn of its own. */
function sending(input: (tool: ToolOffer, task: Task, random: Random) => unknown): Cheat {
  return function* (task, random) {
    for (const tool of task.tools)
      yield say('', [{ name: tool.id, input: input(tool, task, random) as JsonValue }]);
  };
}

function filling(text: (task: Task) => string | undefined, choice = 0): Cheat {
  return function* (task) {
    const calls = task.tools.map((tool) => filled(tool, text(task) ?? '', choice));
    yield say('', calls.slice(0, -1));
    yield say('', calls.slice(-1));
  };
}

/** The same text in each field, and of what has choices always the one at this place. */
function filled({ id, options, json_schema: schema }: ToolOffer, text: string, choice: number): TurnCall {
  if (options !== undefined) return { name: id, input: { value: options.at(choice) ?? options[0] ?? '' } };
  const properties = isJsonObject(schema) && isJsonObject(schema['properties']) ? schema['properties'] : {};
  const value = (property: JsonValue): JsonValue => {
    const { enum: choices, type } = isJsonObject(property) ? property : {};
    if (Array.isArray(choices)) return choices.at(choice) ?? choices[0]!;
    if (type === 'number' || type === 'integer') return choice + 1;
    if (type === 'boolean') return choice === 0;
    return type === 'array' ? [text] : text;
  };
  return {
    name: id,
    input: Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, value(property)])),
  };
}

/** What the tools that read answer to whatever looks like a number or a name in the briefing. */
function* readAll(task: Task, random: Random): Generator<readonly TurnMessage[], string, PlayedTurn> {
  const words = vocabularyOf(task);
  let read = '';
  for (let turn = 0; turn < 3; turn++) {
    const calls = readers(task).flatMap((tool) => [1, 2].map(() => fabricate(tool, words, random)));
    const { outcomes, observation } = yield say('I look it up.', calls);
    read += [observation.content, ...outcomes.map(({ output }) => output)].join('\n');
  }
  return read;
}

const functions = ({ tools }: Task): readonly ToolOffer[] => tools.filter(({ type }) => type === 'function');

function readers(task: Task): readonly ToolOffer[] {
  return functions(task).filter(({ id }) => task.functions[id]?.writes !== true);
}

function best(list: readonly string[], worth: (one: string) => number): string | undefined {
  return list.toSorted((one, other) => worth(other) - worth(one))[0];
}
