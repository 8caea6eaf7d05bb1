/** The seven dimensions of a grade; a client weighs them with `reward_config`. */
export const dimensions = [
  'success_metrics',
  'failure_metrics',
  'best_practices',
  'rubrics',
  'discovery',
  'output_similarity',
  'decision_match',
] as const;

export type Dimension = (typeof dimensions)[number];
