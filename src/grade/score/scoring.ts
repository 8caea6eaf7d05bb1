import { WhetstoneError } from '../../base/host/errors.ts';
import type { Task } from '../scenario/task.ts';
import type { Transcript } from '../scenario/transcript.ts';
import type { Grade } from './grade.ts';
import type { GradeOptions } from './grade-transcript.ts';
import { gradeTranscript, scoringVersion } from './grade-transcript.ts';

/** A way to grade: pure, and named by the version that it writes into its grades. */
export type Scoring = (task: Task, transcript: Transcript, options?: GradeOptions) => Grade;

/** Every version of the formula that still grades, so that old rewards can be made again. */
const scorings: Readonly<Record<string, Scoring>> = { [scoringVersion]: gradeTranscript };

export function scoringOf(version: string): Scoring {
  const scoring = Object.hasOwn(scorings, version) ? scorings[version] : undefined;
  if (scoring) return scoring;
  throw new WhetstoneError(
    'scoring_unknown',
    `There is no scoring version "${version}". Known: ${Object.keys(scorings).join(', ')}.`,
    { details: { version, known: Object.keys(scorings) } },
  );
}
