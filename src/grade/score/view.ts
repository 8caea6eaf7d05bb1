import type { Clause } from '../scenario/language/clause.ts';
import { requestStart } from '../scenario/language/requests.ts';
import type { Lexicon } from '../scenario/language/lexicon.ts';
import type { Courtesy } from '../scenario/language/small-talk.ts';
import { earsOf } from '../scenario/ears.ts';
import type { Task } from '../scenario/task.ts';
import type { Transcript, TranscriptTurn, TurnCall } from '../scenario/transcript.ts';
import type { PlayState } from '../scenario/play-state.ts';
import { Readings } from './readings.ts';

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
export interface View {
  readonly task: Task;
  readonly transcript: Transcript;
  /** The state after the last turn. */
  readonly state: PlayState;
  readonly calls: readonly SeenCall[];
  /** What the operator said, turn by turn. */
  readonly spoken: readonly Spoken[];
  readonly readings: Readings;
}

/** What is kept of a message is small, for it is kept as long as the episode is played. */
export interface Spoken {
  readonly turn: number;
  readonly text: string;
  courtesies?: readonly Courtesy[];
  /** The first statement, and the first question, that meets some patterns, or none: looked for once. */
  readonly said: Map<readonly string[], string | undefined>;
  readonly asked: Map<readonly string[], string | undefined>;
  /** The first of some words that it holds, or none. */
  readonly words: Map<readonly string[], string | undefined>;
}

export function viewOf(task: Task, transcript: Transcript, state: PlayState): View {
  const lexicon = earsOf(task).lexicon;
  const calls: SeenCall[] = [];
  const spoken: Spoken[] = [];
  for (const turn of transcript.turns) {
    const made = turn.messages.filter((message) => message.role === 'assistant');
    made
      .flatMap((message) => message.toolCalls ?? [])
      .forEach((call, index) => {
        const outcome = turn.outcomes[index];
        const past = state.calls[calls.length];
        calls.push({
          turn: turn.turn,
          order: calls.length,
          session: past?.session ?? 1,
          call,
          isError: outcome?.isError === true,
          injected: outcome?.injected === true,
        });
      });
    spoken.push(...spokenIn(turn, lexicon));
  }
  return { task, transcript, state, calls, spoken, readings: new Readings(task, lexicon) };
}

/** A server grades a transcript again after each turn: what was said in a turn before is read once. */
const readBefore = new WeakMap<
  TranscriptTurn,
  { readonly lexicon: Lexicon; readonly spoken: readonly Spoken[] }
>();

function spokenIn(turn: TranscriptTurn, lexicon: Lexicon): readonly Spoken[] {
  const known = readBefore.get(turn);
  if (known?.lexicon === lexicon) return known.spoken;
  const spoken = turn.messages
    .filter(({ role, content }) => role === 'assistant' && content.trim() !== '')
    .map(({ content }) => spokenOf(turn.turn, content));
  readBefore.set(turn, { lexicon, spoken });
  return spoken;
}

function spokenOf(turn: number, text: string): Spoken {
  return { turn, text, said: new Map(), asked: new Map(), words: new Map() };
}

/** Facts known before a turn: told or shown in an earlier one, for a call cannot rest on what it does not know yet. */
export function knownBefore(view: View, fact: string, turn: number): boolean {
  const since = Object.hasOwn(view.state.revealed, fact) ? view.state.revealed[fact] : undefined;
  return since !== undefined && since < turn;
}

/** The clause says something: it does not ask, and it does not deny. */
export function isStatement(clause: Clause): boolean {
  if (requestStart.test(clause.text) || (clause.asks && requestStart.test(clause.sentence))) return false;
  return !denies(clause);
}

export function denies({ text }: Clause): boolean {
  return /\b(?:not|never|no|cannot|without)\b/.test(text);
}
