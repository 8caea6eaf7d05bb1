import { seededRandom } from '../../../../base/host/random.ts';
import {
  krippendorffAlpha,
  raterAgreement,
  type RaterAgreement,
} from '../../../../eval/statistics/agreement.ts';
import { leastAgreement } from '../../../../grade/score/verdict.ts';
import { aligned, interval } from '../print-study.ts';
import type { JudgedItem } from './judged-items.ts';
import type { Label } from './label-file.ts';

/** How many labels are needed before an agreement says enough. */
const leastLabels = 100;

/** How far one judge, with one prompt, agrees with people. */
export interface JudgeAgreement extends Partial<RaterAgreement> {
  readonly judge: string;
  readonly criterion: string;
  readonly labels: number;
  /** Counts where it is measured well enough; else it is heard, and is not a proof. */
  readonly advisory: boolean;
  /** Krippendorff's alpha of the people alone, where several labelled the same. */
  readonly people?: number;
}

const nobody = 'not judged';

/** By judge and criterion; claims and answers of a kind belong together. */
export function measureLabels(
  items: readonly JudgedItem[],
  labels: readonly Label[],
): readonly JudgeAgreement[] {
  const given = Map.groupBy(labels, ({ key, criterion }) => JSON.stringify([key, criterion]));
  const groups = Map.groupBy(items, (item) => JSON.stringify([item.judge ?? nobody, kindOf(item.criterion)]));
  return [...groups].map(([name, own]) => {
    const [judge = '', criterion = ''] = JSON.parse(name) as string[];
    const ofPeople = own.map((item) => given.get(JSON.stringify([item.key, item.criterion])) ?? []);
    const pairs = own.flatMap(({ verdict }, index) =>
      verdict === undefined ? [] : ofPeople[index]!.map(({ label }) => [label, verdict] as const),
    );
    const agreement = raterAgreement(pairs, seededRandom(1));
    const people = krippendorffAlpha(ofPeople.map((each) => each.map(({ label }) => label)));
    return {
      judge,
      criterion,
      labels: ofPeople.flat().length,
      advisory: (agreement?.count ?? 0) < leastLabels || (agreement?.kappa ?? 0) < leastAgreement,
      ...agreement,
      ...(people !== undefined && { people }),
    };
  });
}

/** `claim 3` is one of the claims. */
function kindOf(criterion: string): string {
  return criterion.replace(/^claim \d+$/, 'claims');
}

export function agreementTable(agreements: readonly JudgeAgreement[]): string {
  return aligned([
    ['judge', 'criterion', 'labels', 'agreed', '95 %', 'kappa', '95 %', 'people alone', 'it is'],
    ...agreements.map((each) => [
      each.judge,
      each.criterion,
      String(each.labels),
      each.agreed?.toFixed(3) ?? '–',
      interval(each.agreedInterval),
      each.kappa?.toFixed(2) ?? '–',
      interval(each.kappaInterval),
      each.people?.toFixed(2) ?? '–',
      wordsFor(each),
    ]),
  ]);
}

function wordsFor({ advisory, count = 0, kappa }: JudgeAgreement): string {
  if (!advisory) return 'measured';
  if (count < leastLabels) return `advisory: ${leastLabels - count} more labels are needed`;
  return `advisory: kappa ${kappa === undefined ? 'cannot be told' : `is below ${leastAgreement}`}`;
}
