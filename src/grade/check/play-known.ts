import { playThrough } from '../play/play-through.ts';
import type { Task } from '../scenario/task.ts';
import type { Transcript, TurnMessage } from '../scenario/transcript.ts';
import type { TurnAnswers } from '../play/play.ts';
import { Replay, type Turn } from './shrink/replay.ts';

const known = new WeakMap<Task, { readonly replay: Replay; readonly turns: Map<string, Turn> }>();

/**
 * Plays turns of a task. Paths and interviews of a task begin alike, so what follows the same turns is played once.
 * That does not hold on a page, where the place of a call decides its answer.
 */
export function playKnown(
  task: Task,
  turns: Iterable<readonly TurnMessage[]>,
  acted?: readonly TurnAnswers['acted'][],
): Transcript {
  if (acted) return playThrough(task, turns, acted);
  let before = known.get(task);
  if (before === undefined) known.set(task, (before = { replay: new Replay(task), turns: new Map() }));
  const { replay, turns: same } = before;
  return replay.play(
    Array.from(turns, (messages) => {
      const text = JSON.stringify(messages);
      const turn = same.get(text) ?? messages;
      same.set(text, turn);
      return turn;
    }),
  );
}
