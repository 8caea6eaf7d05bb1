import { isJsonObject } from '../../base/json/value.ts';
import type { Clause } from '../scenario/language/clause.ts';
import type { Pattern } from '../scenario/language/pattern.ts';
import { matchPattern } from '../scenario/language/pattern.ts';
import type { Condition } from '../scenario/task.ts';
import { readPath } from '../scenario/world-path.ts';
import { matchField } from './match-field.ts';
import type { View } from './view.ts';
import { isStatement } from './view.ts';

/** Whether a condition holds of a transcript, the turn that shows it, and the words that do. */
export interface Held {
  readonly holds: boolean;
  readonly turn?: number;
  readonly evidence?: string;
}

const no: Held = { holds: false };

export function checkCondition(condition: Condition, view: View): Held {
  let held: Held = { holds: true };
  for (const check of checks) {
    const answer = check(condition, view);
    if (answer === undefined) continue;
    if (!answer.holds) return no;
    if (answer.turn !== undefined && (held.turn === undefined || answer.turn >= held.turn)) held = answer;
  }
  return held;
}

type Check = (condition: Condition, view: View) => Held | undefined;

/** Each looks at one member of a condition, and answers nothing where the condition does not have it. */
const checks: readonly Check[] = [
  ({ found }, { state }) => {
    if (!found) return undefined;
    const turns = found.map((fact) =>
      Object.hasOwn(state.revealed, fact) ? state.revealed[fact] : undefined,
    );
    return turns.some((turn) => turn === undefined)
      ? no
      : { holds: true, turn: Math.max(0, ...(turns as number[])) };
  },
  (condition, view) => {
    if (condition.called === undefined) return undefined;
    const seen = view.calls.find(
      ({ call, turn }) =>
        call.name === condition.called &&
        turn <= (condition.by_turn ?? Infinity) &&
        Object.entries(condition.input ?? {}).every(
          ([path, wanted]) => matchField(wanted, readPath(call.input, path)).share === 1,
        ),
    );
    return seen
      ? {
          holds: true,
          turn: seen.turn,
          evidence: `${seen.call.name} ${JSON.stringify(seen.call.input).slice(0, 120)}`,
        }
      : no;
  },
  ({ said }, view) => (said ? firstClause('said', said, view) : undefined),
  ({ asked }, view) => (asked ? firstClause('asked', asked, view) : undefined),
  ({ wrote }, { spoken }) => {
    if (wrote === undefined) return undefined;
    const message = spoken.find(({ text }) => text.toLowerCase().includes(wrote.toLowerCase()));
    return message ? { holds: true, turn: message.turn, evidence: wrote } : no;
  },
  ({ courtesy }, { spoken, readings }) => {
    if (!courtesy) return undefined;
    const message = spoken.find((one) => readings.courtesies(one).some((kind) => courtesy.includes(kind)));
    return message ? { holds: true, turn: message.turn, evidence: message.text.slice(0, 120) } : no;
  },
  ({ world }, { state, transcript }) => {
    if (!world) return undefined;
    const holds = Object.entries(world).every(
      ([path, wanted]) => matchField(wanted, readPath(state.world, path)).share === 1,
    );
    return holds ? { holds, turn: transcript.turns.at(-1)?.turn ?? 0 } : no;
  },
  ({ turns_at_most }, { transcript }) =>
    turns_at_most === undefined ? undefined : { holds: transcript.turns.length <= turns_at_most },
  ({ all }, view) => {
    if (!all) return undefined;
    const held = all.map((one) => checkCondition(one, view));
    return held.every((one) => one.holds) ? (held.at(-1) ?? { holds: true }) : no;
  },
  ({ any }, view) =>
    any?.map((one) => checkCondition(one, view)).find((one) => one.holds) ?? (any ? no : undefined),
  ({ not }, view) => (not ? { holds: !checkCondition(not, view).holds } : undefined),
];

function firstClause(kind: 'said' | 'asked', sources: readonly string[], { spoken, readings }: View): Held {
  for (const message of spoken) {
    const met = message[kind];
    let clause = met.get(sources);
    if (clause === undefined && !met.has(sources)) {
      clause = readings
        .clauses(message, sources)
        .find((one) => meets(one, kind, readings.patterns(sources)))?.text;
      met.set(sources, clause);
    }
    if (clause !== undefined) return { holds: true, turn: message.turn, evidence: clause };
  }
  return no;
}

function meets(clause: Clause, kind: 'said' | 'asked', patterns: readonly Pattern[]): boolean {
  return (
    patterns.some((pattern) => matchPattern(pattern, clause.bag) !== undefined) &&
    (kind === 'said' ? isStatement(clause) : clause.asks)
  );
}

/** The members of a matcher object that are no matcher themselves. */
export function fieldOption(wanted: unknown, name: string): unknown {
  return isJsonObject(wanted) ? wanted[name] : undefined;
}
