import { randomId } from '../../base/host/random.ts';
import type { Task } from '../scenario/task.ts';
import type { Transcript, TranscriptTurn, TurnMessage } from '../scenario/transcript.ts';
import type { PageStage } from './page/page-stage.ts';
import { playTurn, startPlay, type TurnAnswers } from './play.ts';

/** Plays turns one after the other until they are used up or the episode ends. */
export function playThrough(
  task: Task,
  turns: Iterable<readonly TurnMessage[]>,
  /** Of each turn, what came of its calls on the page. */
  acted: readonly TurnAnswers['acted'][] = [],
): Transcript {
  let { state } = startPlay(task);
  const played: TranscriptTurn[] = [];
  for (const messages of turns) {
    if (state.ended !== undefined) break;
    const turn = playTurn(task, state, messages, { acted: acted[played.length] });
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

/** The same where the world is a page: each turn is done on it before it is played. */
export async function playOnStage(
  stage: PageStage,
  task: Task,
  turns: Iterable<readonly TurnMessage[]>,
): Promise<Transcript> {
  const id = randomId('play');
  const acted: TurnAnswers['acted'][] = [];
  const all: (readonly TurnMessage[])[] = [];
  let transcript = playThrough(task, all);
  for (const messages of turns) {
    if (transcript.terminalReason !== undefined) break;
    const { turns: before, state } = transcript;
    acted.push(await stage.act({ id, task, turns: before, state: state!, messages }));
    all.push(messages);
    transcript = playThrough(task, all, acted);
  }
  return transcript;
}
