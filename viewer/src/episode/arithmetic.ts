import type { ExplainedGrade, Reason } from '../../../src/serve/api/grade.ts';

/** A reason with its numbers rounded so that all of them add up to the number they make. */
export interface Line {
  readonly reason: Reason;
  /** Thousandths of the progress. */
  readonly earned: number;
  readonly possible: number;
}

/** What a reward is made of, in thousandths that add up as they are shown. */
export interface Arithmetic {
  readonly credit: readonly Line[];
  readonly penalties: readonly Line[];
  readonly creditSum: number;
  readonly penaltySum: number;
  /** What the page calculates, and what was stored: the second rules where a rule above the sum was at work. */
  readonly summed: number;
  readonly progress: number;
  readonly fatal: readonly Reason[];
  /** What success requires. */
  readonly required: readonly Reason[];
}

const creditKinds: ReadonlySet<string> = new Set(['fact', 'call', 'output', 'rubric']);
const fatalKinds: ReadonlySet<string> = new Set(['fatal', 'prohibited']);

/** Takes a grade apart: credit minus penalties is progress. */
export function arithmeticOf(grade: ExplainedGrade): Arithmetic {
  const reasons = grade.reasons.filter(({ not_judged: open }) => open !== true);
  const counted = reasons.filter(({ kind, possible }) => creditKinds.has(kind) && possible > 0);
  const taken = reasons.filter(({ earned, kind }) => earned < 0 && !fatalKinds.has(kind));
  const earned = apportion(counted.map((reason) => reason.earned));
  const possible = apportion(counted.map((reason) => reason.possible));
  const lost = apportion(taken.map((reason) => -reason.earned));
  const creditSum = sum(earned);
  const penaltySum = sum(lost);
  return {
    credit: counted.map((reason, index) => ({ reason, earned: earned[index]!, possible: possible[index]! })),
    penalties: taken.map((reason, index) => ({ reason, earned: -lost[index]!, possible: 0 })),
    creditSum,
    penaltySum,
    summed: Math.min(1000, Math.max(0, creditSum - penaltySum)),
    progress: Math.round(grade.progress * 1000),
    fatal: reasons.filter(({ kind }) => fatalKinds.has(kind)),
    required:
      grade.dimensions
        .find(({ name }) => name === 'success_metrics')
        ?.criteria.filter(({ kind }) => kind === 'required' || kind === 'success') ?? [],
  };
}

/** Rounds to thousandths whose sum is the rounded sum: those that lose most by rounding down are rounded up. */
function apportion(values: readonly number[]): readonly number[] {
  const exact = values.map((value) => value * 1000);
  const rounded = exact.map(Math.floor);
  let missing = Math.round(sum(exact)) - sum(rounded);
  const order = exact.map((value, index) => ({ index, rest: value - Math.floor(value) }));
  for (const { index } of order.toSorted((a, b) => b.rest - a.rest)) {
    if (missing-- <= 0) break;
    rounded[index]! += 1;
  }
  return rounded;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** The sentence that says why: what holds back most. */
export function whySentence(grade: ExplainedGrade): string {
  const { fatal, required, credit } = arithmeticOf(grade);
  if (fatal[0]) return `The gate is closed, so nothing counts: ${fatal[0].reason}`;
  const failed = required.find(({ earned, possible }) => earned < possible);
  if (grade.success === 0 && failed) return `No success: ${plain(failed.reason)}`;
  const lost = credit
    .filter(({ reason }) => reason.earned < reason.possible)
    .toSorted((a, b) => b.reason.possible - b.reason.earned - (a.reason.possible - a.reason.earned))[0];
  if (lost) return `${grade.success === 1 ? 'A success. ' : ''}What cost most: ${plain(lost.reason.reason)}`;
  return grade.success === 1 ? 'A success, and nothing was missed.' : 'Nothing was required that holds.';
}

/** The three shares at the end of a reason are shown as numbers elsewhere. */
export function plain(reason: string): string {
  return reason.replace(/ \(appropriate [\d.]+, input [\d.]+, timing [\d.]+\)$/, '');
}

/** Thousandths as a decimal without needless zeros. */
export function thousandths(value: number): string {
  return (value / 1000).toFixed(3).replace(/\.?0+$/, '');
}
