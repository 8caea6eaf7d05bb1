import type { PlayState, TerminalReason } from '../scenario/play-state.ts';
import type { HearingRecord, Transcript, TranscriptTurn, TurnMessage } from '../scenario/transcript.ts';
import { gradeTranscript } from '../score/grade-transcript.ts';
import type { Grade, RewardConfig } from '../score/grade.ts';
import type { Verdicts } from '../score/verdict.ts';
import type { EpisodeEnd, EpisodeGrade } from '../store/record.ts';
import type { LiveEpisode } from './live-episode.ts';
import { breakdownOf, numbersOf, type TurnOutcome } from './outcome.ts';
import type { VoicedTurn } from './voice/voice.ts';

/** A turn that was played, and the transcript with it. */
export interface TakenTurn {
  readonly entry: TranscriptTurn;
  readonly state: PlayState;
  readonly transcript: Transcript;
}

/** What the turn is answered with, and the end of the episode where it was the last. */
export interface GradedTurn {
  readonly outcome: TurnOutcome;
  readonly end?: EpisodeEnd;
}

export interface GradeTurnOptions {
  readonly rewardConfig: RewardConfig | undefined;
  readonly verdicts: Verdicts;
  /** The scenario is in a test split. */
  readonly isTest: boolean;
}

/** Puts a played turn behind those of the episode. */
export function takeTurn(
  live: LiveEpisode,
  messages: readonly TurnMessage[],
  { state, outcomes, observation, voice, ended }: VoicedTurn,
  hearing?: HearingRecord,
): TakenTurn {
  const turn = live.turns.length + 1;
  const entry: TranscriptTurn = {
    turn,
    messages,
    outcomes,
    observation,
    ...(voice && { voice }),
    ...(hearing && { hearing }),
  };
  const reason = ended ?? (turn >= live.options.maxTurns ? 'max_turns_reached' : undefined);
  return { entry, state, transcript: transcriptOf(live, [...live.turns, entry], state, reason) };
}

/** Grades a turn that was taken. */
export function gradeTurn(
  { task, options }: LiveEpisode,
  { entry, transcript }: TakenTurn,
  { rewardConfig, verdicts, isTest }: GradeTurnOptions,
): GradedTurn {
  const { turn, observation, outcomes, voice, hearing } = entry;
  const ended = transcript.terminalReason;
  const final = ended === undefined ? undefined : gradeTranscript(task, transcript, { verdicts });
  // A test split tells nothing on the way: one grade, at the end.
  const silent = isTest && ended === undefined && !options.explain;
  const told =
    !options.scoreTurns || silent
      ? undefined
      : final !== undefined && rewardConfig === undefined
        ? final
        : gradeTranscript(task, transcript, { verdicts, ...(rewardConfig && { rewardConfig }) });
  const outcome: TurnOutcome = {
    turn,
    observation,
    results: outcomes,
    ...(voice && { voice }),
    ...(hearing && { hearing }),
    ...(ended !== undefined && { ended }),
    ...(told && { numbers: numbersOf(told) }),
    ...(told && options.explain && { breakdown: breakdownOf(told) }),
    ...(final && { final: numbersOf(final) }),
  };
  return { outcome, ...(final && ended !== undefined && { end: endOf(final, ended) }) };
}

export function endOf(grade: Grade, terminalReason: TerminalReason): EpisodeEnd {
  return { terminalReason, ...gradeColumns(grade) };
}

/** A grade as the row of its episode keeps it: whole, and apart what lists and sums ask for. */
export function gradeColumns(grade: Grade): EpisodeGrade {
  const { reward, success, progress, gate } = grade;
  const scores = JSON.stringify(numbersOf(grade).scores);
  return { reward, success, progress, gate, scores, grade: JSON.stringify(grade) };
}

export function transcriptOf(
  { task, opening }: LiveEpisode,
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
