import type { Transcript } from '../scenario/transcript.ts';
import { gradeTranscript } from '../score/grade-transcript.ts';
import type { Grade, RewardConfig } from '../score/grade.ts';
import type { Verdicts } from '../score/verdict.ts';
import type { EpisodeAtHand } from './work-turn.ts';
import { breakdownOf, numbersOf, type TurnOutcome } from './outcome.ts';

export interface GradeTurnOptions {
  readonly rewardConfig: RewardConfig | undefined;
  readonly verdicts: Verdicts;
  /** The scenario stands in a test split. */
  readonly isTest: boolean;
}

/** What the last turn of a transcript is answered with, and the final grade when it ended the episode. */
export function gradeTurn(
  { task, options }: Pick<EpisodeAtHand, 'task' | 'options'>,
  whole: Transcript,
  { rewardConfig, verdicts, isTest }: GradeTurnOptions,
): { readonly outcome: TurnOutcome; readonly final?: Grade } {
  const { turn, observation, outcomes, voice } = whole.turns.at(-1)!;
  const ended = whole.terminalReason;
  const final = ended === undefined ? undefined : gradeTranscript(task, whole, { verdicts });
  // A test split tells nothing on the way: one grade, at the end.
  const silent = isTest && ended === undefined && !options.explain;
  const told =
    !options.scoreTurns || silent
      ? undefined
      : final !== undefined && rewardConfig === undefined
        ? final
        : gradeTranscript(task, whole, { verdicts, ...(rewardConfig && { rewardConfig }) });
  const outcome: TurnOutcome = {
    turn,
    observation,
    results: outcomes,
    ...(voice && { voice }),
    ...(ended !== undefined && { ended }),
    ...(told && { numbers: numbersOf(told) }),
    ...(told && options.explain && { breakdown: breakdownOf(told) }),
    ...(final && { final: numbersOf(final) }),
  };
  return { outcome, ...(final && { final }) };
}
