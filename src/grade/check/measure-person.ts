import type { JsonObject } from '../../base/json/value.ts';
import { isJsonObject } from '../../base/json/value.ts';
import { textsIn } from '../scenario/json-list.ts';
import { reply } from '../person/reply.ts';
import type { Reply } from '../person/reply.ts';
import { startPlay } from '../play/play.ts';
import type { Task } from '../scenario/task.ts';
import type { PlayState } from '../scenario/play-state.ts';

/** How well a person understands: measured with questions and near misses that are not the words it listens for. */
export interface PersonMeasure {
  readonly questions: number;
  readonly answered: number;
  readonly nearMisses: number;
  readonly falseReveals: number;
  /** Facts that came out though they were locked. */
  readonly lockedTold: number;
  /** The questions that were not understood, and the near misses that drew the fact out. */
  readonly failures: readonly {
    readonly fact: string;
    readonly text: string;
    readonly told: readonly string[];
  }[];
}

/**
 * Asks a person each question of `questions.yaml` by itself, with everything else about the fact in order. Each is
 * weighed as if it were not among the examples that the person knows, so that a sentence does not vouch for itself.
 */
export function measurePerson(task: Task, questions: JsonObject): PersonMeasure {
  const failures: { fact: string; text: string; told: readonly string[] }[] = [];
  const count = { questions: 0, answered: 0, nearMisses: 0, falseReveals: 0, lockedTold: 0 };
  for (const [fact, lists] of Object.entries(questions)) {
    if (!isJsonObject(lists) || !task.facts.some((one) => one.id === fact)) continue;
    const open = openState(task, fact);
    for (const text of textsIn(lists['asked'])) {
      const told = comesOut(reply(task, open, text, { unseen: true }));
      count.questions++;
      if (told.includes(fact)) count.answered++;
      else failures.push({ fact, text, told });
      const early = reply(task, lockedState(task), text, { unseen: true }).told;
      if (early.some((id) => isLocked(task, id, early))) count.lockedTold++;
    }
    for (const text of textsIn(lists['not'])) {
      const told = comesOut(reply(task, open, text, { unseen: true }));
      count.nearMisses++;
      if (!told.includes(fact)) continue;
      count.falseReveals++;
      failures.push({ fact, text, told });
    }
  }
  return { ...count, failures };
}

/** What it tells, and what is shown by a document that it reads out or by something else that it does. */
function comesOut({ told, does }: Reply): readonly string[] {
  const shown = does.flatMap((act) => act.does.flatMap(({ reveals }) => reveals ?? []));
  return shown.length === 0 ? told : [...told, ...shown];
}

/** Everything that a fact waits for is there: warmth, the facts before it, its session. It is not out itself. */
export function openState(task: Task, fact: string): PlayState {
  const { state } = startPlay(task);
  const wanted = task.facts.find((one) => one.id === fact)!;
  const { [fact]: _, ...others } = state.revealed;
  const revealed = { ...others, ...Object.fromEntries(wanted.after.map((id) => [id, 1])) };
  return {
    ...state,
    turn: 3,
    revealed,
    rapport: ['greeting', 'introduction', 'thanks', 'empathy', 'reassurance'],
    session: wanted.session,
  };
}

function lockedState(task: Task): PlayState {
  return { ...startPlay(task).state, turn: 1, rapport: ['insult', 'insult'] };
}

/** What waits for a fact that the same message asks for before it is locked no more. */
function isLocked(task: Task, id: string, told: readonly string[]): boolean {
  const fact = task.facts.find((one) => one.id === id);
  return (
    fact !== undefined &&
    (fact.reveal === 'rapport_required' ||
      fact.reveal === 'hidden' ||
      fact.after.some((other) => !told.slice(0, told.indexOf(id)).includes(other)))
  );
}
