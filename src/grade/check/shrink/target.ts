import { WhetstoneError } from '../../../base/host/errors.ts';
import type { CriterionGrade, Grade } from '../../score/grade.ts';

/** What a smaller transcript must still do: fail a criterion in the same way, earn what it earned, or earn the reward. */
export type ShrinkTarget =
  | { readonly keeps: 'failure' | 'credit'; readonly criterion: CriterionGrade }
  | { readonly keeps: 'reward'; readonly reward: number; readonly success: 0 | 1 };

/** The target that was asked for; without one, what most calls for an explanation. */
export function targetOf(
  grade: Grade,
  { criterion, reward = false }: { readonly criterion?: string; readonly reward?: boolean | number } = {},
): ShrinkTarget {
  if (criterion !== undefined) {
    const named = reasonsOf(grade).filter((one) => nameOf(one) === criterion || one.id === criterion);
    const found = named.find(isFailed) ?? named[0];
    if (found !== undefined) return { keeps: isFailed(found) ? 'failure' : 'credit', criterion: found };
    const known = [...new Set(reasonsOf(grade).map(nameOf))].join(', ');
    throw new WhetstoneError(
      'criterion_unknown',
      `The grade of this transcript has no criterion "${criterion}". It has: ${known}.`,
      { details: { criterion } },
    );
  }
  if (typeof reward === 'number')
    return { keeps: 'reward', reward: Math.min(reward, grade.reward), success: 0 };
  const fault = reward || grade.success === 1 ? undefined : worstOf(grade);
  if (fault !== undefined) return { keeps: 'failure', criterion: fault };
  return { keeps: 'reward', reward: grade.reward, success: grade.success };
}

/** What closed the gate; else what took most; else the largest credit that something in the transcript missed. */
function worstOf(grade: Grade): CriterionGrade | undefined {
  const failed = reasonsOf(grade).filter(isFailed);
  return (
    failed.find(closesGate) ??
    failed.filter(({ earned }) => earned < 0).toSorted((a, b) => a.earned - b.earned)[0] ??
    failed
      .filter(({ turn }) => turn !== undefined)
      .toSorted((a, b) => b.possible - b.earned - (a.possible - a.earned))[0]
  );
}

/** Whether a grade is as the target asks. */
export function meets(grade: Grade, target: ShrinkTarget): boolean {
  if (target.keeps === 'reward') return grade.reward >= target.reward && grade.success >= target.success;
  const { criterion, keeps } = target;
  return reasonsOf(grade).some((one) => {
    if (one.kind !== criterion.kind || nameOf(one) !== nameOf(criterion)) return false;
    if (keeps === 'credit') return one.earned >= criterion.earned;
    if (!isFailed(one) || one.earned > criterion.earned) return false;
    // What points to a turn fails by what is in it: to leave that out is another failure.
    return criterion.turn === undefined || (one.turn !== undefined && shapeOf(one) === shapeOf(criterion));
  });
}

function reasonsOf({ reasons, dimensions }: Grade): readonly CriterionGrade[] {
  return [...reasons, ...dimensions.best_practices.criteria];
}

function isFailed(one: CriterionGrade): boolean {
  return closesGate(one) || one.earned < 0 || one.earned < one.possible;
}

function closesGate({ kind }: CriterionGrade): boolean {
  return kind === 'fatal' || kind === 'prohibited';
}

/** The id of a criterion. That of a call which nothing expects has the number of its turn, which changes. */
export function nameOf({ id, kind }: CriterionGrade): string {
  return kind === 'stray_call' ? id.replace(/@\d+$/, '') : id;
}

/** The reason without its numbers. */
function shapeOf({ reason }: CriterionGrade): string {
  return reason.replaceAll(/\d+(?:\.\d+)?/g, '#');
}
