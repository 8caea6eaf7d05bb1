import { WhetstoneError } from '../../../base/host/errors.ts';
import { measureAgreement, type Agreement } from '../../../grade/episode/judge/agreement.ts';
import type { Scenario } from '../../../grade/scenario/scenario.ts';
import { readLabels } from '../../../grade/check/labels.ts';
import { leastAgreement } from '../../../grade/score/verdict.ts';
import { exitCode } from '../../terminal/exit-code.ts';
import { judgeOf, type JudgeFlags } from '../../terminal/option/judge-option.ts';

/** Asks a judge of all that people have labelled, and prints how far the two agree. */
export async function printAgreement(scenario: Scenario, flags: JudgeFlags): Promise<void> {
  const judge = await judgeOf(flags);
  if (judge === undefined)
    throw new WhetstoneError('usage', 'Who judges? Give --judge-model provider/model.');
  const { labelled, faults } = readLabels(scenario);
  for (const { place, message } of faults) console.error(`${place.file}:${place.line}: ${message}`);
  if (faults.length > 0 || labelled.length === 0)
    throw new WhetstoneError(
      'usage',
      `There are no labels to compare with: write ${scenario.folder}/labels.yaml.`,
    );
  const measured = await measureAgreement(judge, labelled, (count) =>
    console.error(`${count} of ${labelled.length} conversations judged`),
  );
  for (const one of measured) console.error(textOf(one));
  console.log(
    JSON.stringify({
      scenario: `${scenario.collection}/${scenario.slug}`,
      criteria: measured.map(({ promptHash, ...one }) => ({ ...one, prompt_hash: promptHash })),
    }),
  );
  const counts = measured.every(({ kappa }) => kappa !== undefined && kappa >= leastAgreement);
  process.exitCode = counts ? exitCode.ok : exitCode.no;
}

function textOf({ criterion, model, examples, judged, agreed, kappa, disagreements }: Agreement): string {
  const verdict =
    kappa === undefined
      ? 'no kappa: all said the same'
      : `kappa ${kappa.toFixed(2)}${kappa < leastAgreement ? `, below ${leastAgreement}: advisory` : ''}`;
  return [
    `${criterion} by ${model ?? 'nobody'}: ${judged} of ${examples} judged, ${(agreed * 100).toFixed(0)} % as people did, ${verdict}`,
    ...disagreements.map(
      ({ example, people, judge, reason }) => `  ${example}: people ${people}, judge ${judge}: ${reason}`,
    ),
  ].join('\n');
}
