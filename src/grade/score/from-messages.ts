import type { PageTurn } from '../play/page/page-stage.ts';
import { playTurn, startPlay, type TurnAnswers } from '../play/play.ts';
import type { Task } from '../scenario/task.ts';
import type { Transcript, TranscriptTurn, TurnMessage } from '../scenario/transcript.ts';
import type { PlayState, TerminalReason } from '../scenario/play-state.ts';

/**
 * The transcript of raw messages, with or without the person's words. The person is played over the model's messages:
 * what came out is what the model elicited, whatever the client's copy of the person's words says.
 */
export function transcriptFromMessages(task: Task, messages: readonly TurnMessage[]): Transcript {
  const playing = playMessages(task, messages);
  for (;;) {
    const { done, value } = playing.next(undefined);
    if (done) return value;
  }
}

/** A turn that comes next. */
export type UnplayedTurn = Pick<PageTurn, 'turns' | 'state' | 'messages'>;

/**
 * The same, one turn at a time: whoever serves others too lets them in between. What its calls do on a page, where the
 * world is one, is told to each turn before it is played.
 */
export function* playMessages(
  task: Task,
  messages: readonly TurnMessage[],
  /** Nothing in them is the person's: what repeats its words was said by the model. */
  eachIsTurn = false,
): Generator<UnplayedTurn, Transcript, TurnAnswers['acted']> {
  const opened = startPlay(task);
  let state: PlayState = opened.state;
  let last = opened.observation.content;
  let ended: TerminalReason | undefined;
  const turns: TranscriptTurn[] = [];
  for (const group of turnsOf(messages)) {
    if (ended !== undefined) break;
    // A client may keep the observations under the role they came with.
    const own = group.filter(
      (message) =>
        eachIsTurn ||
        !(message.role === 'assistant' && !message.toolCalls?.length && message.content === last),
    );
    if (!own.some((message) => message.role === 'assistant')) continue;
    const acted = yield { turns: [...turns], state, messages: own };
    const played = playTurn(task, state, own, { acted });
    state = played.state;
    ended = played.ended;
    last = played.observation.content;
    turns.push({
      turn: state.turn,
      messages: own,
      outcomes: played.outcomes,
      observation: played.observation,
    });
  }
  return {
    task: task.reference,
    opening: opened.observation,
    turns,
    ...(ended === undefined ? {} : { terminalReason: ended }),
    state,
  };
}

/** With the person's words in it, a turn ends where they stand; without, each message is a turn. */
function turnsOf(messages: readonly TurnMessage[]): readonly (readonly TurnMessage[])[] {
  if (!messages.some((message) => message.role === 'user')) return messages.map((message) => [message]);
  const groups: TurnMessage[][] = [];
  let group: TurnMessage[] = [];
  for (const message of messages) {
    if (message.role === 'user' && group.some((one) => one.role === 'assistant')) {
      groups.push(group);
      group = [];
    }
    group.push(message);
  }
  if (group.length > 0) groups.push(group);
  return groups;
}
