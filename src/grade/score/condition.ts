import { isJsonObject } from '../../base/json/value.ts';
import type { Condition } from '../scenario/task.ts';
import type { TurnCall } from '../scenario/transcript.ts';
import { readPath } from '../scenario/world-path.ts';
import { matchField } from './match/match-field.ts';
import type { TranscriptView } from './transcript-view.ts';
import type { SpeechAct } from './match/operator-message.ts';
import type { PatternList } from './match/criterion-patterns.ts';

/** Whether a condition holds of a transcript, the turn that shows it, and the words that do. */
export interface ConditionResult {
  readonly holds: boolean;
  readonly turn?: number;
  readonly evidence?: string;
  /** What is missing where it does not hold, as far as more can be said than that. */
  readonly miss?: string;
}

const no: ConditionResult = { holds: false };
const always: ConditionResult = { holds: true };

export function checkCondition(condition: Condition, view: TranscriptView): ConditionResult {
  let held: ConditionResult = always;
  for (const check of checksOf(condition)) {
    const answer = check(condition, view);
    if (answer === undefined) continue;
    if (!answer.holds) return answer;
    if (answer.turn !== undefined && (held.turn === undefined || answer.turn >= held.turn)) held = answer;
  }
  return held;
}

type Check = (condition: Condition, view: TranscriptView) => ConditionResult | undefined;

/** By the member of a condition that each looks at; nothing where the condition does not have it. */
const checks: { readonly [Member in keyof Condition]?: Check } = {
  found: ({ found }, { state }) => {
    if (!found) return undefined;
    const turns = found.map((fact) =>
      Object.hasOwn(state.revealed, fact) ? state.revealed[fact] : undefined,
    );
    return turns.some((turn) => turn === undefined)
      ? no
      : { holds: true, turn: Math.max(0, ...(turns as number[])) };
  },
  called: (condition, view) => {
    if (condition.called === undefined) return undefined;
    const seen = view.calls.find(({ call, turn }) => isCallOf(condition, call, turn));
    return seen
      ? {
          holds: true,
          turn: seen.turn,
          evidence: `${seen.call.name} ${JSON.stringify(seen.call.input).slice(0, 120)}`,
        }
      : no;
  },
  said: ({ said }, view) => (said ? firstClause('said', said, view) : undefined),
  asked: ({ asked }, view) => (asked ? firstClause('asked', asked, view) : undefined),
  advises: ({ advises }, view) => (advises ? firstClause('advises', advises, view) : undefined),
  claims: ({ claims }, view) => (claims ? firstClause('claims', claims, view) : undefined),
  wrote: ({ wrote }, { messages, reader }) => {
    if (wrote === undefined) return undefined;
    const message = messages.find((one) => reader.wrote(one, wrote));
    return message ? { holds: true, turn: message.turn, evidence: wrote } : no;
  },
  courtesy: ({ courtesy }, { messages, reader }) => {
    if (!courtesy) return undefined;
    const message = messages.find((one) => reader.courtesies(one).some((kind) => courtesy.includes(kind)));
    return message ? { holds: true, turn: message.turn, evidence: message.text.slice(0, 120) } : no;
  },
  world: ({ world }, { state, transcript }) => {
    if (!world) return undefined;
    const places = Object.entries(world);
    for (const [path, wanted] of places) {
      const { share, reason } = matchField(wanted, readPath(state.world, path));
      if (share < 1) return { holds: false, miss: `${path}: ${reason()}` };
    }
    const found = places.map(([path]) => `${path}: ${JSON.stringify(readPath(state.world, path) ?? null)}`);
    return {
      holds: true,
      turn: transcript.turns.at(-1)?.turn ?? 0,
      evidence: found.join(', ').slice(0, 120),
    };
  },
  turns_at_most: ({ turns_at_most }, { transcript }) =>
    turns_at_most === undefined ? undefined : { holds: transcript.turns.length <= turns_at_most },
  all: ({ all }, view) => {
    if (!all) return undefined;
    const held = all.map((one) => checkCondition(one, view));
    return held.find((one) => !one.holds) ?? held.at(-1) ?? { holds: true };
  },
  any: ({ any }, view) =>
    any?.map((one) => checkCondition(one, view)).find((one) => one.holds) ?? (any ? no : undefined),
  not: ({ not }, view) => (not ? { holds: !checkCondition(not, view).holds } : undefined),
};

/** Whether a call is the one that a condition names: the tool, its input, and in time. */
export function isCallOf({ called, input, by_turn }: Condition, call: TurnCall, turn: number): boolean {
  return (
    call.name === called &&
    turn <= (by_turn ?? Infinity) &&
    Object.entries(input ?? {}).every(
      ([path, wanted]) => matchField(wanted, readPath(call.input, path)).share === 1,
    )
  );
}

const chosen = new WeakMap<Condition, readonly Check[]>();

/** The checks of the members that a condition has, in their order: looked for once. */
function checksOf(condition: Condition): readonly Check[] {
  let list = chosen.get(condition);
  if (list === undefined) {
    list = Object.entries(checks).flatMap(([member, check]) => (member in condition ? [check] : []));
    chosen.set(condition, list);
  }
  return list;
}

function firstClause(
  kind: SpeechAct,
  list: PatternList,
  { messages, reader }: TranscriptView,
): ConditionResult {
  for (const message of messages) {
    const clause = reader.firstClause(message, kind, list);
    if (clause !== undefined) return { holds: true, turn: message.turn, evidence: clause };
  }
  return no;
}

/** The members of a matcher object that are not matchers themselves. */
export function fieldOption(wanted: unknown, name: string): unknown {
  return isJsonObject(wanted) ? wanted[name] : undefined;
}
