import type { JudgeRequest, RubricLevel, Task } from '../scenario/task.ts';

/** What judges said of one criterion: kept with the grade, so that it replays without them. */
export interface Verdict {
  /** From 0 to 1: what more than half of the votes reach. For a failure: 1 means that it happened. */
  readonly score: number;
  readonly votes: readonly number[];
  readonly reason: string;
  readonly turn?: number;
  /** The judge failed: the criterion is not judged. */
  readonly failed?: boolean;
  /** Who judged. */
  readonly model?: string;
  /** Of all that was asked but the conversation: another prompt is another judge. */
  readonly promptHash?: string;
  readonly usage?: JudgeUsage;
}

/** What a verdict took: how often a model was asked, and its tokens as far as the provider told them. */
export interface JudgeUsage {
  readonly calls: number;
  readonly input: number;
  readonly output: number;
}

export const noJudgeUsage: JudgeUsage = { calls: 0, input: 0, output: 0 };

export function addJudgeUsage(one: JudgeUsage, other: Partial<JudgeUsage> = {}): JudgeUsage {
  return {
    calls: one.calls + (other.calls ?? 0),
    input: one.input + (other.input ?? 0),
    output: one.output + (other.output ?? 0),
  };
}

export type Verdicts = Readonly<Record<string, Verdict>>;

/** A criterion that only a model can judge. */
export interface JudgedCriterion {
  readonly id: string;
  readonly kind: 'success' | 'failure' | 'best_practice' | 'rubric';
  readonly text: string;
  readonly judge: JudgeRequest;
  /** Of a rubric. */
  readonly levels?: readonly RubricLevel[];
}

const judged = new WeakMap<Task, readonly JudgedCriterion[]>();

/** The criteria of a task that need a judge; one with a check of its own does not, unless it is a failure: words show some. */
export function judgedCriteria(task: Task): readonly JudgedCriterion[] {
  let known = judged.get(task);
  if (known === undefined) {
    known = findJudged(task);
    judged.set(task, known);
  }
  return known;
}

function findJudged({ criteria }: Task): readonly JudgedCriterion[] {
  const listed = (
    kind: JudgedCriterion['kind'],
    list: readonly { readonly id: string; readonly text: string; readonly judge?: JudgeRequest }[],
  ): readonly JudgedCriterion[] =>
    list.flatMap((one) => (one.judge ? [{ ...one, kind, judge: one.judge }] : []));
  const unchecked = <One extends { readonly check?: object }>(list: readonly One[]): readonly One[] =>
    list.filter(({ check }) => check === undefined);
  return [
    ...listed('success', unchecked(criteria.success)),
    ...listed('failure', criteria.failure),
    ...listed('best_practice', unchecked(criteria.best_practices)),
    ...listed('rubric', criteria.rubrics),
  ];
}

/** From this agreement with people on, as Cohen's kappa, a judge counts. */
export const leastAgreement = 0.6;

/** Nobody knows how far this judge agrees with people, or it is too little: it is heard, and counts for nothing. */
export function isAdvisory({ agreement }: JudgeRequest): boolean {
  return agreement === undefined || agreement < leastAgreement;
}

/** Whether a verdict counts. That of another model than the measured one does not. */
export function isJudged(judge: JudgeRequest, verdict: Verdict | undefined): verdict is Verdict {
  if (verdict === undefined || verdict.failed === true) return false;
  const isOther = judge.model !== undefined && verdict.model !== undefined && verdict.model !== judge.model;
  return isAdvisory(judge) || !isOther;
}

/** Why no verdict counts: nobody was asked, the judge failed, or it is not the one that was measured. */
export function whyNotJudged({ model }: JudgeRequest, verdict: Verdict | undefined): string {
  if (verdict === undefined) return 'No judge was asked.';
  if (verdict.failed === true) return /[.?!]$/.test(verdict.reason) ? verdict.reason : `${verdict.reason}.`;
  return `Its agreement was measured with ${model}, and ${verdict.model} judged.`;
}

/** The verdicts that an operator would wish for: all achieved, and no failure happened. */
export function bestVerdicts(task: Task): Verdicts {
  return Object.fromEntries(
    judgedCriteria(task).map(({ id, kind }) => {
      const score = kind === 'failure' ? 0 : 1;
      return [id, { score, votes: [score], reason: 'As if the judge were all for it.' }];
    }),
  );
}
