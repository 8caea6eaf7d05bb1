import { WhetstoneError } from '../../base/host/errors.ts';
import { nearestName } from '../../base/schema/check/nearest-names.ts';
import type { Catalog } from '../../grade/scenario/load/catalog.ts';
import type { PlayerSpec, Suite } from './suite.ts';

/** One episode of a suite: who plays which task for the how-manieth time. */
export interface Cell {
  /** Names the cell in every study of the suite. */
  readonly key: string;
  readonly player: PlayerSpec;
  readonly collection: string;
  readonly scenario: string;
  readonly variant: number;
  readonly trial: number;
}

/** Every episode of a suite, trial by trial, so that whatever was played when a study is stopped is spread over all. */
export function cellsOf(suite: Suite, catalog: Catalog): readonly Cell[] {
  const tasks = new Map<string, Omit<Cell, 'key' | 'player' | 'trial'>>();
  for (const { scenarios, split, variants } of suite.tasks) {
    for (const name of namesOf(catalog, scenarios, split)) {
      const [collection = '', scenario = ''] = name.split('/');
      for (let variant = 0; variant < variants; variant++)
        tasks.set(`${name}/${variant}`, { collection, scenario, variant });
    }
  }
  return Array.from({ length: suite.trials }, (_, trial) =>
    [...tasks].flatMap(([task, named]) =>
      suite.players.map((player) => ({ key: `${player.name}/${task}/${trial}`, player, ...named, trial })),
    ),
  ).flat();
}

function namesOf(catalog: Catalog, pattern: string, split: string | undefined): readonly string[] {
  const all = catalog.collections.flatMap(({ slug, slugs }) =>
    slugs.map((scenario) => `${slug}/${scenario}`),
  );
  const form = new RegExp(`^${pattern.replace(/[^\w*/-]/g, '\\$&').replaceAll('*', '[^/]*')}$`);
  const matching = all.filter((name) => form.test(name));
  if (matching.length === 0) {
    const near = nearestName(pattern, all);
    throw new WhetstoneError(
      'suite_invalid',
      `No scenario is called "${pattern}" in ${catalog.directory}.${near === undefined ? '' : ` Did you mean "${near}"?`} Write collection/name, with * for any part.`,
    );
  }
  if (split === undefined) return matching;
  const splits = new Map(catalog.collections.map((collection) => [collection.slug, collection.splits]));
  const chosen = matching.filter((name) => {
    const [collection = '', scenario = ''] = name.split('/');
    return splits.get(collection)?.[split]?.includes(scenario) === true;
  });
  if (chosen.length === 0)
    throw new WhetstoneError('suite_invalid', `No scenario of "${pattern}" is in the split "${split}".`);
  return chosen;
}
