import { type JudgedItem, judgedItems } from './judged-items.ts';
import { measureLabels } from './label-agreement.ts';
import { LabelFile } from './label-file.ts';

/** A sentence for each judge of a study: how far it agrees with people, or that nobody knows. */
export async function judgeNotes(folder: string, scenarios: string | undefined): Promise<readonly string[]> {
  const items: JudgedItem[] = [];
  for await (const item of judgedItems(folder, scenarios)) items.push(item);
  return measureLabels(items, new LabelFile(folder).read()).map(
    ({ judge, criterion, labels, advisory, kappa, agreed, agreedInterval }) => {
      if (agreed === undefined || agreedInterval === undefined)
        return `${judge} judges (${criterion}), and nobody has measured how far it agrees with people: take it as advice, and label some (whet eval label).`;
      const [least, most] = agreedInterval;
      return `${judge} agrees with people (${criterion}) in ${agreed.toFixed(2)} of ${labels} labels (95 % ${least.toFixed(2)}–${most.toFixed(2)}, kappa ${kappa?.toFixed(2) ?? 'unknown'})${advisory ? ': take it as advice' : ''}.`;
    },
  );
}
