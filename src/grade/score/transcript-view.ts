import { normalizeInput } from '../scenario/normalize-input.ts';
import type { Task } from '../scenario/task.ts';
import type { Transcript, TurnCall } from '../scenario/transcript.ts';
import type { PlayState } from '../scenario/play-state.ts';
import { OperatorMessageReader, operatorMessagesIn, type OperatorMessage } from './match/operator-message.ts';
import { lexiconFor } from './match/criterion-patterns.ts';

/** A call with its place in the episode. */
export interface SeenCall {
  readonly turn: number;
  /** Counted over the whole episode. */
  readonly order: number;
  readonly session: number;
  readonly call: TurnCall;
  readonly isError: boolean;
  readonly injected: boolean;
}

/** A transcript as the criteria look at it. */
export interface TranscriptView {
  readonly task: Task;
  readonly transcript: Transcript;
  /** The state after the last turn. */
  readonly state: PlayState;
  readonly calls: readonly SeenCall[];
  /** What the operator said, turn by turn. */
  readonly messages: readonly OperatorMessage[];
  readonly reader: OperatorMessageReader;
}

export function viewTranscript(task: Task, transcript: Transcript, state: PlayState): TranscriptView {
  const lexicon = lexiconFor(task);
  const calls: SeenCall[] = [];
  const messages: OperatorMessage[] = [];
  for (const turn of transcript.turns) {
    let made = 0;
    for (const message of turn.messages) {
      if (message.role !== 'assistant') continue;
      for (const call of message.toolCalls ?? none) {
        const outcome = turn.outcomes[made++];
        const input = normalizeInput(task, call);
        calls.push({
          turn: turn.turn,
          order: calls.length,
          session: state.calls[calls.length]?.session ?? 1,
          call: input === call.input ? call : { ...call, input },
          isError: outcome?.isError === true,
          injected: outcome?.injected === true,
        });
      }
    }
    for (const message of operatorMessagesIn(turn, lexicon)) messages.push(message);
  }
  return { task, transcript, state, calls, messages, reader: new OperatorMessageReader(task, lexicon) };
}

const none: readonly TurnCall[] = [];

/** Facts known before a turn: told or shown in an earlier one, for a call cannot rest on what it does not know yet. */
export function knownBefore(view: TranscriptView, fact: string, turn: number): boolean {
  const since = Object.hasOwn(view.state.revealed, fact) ? view.state.revealed[fact] : undefined;
  return since !== undefined && since < turn;
}
