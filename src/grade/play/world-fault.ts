import type { WorldFault } from './play.ts';
import { answersOf, playTurn, startPlay } from './play.ts';
import type { Task } from '../scenario/task.ts';
import type { TranscriptTurn } from '../scenario/transcript.ts';

/** How the world broke in a transcript, and when: found by playing it again, as no transcript holds what must not be told. */
export function worldFaultIn(
  task: Task,
  turns: readonly TranscriptTurn[],
): (WorldFault & { readonly turn: number }) | undefined {
  let { state } = startPlay(task);
  for (const turn of turns) {
    if (state.ended !== undefined) return undefined;
    const played = playTurn(task, state, turn.messages, answersOf(turn));
    if (played.fault) return { turn: turn.turn, ...played.fault };
    state = played.state;
  }
  return undefined;
}
