import type { Task } from '../../scenario/task.ts';
import type { Transcript } from '../../scenario/transcript.ts';
import { isJudged, judgedCriteria, type Verdicts } from '../../score/verdict.ts';
import type { Judge } from './judge.ts';

export interface CompleteVerdicts {
  readonly verdicts: Verdicts;
  /** Criteria on which the judge failed, so that the earlier verdicts are kept. */
  readonly kept: readonly string[];
}

/**
 * The verdicts that were there, and a judge's on what has none yet; `again` asks for all of them again. A judge that
 * fails says nothing, and an old verdict stays. A silent transcript has nothing to judge.
 */
export async function completeVerdicts(
  task: Task,
  transcript: Transcript,
  by: { readonly judge: Judge | undefined; readonly again: boolean; readonly stored: Verdicts },
): Promise<CompleteVerdicts> {
  const { judge, again, stored } = by;
  if (judge === undefined || transcript.turns.length === 0) return { verdicts: stored, kept: [] };
  const criteria = judgedCriteria(task);
  const open = criteria.filter((one) => again || !isJudged(one.judge, stored[one.id]));
  if (open.length === 0) return { verdicts: stored, kept: [] };
  const given = await judge.judge(
    task,
    transcript,
    open.map(({ id }) => id),
  );
  const kept = open
    .filter((one) => given[one.id]?.failed === true && isJudged(one.judge, stored[one.id]))
    .map(({ id }) => id);
  const news = Object.entries(given).filter(([id]) => !kept.includes(id));
  return { verdicts: { ...stored, ...Object.fromEntries(news) }, kept };
}
