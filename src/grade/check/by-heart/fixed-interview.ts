import { canonicalJson } from '../../../base/json/canonical.ts';
import type { JsonObject, JsonValue } from '../../../base/json/value.ts';
import { isJsonObject } from '../../../base/json/value.ts';
import { playTurn, startPlay } from '../../play/play.ts';
import { messagesOf } from '../../scenario/paths.ts';
import type { PathTurn, Task } from '../../scenario/task.ts';
import type { TurnMessage } from '../../scenario/transcript.ts';
import { handedOn, isHandedOn, toldIn } from './right-answer.ts';

/** The gold path of a task, taken apart: what it asks and reads in each session, and what it answers. */
export interface Interview {
  readonly task: Task;
  /** By session. */
  readonly asks: readonly (readonly PathTurn[])[];
  readonly answers: readonly AnswerCall[];
}

/** One call of an answer. Texts that are only handed on are left open. */
export interface AnswerCall {
  /** Which call it is: session, tool and how many of them came before. Equal ones in two variants answer each other. */
  readonly slot: string;
  readonly session: number;
  readonly name: string;
  readonly isWrite: boolean;
  readonly input: JsonObject;
  /** What is handed on in this variant, by field. */
  readonly handed: JsonObject;
}

export function interviewOf(task: Task, briefing: string): Interview {
  const told = toldIn(task, briefing);
  const asks: PathTurn[][] = Array.from({ length: Math.max(1, task.sessions.length) }, () => []);
  const answers: AnswerCall[] = [];
  const counts = new Map<string, number>();
  let { state } = startPlay(task);
  for (const turn of task.gold) {
    if (state.ended !== undefined) break;
    const { session } = state;
    const reads = (turn.calls ?? []).filter(({ name }) => isRead(task, name));
    const rest = (turn.calls ?? []).filter(({ name }) => !isRead(task, name));
    for (const { name, input } of rest) {
      const kind = `${session} ${name}`;
      const number = counts.get(kind) ?? 0;
      counts.set(kind, number + 1);
      const tool = task.tools.find(({ id }) => id === name);
      const fields = Object.entries(isJsonObject(input) ? input : {});
      const isOpen = ([field, value]: readonly [string, JsonValue]) =>
        isHandedOn(value, field, { tool, told });
      answers.push({
        slot: `${kind} ${number}`,
        session,
        name,
        isWrite: tool?.type === 'function',
        input: Object.fromEntries(
          fields.map(([field, value]) => [field, isOpen([field, value]) ? handedOn : value]),
        ),
        handed: Object.fromEntries(fields.filter(isOpen)),
      });
    }
    // What is said beside an answer speaks of the answer, unless it asks for something.
    const say = rest.length > 0 && !turn.say?.includes('?') ? '' : (turn.say ?? '');
    if (say !== '' || reads.length > 0) asks[session - 1]!.push({ say, calls: reads });
    state = playTurn(task, state, messagesOf(turn)).state;
  }
  return { task, asks, answers };
}

/** The whole interview, and an answer that does not listen to it: what was open in it is handed on as it should be. */
export function answeredWith(
  interview: Interview,
  answer: readonly AnswerCall[],
): readonly (readonly TurnMessage[])[] {
  const own = new Map(interview.answers.map(({ slot, handed }) => [slot, handed]));
  return interview.asks.flatMap((turns, index) => [
    ...turns.map(messagesOf),
    ...answer
      .filter(({ session }) => session === index + 1)
      .map(({ slot, name, input, handed }) =>
        messagesOf({
          calls: [
            {
              name,
              input: Object.fromEntries(
                Object.entries(input).map(([field, value]) => [
                  field,
                  value === handedOn ? (own.get(slot)?.[field] ?? handed[field] ?? '') : value,
                ]),
              ),
            },
          ],
        }),
      ),
  ]);
}

/** Answers that may be right most often: the commonest as they stand, and those put together field by field. */
export function constantAnswers(
  interviews: readonly Interview[],
  most: number,
): readonly (readonly AnswerCall[])[] {
  const mixed = mixedAnswer(interviews);
  const groups = Map.groupBy(interviews, ({ answers }) => keyOf(answers));
  const commonest = [...groups.values()]
    .toSorted((one, other) => other.length - one.length)
    .slice(0, most)
    .map((same) => same[0]!.answers);
  const withoutWrites = mixed.filter(({ isWrite }) => !isWrite);
  return [...commonest, mixed, ...(withoutWrites.length < mixed.length ? [withoutWrites] : [])];
}

/** Of each call that most answers have, the value that each field has most often. */
export function mixedAnswer(interviews: readonly Interview[]): readonly AnswerCall[] {
  const slots = Map.groupBy(
    interviews.flatMap(({ answers }) => answers),
    ({ slot }) => slot,
  );
  return [...slots.values()]
    .filter((calls) => calls.length * 2 > interviews.length)
    .map((calls) => {
      const fields = [...new Set(calls.flatMap(({ input }) => Object.keys(input)))];
      const mixed = fields.flatMap((field) => {
        const values = calls.map(({ input }) => input[field]);
        const common = commonestValue(values);
        return common === undefined ? [] : [[field, common] as const];
      });
      return { ...calls[0]!, input: Object.fromEntries(mixed) };
    });
}

function commonestValue(values: readonly (JsonValue | undefined)[]): JsonValue | undefined {
  const groups = Map.groupBy(values, (value) => (value === undefined ? '' : canonicalJson(value)));
  return [...groups.values()].toSorted((one, other) => other.length - one.length)[0]?.[0];
}

function keyOf(answers: readonly AnswerCall[]): string {
  return canonicalJson(answers.map(({ slot, input }) => [slot, input]));
}

function isRead(task: Task, name: string): boolean {
  const works = Object.hasOwn(task.functions, name) ? task.functions[name] : undefined;
  return works !== undefined && !works.writes;
}
