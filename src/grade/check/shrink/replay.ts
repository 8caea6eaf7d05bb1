import { playTurn, startPlay } from '../../play/play.ts';
import type { PlayState } from '../../scenario/play-state.ts';
import type { Task } from '../../scenario/task.ts';
import type { Transcript, TranscriptTurn, TurnMessage } from '../../scenario/transcript.ts';

/** What the model sent in one turn. Two turns are the same one only when they are the same list. */
export type Turn = readonly TurnMessage[];

/** A turn as it was played: kept whole, so that what was read of it is read once. */
interface Played {
  readonly after: PlayState;
  readonly turn: TranscriptTurn;
}

/**
 * Plays many variants of a transcript. Turns that follow the same turns are played once: most variants differ in one
 * place, and the play before it is known.
 */
export class Replay {
  readonly #task: Task;
  readonly #start: PlayState;
  readonly #known = new WeakMap<PlayState, WeakMap<Turn, Played>>();

  constructor(task: Task) {
    this.#task = task;
    this.#start = startPlay(task).state;
  }

  play(turns: readonly Turn[]): Transcript {
    let state = this.#start;
    const played: TranscriptTurn[] = [];
    for (const messages of turns) {
      if (state.ended !== undefined) break;
      const { after, turn } = this.#turn(state, messages);
      state = after;
      played.push(turn);
    }
    return {
      task: this.#task.reference,
      opening: this.#task.opening,
      turns: played,
      ...(state.ended === undefined ? {} : { terminalReason: state.ended }),
      state,
    };
  }

  #turn(state: PlayState, messages: Turn): Played {
    let next = this.#known.get(state);
    if (next === undefined) {
      next = new WeakMap();
      this.#known.set(state, next);
    }
    let played = next.get(messages);
    if (played === undefined) {
      const { state: after, outcomes, observation } = playTurn(this.#task, state, messages);
      played = { after, turn: { turn: after.turn, messages, outcomes, observation } };
      next.set(messages, played);
    }
    return played;
  }
}

/** What the model sent in each turn of a transcript, without the client's copies of the person's words. */
export function turnsOf(transcript: Transcript): readonly Turn[] {
  return transcript.turns.map(({ messages }) => messages.filter(({ role }) => role === 'assistant'));
}
