import { messagesOf } from '../scenario/paths.ts';
import type { Task } from '../scenario/task.ts';
import { playTurn, startPlay } from './play.ts';

const known = new WeakMap<Task, ReadonlyMap<string, string>>();

/** By fact, the words of the gold path that bring it out. A fact that the gold path never asks for is absent. */
export function factQuestions(task: Task): ReadonlyMap<string, string> {
  const asked = known.get(task) ?? playGold(task);
  known.set(task, asked);
  return asked;
}

function playGold(task: Task): ReadonlyMap<string, string> {
  const asked = new Map<string, string>();
  let { state } = startPlay(task);
  for (const step of task.gold) {
    if (state.ended !== undefined) break;
    const played = playTurn(task, state, messagesOf(step));
    // Nobody is told how to play by the faults of a world.
    if (played.fault) break;
    for (const fact of played.revealed) if (step.say !== undefined) asked.set(fact, step.say);
    state = played.state;
  }
  return asked;
}
