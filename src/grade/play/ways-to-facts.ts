import { messagesOf } from '../scenario/paths.ts';
import type { Task } from '../scenario/task.ts';
import { playTurn, startPlay } from './play.ts';

/** What brings a fact out on the gold path: words that the person answers with it, or a call that shows it. */
export interface WayToFact {
  readonly question?: string;
  readonly call?: string;
}

const known = new WeakMap<Task, ReadonlyMap<string, WayToFact>>();

/** By fact. One that the gold path never comes to is absent. */
export function waysToFacts(task: Task): ReadonlyMap<string, WayToFact> {
  const ways = known.get(task) ?? playGold(task);
  known.set(task, ways);
  return ways;
}

function playGold(task: Task): ReadonlyMap<string, WayToFact> {
  const ways = new Map<string, WayToFact>();
  let { state } = startPlay(task);
  for (const step of task.gold) {
    if (state.ended !== undefined) break;
    const { say, calls = [] } = step;
    // What the words alone bring out is asked for; what comes with a call more is shown by that call.
    let after = state;
    for (let made = 0; made <= calls.length; made++) {
      const played = playTurn(task, state, messagesOf({ ...step, calls: calls.slice(0, made) }));
      // Nobody is told how to play by the faults of a world.
      if (played.fault) return ways;
      const call = calls[made - 1]?.name;
      const way = call === undefined ? say !== undefined && { question: say } : { call };
      if (way) for (const fact of played.revealed) if (!ways.has(fact)) ways.set(fact, way);
      after = played.state;
    }
    state = after;
  }
  return ways;
}
