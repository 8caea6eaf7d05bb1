import type { TranscriptTurn, Transcript, TurnMessage } from '../scenario/transcript.ts';
import type { PlayState, TerminalReason } from '../scenario/play-state.ts';
import type { Grade } from '../score/grade.ts';
import type { EpisodeEnd } from '../store/record.ts';
import { gradeTurn, type GradeTurnOptions } from './grade-turn.ts';
import type { LiveEpisode } from './live-episode.ts';
import type { TurnOutcome } from './outcome.ts';
import type { VoicedTurn } from './voice.ts';

/** What playing and grading read of an episode. */
export type EpisodeAtHand = Pick<LiveEpisode, 'task' | 'options' | 'opening' | 'state' | 'turns'>;

/** A turn that was played, and the transcript with it. */
export interface TakenTurn {
  readonly entry: TranscriptTurn;
  readonly state: PlayState;
  readonly whole: Transcript;
}

/** What of a graded turn is stored. */
export interface TurnTexts {
  readonly outcomes: string;
  readonly answer: string;
  readonly state: string;
  readonly end?: EpisodeEnd;
}

/** Where an episode stands. */
export interface Standing {
  readonly state: PlayState;
}

/** A turn that was graded: what it is answered with, and the texts of its row. */
export interface WorkedTurn {
  readonly entry: TranscriptTurn;
  readonly standing: Standing;
  readonly outcome: TurnOutcome;
  readonly texts: TurnTexts;
}

/** Puts a played turn behind those of the episode. */
export function takeTurn(
  live: EpisodeAtHand,
  messages: readonly TurnMessage[],
  { state, outcomes, observation, voice, ended }: VoicedTurn,
): TakenTurn {
  const turn = live.turns.length + 1;
  const entry: TranscriptTurn = { turn, messages, outcomes, observation, ...(voice && { voice }) };
  const reason = ended ?? (turn >= live.options.maxTurns ? 'max_turns_reached' : undefined);
  return { entry, state, whole: transcriptOf(live, [...live.turns, entry], state, reason) };
}

/** Grades a turn that was taken. */
export function workTurn(
  live: EpisodeAtHand,
  { entry, state, whole }: TakenTurn,
  options: GradeTurnOptions,
): WorkedTurn {
  const { outcome, final } = gradeTurn(live, whole, options);
  const reason = whole.terminalReason;
  return {
    entry,
    standing: { state },
    outcome,
    texts: {
      outcomes: JSON.stringify(entry.outcomes),
      answer: JSON.stringify(outcome),
      state: JSON.stringify(state),
      ...(final !== undefined && reason !== undefined && { end: endOf(final, reason) }),
    },
  };
}

/** A turn that was graded elsewhere, from its texts. */
export function readWorked(texts: TurnTexts, messages: readonly TurnMessage[]): WorkedTurn {
  // Written by `workTurn`, from values of these types.
  const outcome = JSON.parse(texts.answer) as TurnOutcome;
  const { turn, observation, results, voice } = outcome;
  return {
    entry: { turn, messages, outcomes: results, observation, ...(voice && { voice }) },
    standing: standingFrom(texts.state),
    outcome,
    texts,
  };
}

/** A state that is read when somebody asks for it: mostly nobody does. It outlives its turn, and holds nothing else of it. */
function standingFrom(text: string): Standing {
  return {
    get state() {
      return JSON.parse(text) as PlayState;
    },
  };
}

export function endOf(grade: Grade, terminalReason: TerminalReason): EpisodeEnd {
  const { reward, success } = grade;
  return { terminalReason, reward, success, grade: JSON.stringify(grade) };
}

export function transcriptOf(
  { task, opening }: EpisodeAtHand,
  turns: readonly TranscriptTurn[],
  state: PlayState,
  terminalReason: TerminalReason | undefined,
): Transcript {
  return {
    task: task.reference,
    opening,
    turns,
    state,
    ...(terminalReason !== undefined && { terminalReason }),
  };
}
