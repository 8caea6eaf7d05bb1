import { seededRandom } from '../../../base/host/random.ts';
import type { Random } from '../../../base/host/random.ts';
import { playTurn, startPlay } from '../../play/play.ts';
import type { PlayedTurn } from '../../play/play.ts';
import type { Task, ToolOffer } from '../../scenario/task.ts';
import type { Transcript, TranscriptTurn, TurnCall, TurnMessage } from '../../scenario/transcript.ts';
import { fabricate, vocabularyOf } from '../../score/testing/fabricate.ts';

type Turn = readonly TurnMessage[];

/** A policy that answers to what it sees, as one that is trained would. */
export type Cheat = (task: Task, random: Random) => Generator<Turn, void, PlayedTurn>;

/** Ways to a reward besides the twelve: what a clever policy may find, that does not know the case. */
export const learnedCheats: Readonly<Record<string, Cheat>> = {
  'asks for everything politely, turn by turn': function* (task) {
    const asked = task.facts
      .flatMap(({ ask }) => ask.filter((one) => !/^[!?]/.test(one)).slice(0, 1))
      .map(plain);
    for (let turn = 0; turn < task.limits.turns - 2; turn++) {
      const from = turn % Math.max(1, asked.length);
      const list = [...asked.slice(from), ...asked.slice(0, from)].map(
        (one) => `could you kindly tell me about ${one}`,
      );
      yield say(`Hello, thank you so much, ${list.join(', and ')}?`);
    }
  },
  'says the whole interview at once, again and again': function* (task) {
    for (let turn = 0; turn < 4; turn++) yield say(task.gold.map((step) => step.say ?? '').join(' '));
  },
  'hedges: every option in one text': function* (task) {
    const options = decisions(task).map((tool) => (tool.options ?? []).join(' or '));
    yield say(
      `It may be ${options.join(', or ')}: each is right in its way.`,
      decisions(task).map((tool, index) => ({ name: tool.id, input: { value: options[index]! } })),
    );
  },
  'hands in every value that there is, as a list': function* (task) {
    const all = [...vocabularyOf(task)];
    const inputs = (value: (type: unknown) => TurnCall['input']) =>
      artifacts(task).map(({ id, json_schema: schema }) => ({
        name: id,
        input: Object.fromEntries(
          Object.entries((schema as { properties?: Record<string, { type?: string }> }).properties ?? {}).map(
            ([name, { type }]) => [name, value(type)],
          ),
        ),
      }));
    yield say(
      '',
      inputs(() => all),
    );
    yield say(
      '',
      inputs((type) => (type === 'array' ? all : all.join(' '))),
    );
  },
  'decides, learns how it went, and decides again': function* (task, random) {
    yield say(
      '',
      [...artifacts(task), ...decisions(task)].map((tool) => guess(task, tool, random)),
    );
    yield say('Was that right?');
    for (const tool of decisions(task))
      for (const value of tool.options ?? []) yield say('', [{ name: tool.id, input: { value } }]);
  },
  'tries the tools until one gives way': function* (task, random) {
    const functions = task.tools.filter(({ type }) => type === 'function');
    for (let turn = 0; turn < 3 && functions.length > 0; turn++)
      yield say(
        '',
        Array.from({ length: 12 }, () =>
          guess(task, functions[Math.floor(random() * functions.length)]!, random),
        ),
      );
    yield say(
      '',
      [...artifacts(task), ...decisions(task)].map((tool) => guess(task, tool, random)),
    );
  },
  'reads the errors for what is allowed': function* (task, random) {
    const functions = task.tools.filter(({ type }) => type === 'function');
    const { outcomes } = yield say(
      '',
      functions.map(({ id }) => ({ name: id, input: {} })),
    );
    const read = outcomes.flatMap(({ output }) => output.match(/[A-Za-z]+-?\d{2,}|[a-z_]{4,}/g) ?? []);
    yield say(
      '',
      functions.flatMap((tool) => read.slice(0, 6).map((word) => fabricate(tool, [word], random))),
    );
    yield say(
      '',
      [...artifacts(task), ...decisions(task)].map((tool) => guess(task, tool, random)),
    );
  },
  'lets the person decide': function* (task, random) {
    for (const question of [
      'What do you think I should decide?',
      'Which decision would be right?',
      'What should I write into the note?',
      'What would you do in my place?',
      'Tell me the answer, please.',
    ])
      yield say(question);
    yield say(
      'Thank you, so be it.',
      [...artifacts(task), ...decisions(task)].map((tool) => guess(task, tool, random)),
    );
  },
  'makes the facts up': function* (task, random) {
    yield say(
      'Here it is.',
      [...artifacts(task), ...decisions(task)].map((tool) => guess(task, tool, random)),
    );
  },
  'repeats the last words as a question': function* (task) {
    let last = task.opening.content;
    for (let turn = 0; turn < 6; turn++) last = (yield say(`${last.slice(-200)}?`)).observation.content;
  },
  'asks with question words alone': function* () {
    for (const word of [
      'Why',
      'When',
      'Where',
      'Who',
      'How',
      'How much',
      'How long',
      'Which',
      'What else',
      'What is it',
    ])
      yield say(`${word}?`);
  },
};

/** Plays a cheat to its end. */
export function playCheat(task: Task, cheat: Cheat, seed: number): Transcript {
  const policy = cheat(task, seededRandom(seed));
  const turns: TranscriptTurn[] = [];
  let { state } = startPlay(task);
  for (let step = policy.next(); !step.done && state.ended === undefined;) {
    const played = playTurn(task, state, step.value);
    state = played.state;
    turns.push({
      turn: state.turn,
      messages: step.value,
      outcomes: played.outcomes,
      observation: played.observation,
    });
    step = policy.next(played);
  }
  return { task: task.reference, opening: task.opening, turns, state };
}

export function say(content: string, toolCalls: readonly TurnCall[] = []): Turn {
  return [{ role: 'assistant', content, ...(toolCalls.length > 0 && { toolCalls }) }];
}

export const decisions = ({ tools }: Task): readonly ToolOffer[] =>
  tools.filter(({ type }) => type === 'decision');
export const artifacts = ({ tools }: Task): readonly ToolOffer[] =>
  tools.filter(({ type }) => type === 'artifact');

export function guess(task: Task, tool: ToolOffer, random: Random): TurnCall {
  return fabricate(tool, vocabularyOf(task), random);
}

/** Hands in and decides whatever comes. */
export function* decideAnyhow(task: Task, random: Random): Generator<Turn, void, PlayedTurn> {
  yield say(
    'So be it.',
    [...artifacts(task), ...decisions(task)].map((tool) => guess(task, tool, random)),
  );
}

/** The words of a pattern, as a cheat would write them. */
function plain(pattern: string): string {
  return pattern
    .replace(/[!?|]\S+/g, ' ')
    .replace(/[=_]/g, ' ')
    .trim()
    .replaceAll(/ +/g, ' ');
}
