import type { JsonObject } from '../../../base/json/value.ts';
import { numbersOf, type GradeNumbers } from '../../../grade/episode/outcome.ts';
import type { Grade } from '../../../grade/score/grade.ts';
import type { EpisodeRecord } from '../../../grade/store/record.ts';
import { failureOf } from '../session/failure.ts';

/** How an episode, or a conversation graded as a whole, came out. */
export interface Ending {
  readonly numbers: GradeNumbers;
  readonly reason: string;
  readonly episode?: string;
}

/** How a stored episode ended; nothing while it is open. */
export function endingOf({ id, grade, terminalReason }: EpisodeRecord): Ending | undefined {
  if (grade === null || terminalReason === null) return undefined;
  // Written by the engine, from a grade.
  return { numbers: numbersOf(JSON.parse(grade) as Grade), reason: terminalReason, episode: id };
}

/**
 * The fields that trainers read. The components add up to the reward: NeMo RL refuses a batch in which they do not. What
 * is not the model's fault is marked for both readers: `gym eval run` tries it again, NeMo RL gives it no weight.
 */
export function writeReward({ numbers, reason, episode }: Ending, row: JsonObject): JsonObject {
  const { success, progress, gate, scores } = numbers;
  const failure = failureOf(numbers, reason);
  const weight = failure === undefined ? gate / 2 : 0;
  const config = row['instance_config'];
  return {
    reward: failure === undefined ? numbers.reward : 0,
    reward_components: { success: weight * success, progress: weight * progress },
    success,
    progress,
    gate,
    ...scores,
    ...(episode !== undefined && { episode_id: episode }),
    terminal_reason: reason,
    ...(failure !== undefined && {
      _ng_failure_class: failure,
      instance_config: {
        ...(typeof config === 'object' && config !== null && !Array.isArray(config) && config),
        mask_sample: true,
      },
    }),
  };
}
