import type { JudgedCriteria } from './criteria.ts';
import type { JudgedCall } from './expected-call.ts';
import type { CriterionGrade, DimensionGrade, DimensionName, Grade } from './grade.ts';
import { callGrade, discoveryOf, outputsOf } from './progress.ts';
import type { View } from './view.ts';

/** The source's seven dimensions: always all of them, also when an episode ends early. */
export function dimensionsOf(
  view: View,
  judged: {
    readonly calls: readonly JudgedCall[];
    readonly criteria: JudgedCriteria;
    readonly weights: Readonly<Record<DimensionName, number>> | undefined;
    /** The operator said or did anything at all. */
    readonly did: boolean;
  },
): Grade['dimensions'] {
  const { calls, criteria, weights, did } = judged;
  const required = calls.filter((one) => one.expected.required);
  const success = [...required.map(holdGrade), ...criteria.success];
  const decisions = calls.filter(
    (one) => view.task.tools.find((tool) => tool.id === one.expected.call)?.type === 'decision',
  );
  const lists: Readonly<Record<DimensionName, readonly CriterionGrade[]>> = {
    success_metrics: success,
    failure_metrics: criteria.failure,
    best_practices: criteria.practices,
    rubrics: criteria.rubrics,
    discovery: discoveryOf(view),
    output_similarity: [
      ...outputsOf(calls),
      ...calls.filter((one) => !decisions.includes(one)).map(callGrade),
    ],
    decision_match: decisions.map(holdGrade),
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

function holdGrade(one: JudgedCall): CriterionGrade {
  return { ...callGrade(one), kind: 'required', earned: one.holds ? 1 : 0, possible: 1 };
}
