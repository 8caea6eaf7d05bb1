import { playConditionHolds } from '../scenario/play-condition.ts';
import type { Task } from '../scenario/task.ts';
import { writePath } from '../scenario/world-path.ts';
import type { PlayState } from '../scenario/play-state.ts';

/** The tools whose calls end a session: its own, and of the last one those of the scenario where it names none. */
export function endsOf(task: Task, number: number): readonly string[] {
  const session = task.sessions[number - 1];
  if (session === undefined) return task.ends;
  return session.ends.length === 0 && number === task.sessions.length ? task.ends : session.ends;
}

/** Whether the session's own work is done: all the tools that end it were called in it, or its turns are used up. */
export function sessionIsOver(task: Task, state: PlayState): boolean {
  const session = task.sessions[state.session - 1];
  const ends = endsOf(task, state.session);
  const called = (name: string) =>
    state.calls.some((call) => call.name === name && call.session === state.session && !call.injected);
  if (ends.length > 0 && ends.every(called)) return true;
  return session !== undefined && state.session < task.sessions.length && state.sessionTurn >= session.turns;
}

/** Whether no turn is left: of the episode, or of its last session where that one names its own. */
export function turnsAreUsedUp(task: Task, state: PlayState): boolean {
  const last = task.sessions.at(-1);
  const isLast = last !== undefined && state.session === task.sessions.length;
  return state.turn >= task.limits.turns || (isLast && state.sessionTurn >= last.turns);
}

/**
 * Whether at most two turns are left of the session, or of all: nobody can close what ends without a word, and where each
 * call is a turn, a farewell is one and the call that closes is another.
 */
export function isNearlyOver(task: Task, state: PlayState): boolean {
  const session = task.sessions[state.session - 1];
  const left = Math.min(task.limits.turns - state.turn, (session?.turns ?? Infinity) - state.sessionTurn);
  return left === 1 || left === 2;
}

/** Begins the next session: what has happened meanwhile, and how it opens, both by what was done before. */
export function openSession(
  task: Task,
  state: PlayState,
): { readonly state: PlayState; readonly says: string; readonly revealed: readonly string[] } {
  const number = state.session + 1;
  const session = task.sessions[number - 1]!;
  let world = state.world;
  for (const { if: condition, set } of session.sets)
    if (!condition || playConditionHolds(condition, state))
      for (const [path, value] of Object.entries(set)) world = writePath(world, path, value);
  const opens = session.opens.find((line) => !line.if || playConditionHolds(line.if, { ...state, world }));
  const revealed = task.facts
    .filter(
      (fact) =>
        fact.reveal === 'volunteered' && fact.session === number && !Object.hasOwn(state.revealed, fact.id),
    )
    .map((fact) => fact.id);
  const out: Record<string, number> = { ...state.revealed };
  for (const id of revealed) out[id] = state.turn;
  return {
    state: { ...state, world, revealed: out, session: number, sessionTurn: 0, last: '', heard: '' },
    says: [session.briefing, opens?.says ?? ''].filter((part) => part !== '').join('\n\n'),
    revealed,
  };
}
