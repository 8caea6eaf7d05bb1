import { actPaths } from '../../../grade/check/act-paths.ts';
import { measureAnswers, type AnswerMeasure } from '../../../grade/check/by-heart/measure-answers.ts';
import { PageStage } from '../../../grade/play/page/page-stage.ts';
import type { Scenario } from '../../../grade/scenario/scenario.ts';
import { loadCatalog } from '../../../grade/scenario/load/catalog.ts';
import { findScenarios } from './scenario-check.ts';
import { scenarioFolder } from '../../terminal/scenario-folder.ts';

export interface TableFlags {
  readonly scenarios?: string;
  readonly variants: number;
}

/** Prints how far each scenario can be learned by heart, as a page. */
export async function printTable(names: readonly string[], flags: TableFlags): Promise<void> {
  await using stage = new PageStage();
  const scenarios = (names.length > 0 ? names : ['']).flatMap(
    (name) => findScenarios(name, flags.scenarios).scenarios,
  );
  const { collections } = loadCatalog(scenarioFolder(flags.scenarios));
  const splitOf = ({ collection, slug }: Scenario) =>
    Object.entries(collections.find((one) => one.slug === collection)?.splits ?? {}).find(([, slugs]) =>
      slugs.includes(slug),
    )?.[0] ?? '';
  const rows: { scenario: Scenario; measure: AnswerMeasure; split: string }[] = [];
  for (const scenario of scenarios) {
    const acted = await actPaths(scenario, { variants: flags.variants, stage, paths: 'gold' });
    const measure = measureAnswers(scenario, { played: flags.variants, acted });
    console.error(`${scenario.collection}/${scenario.slug}`);
    rows.push({ scenario, measure, split: splitOf(scenario) });
  }
  const sum = rows.reduce((all, { measure }) => all + measure.distinct, 0);
  const kinds = new Set(scenarios.map(({ kind }) => kind)).size;
  const shelves = new Set(scenarios.map(({ collection }) => collection)).size;
  console.log(
    [
      '# The bundled scenarios',
      'Written by `whet scenario table`; not to be edited by hand.',
      `${rows.length} templates of ${kinds} kinds in ${shelves} collections, with ${sum} distinct right answers. *Answers* counts them over all variants: what is required of the calls, without what is only handed on, such as the number of an order. *Constant* is how often the best constant decision is right, *one fact* how often it is who looks at one fact alone, the most telling one. The rest are mean rewards over ${flags.variants} variants. *Interview* asks and reads all that the gold path does, and then gives the best answer that does not listen to it; *by one fact* does the same and decides by the most telling fact, and is the strongest that knows no gold.`,
      [
        '| scenario | kind | split | variants | answers | constant | one fact | random | interview | by one fact | gold |',
        '| --- | --- | --- | --: | --: | --: | --: | --: | --: | --: | --: |',
        ...rows.map(({ scenario, measure, split }) => {
          const { random, interview, one_fact, gold } = measure.skills;
          const shares = [measure.constant, measure.accuracy, random, interview, one_fact, gold];
          return `| ${[
            `${scenario.collection}/${scenario.slug}`,
            scenario.kind,
            split,
            scenario.variants,
            measure.distinct,
            ...shares.map((share) => share.toFixed(2)),
          ].join(' | ')} |`;
        }),
      ].join('\n'),
    ].join('\n\n'),
  );
}
