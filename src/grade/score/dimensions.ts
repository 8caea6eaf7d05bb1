import type { JudgedCriteria } from './criteria.ts';
import type { JudgedCall } from './expected-call.ts';
import type { CriterionGrade, DimensionGrade, DimensionName, Grade } from './grade.ts';
import type { Earned } from './progress.ts';
import type { TranscriptView } from './transcript-view.ts';

/** The source's seven dimensions: always all of them, also when an episode ends early. */
export function dimensionsOf(
  view: TranscriptView,
  judged: {
    readonly calls: readonly JudgedCall[];
    readonly criteria: JudgedCriteria;
    readonly earned: Earned;
    readonly weights: Readonly<Record<DimensionName, number>> | undefined;
    /** The operator said or did anything at all. */
    readonly did: boolean;
  },
): Grade['dimensions'] {
  const { calls, criteria, earned: parts, weights, did } = judged;
  const required: CriterionGrade[] = [];
  const decisions: CriterionGrade[] = [];
  const others: CriterionGrade[] = [];
  calls.forEach(({ expected, holds }, index) => {
    const grade = parts.calls[index]!;
    const held: CriterionGrade = { ...grade, kind: 'required', earned: holds ? 1 : 0, possible: 1 };
    if (expected.required) required.push(held);
    if (view.task.tools.find((tool) => tool.id === expected.call)?.type === 'decision') decisions.push(held);
    else others.push(grade);
  });
  const lists: Readonly<Record<DimensionName, readonly CriterionGrade[]>> = {
    success_metrics: [...required, ...criteria.success],
    failure_metrics: criteria.failure,
    best_practices: criteria.practices,
    rubrics: criteria.rubrics,
    discovery: parts.discovery,
    output_similarity: [...parts.outputs, ...others],
    decision_match: decisions,
  };
  const dimension = (name: DimensionName): DimensionGrade => {
    const list = lists[name];
    const possible = list.reduce((total, one) => total + one.possible, 0);
    const earned = list.reduce((total, one) => total + one.earned, 0);
    return {
      // Nothing done is nothing earned, also where the criterion is to have done no harm.
      score: possible === 0 || !did ? 0 : Math.min(1, Math.max(0, earned / possible)),
      weight: weights ? weights[name] : list.length > 0 ? 1 : 0,
      criteria: list,
    };
  };
  return {
    success_metrics: dimension('success_metrics'),
    failure_metrics: dimension('failure_metrics'),
    best_practices: dimension('best_practices'),
    rubrics: dimension('rubrics'),
    discovery: dimension('discovery'),
    output_similarity: dimension('output_similarity'),
    decision_match: dimension('decision_match'),
  };
}
