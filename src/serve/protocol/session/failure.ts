import type { GradeNumbers } from '../../../grade/episode/outcome.ts';

/** What was at fault, where it was not the model: such an episode is not a sample of what the model can do. */
export type Failure = 'environment_error' | 'judge_failed' | 'person_fault';

export function failureOf(
  { notJudged, personFault }: GradeNumbers,
  terminalReason: string,
): Failure | undefined {
  if (terminalReason === 'error') return 'environment_error';
  if (notJudged !== undefined) return 'judge_failed';
  return personFault && 'person_fault';
}
