import type { Task } from '../scenario/task.ts';
import type { Transcript, TranscriptTurn, TurnMessage } from '../scenario/transcript.ts';
import { playTurn, startPlay } from './play.ts';

/** Plays turns one after the other until they are used up or the episode ends. */
export function playThrough(task: Task, turns: Iterable<readonly TurnMessage[]>): Transcript {
  let { state } = startPlay(task);
  const played: TranscriptTurn[] = [];
  for (const messages of turns) {
    if (state.ended !== undefined) break;
    const turn = playTurn(task, state, messages);
    state = turn.state;
    played.push({ turn: state.turn, messages, outcomes: turn.outcomes, observation: turn.observation });
  }
  return {
    task: task.reference,
    opening: task.opening,
    turns: played,
    ...(state.ended === undefined ? {} : { terminalReason: state.ended }),
    state,
  };
}
