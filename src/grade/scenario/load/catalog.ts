import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { sleep } from '../../../base/host/clock.ts';
import { WhetstoneError } from '../../../base/host/errors.ts';
import type { Collection } from './collection.ts';
import { collectionIn, foldersIn } from './collection.ts';
import { nearestName } from '../../../base/schema/check/nearest-names.ts';
import type { Diagnostic } from '../diagnostic.ts';
import type { Scenario } from '../scenario.ts';
import { scenarioFile } from './read-scenario.ts';
import { invalidScenario } from '../invalid-scenario.ts';

/** Collections of scenarios, as they are in a directory. Each scenario is read when it is first asked for. */
export interface Catalog {
  readonly directory: string;
  readonly collections: readonly Collection[];
  /** What is not a collection, and was left out. */
  readonly misplaced: readonly Diagnostic[];
  /** What could not be read, and is left out. To know it, every scenario is read that was not read yet. */
  readonly faults: readonly Diagnostic[];
}

/** Looks through a directory of collections, each a folder with `collection.yaml` and a folder for each scenario. One broken scenario takes nothing else down. */
export function loadCatalog(directory: string): Catalog {
  const collections: Collection[] = [];
  const misplaced: Diagnostic[] = [];
  const here = { file: directory, line: 1, column: 1 };
  if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory())
    misplaced.push({ message: 'There is no such folder. Name a folder of collections.', place: here });
  else if (existsSync(join(directory, 'collection.yaml')))
    misplaced.push({ message: 'This is a collection. Name the folder that it is in.', place: here });
  else
    for (const slug of foldersIn(directory)) {
      const folder = join(directory, slug);
      if (existsSync(join(folder, 'collection.yaml'))) collections.push(collectionIn(folder, slug));
      else if (foldersIn(folder).some((name) => scenarioFile(join(folder, name))))
        misplaced.push({
          message: `It holds scenarios, but no collection.yaml. Write one: "name: ${slug}", and "splits".`,
          place: { ...here, file: folder },
        });
    }
  return {
    directory,
    collections,
    misplaced,
    get faults() {
      return [...misplaced, ...collections.flatMap((collection) => collection.faults)];
    },
  };
}

/** A scenario of the catalog, or an error that names the nearest ones. */
export function findScenario(catalog: Catalog, collection: string, scenario: string): Scenario {
  const shelf = catalog.collections.find((known) => known.slug === collection);
  if (!shelf)
    throw unknown(
      catalog.collections.length === 0
        ? `There is no collection "${collection}": the catalog is empty. Is it made from a folder of collections?`
        : `There is no collection "${collection}".`,
      collection,
      catalog.collections.map((known) => known.slug),
    );
  if (!shelf.slugs.includes(scenario))
    throw unknown(`There is no scenario "${scenario}" in "${collection}".`, scenario, shelf.slugs);
  const read = shelf.read(scenario);
  if (read.scenario) return read.scenario;
  throw invalidScenario(collection, scenario, read.faults[0]!);
}

/** Reads whatever nobody has asked for yet, one scenario at a time, and tells each fault. For a server that answers meanwhile. */
export async function readAhead(
  catalog: Catalog,
  options: { readonly tell: (fault: Diagnostic) => void; readonly signal: AbortSignal },
): Promise<void> {
  const told = new Set<Diagnostic>();
  const tell = (faults: readonly Diagnostic[]) => {
    for (const fault of faults) if (!told.has(fault)) options.tell(fault);
    for (const fault of faults) told.add(fault);
  };
  for (const { slugs, read } of catalog.collections)
    for (const slug of slugs) {
      await sleep(0, options);
      tell(read(slug).faults);
    }
  tell(catalog.faults);
}

function unknown(sentence: string, wanted: string, known: readonly string[]): WhetstoneError {
  const near = nearestName(wanted, known);
  return new WhetstoneError(
    'scenario_unknown',
    `${sentence}${near ? ` Did you mean "${near}"?` : ''} Known: ${known.join(', ') || 'none'}.`,
    { details: { wanted, known: [...known] } },
  );
}
