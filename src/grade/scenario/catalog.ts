import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { WhetstoneError } from '../../base/host/errors.ts';
import type { JsonValue } from '../../base/json/value.ts';
import { isJsonObject } from '../../base/json/value.ts';
import { nearest } from './nearest.ts';
import type { Scenario } from './read-scenario.ts';
import { readScenario } from './read-scenario.ts';
import type { Fault } from './place.ts';
import { readYaml } from './yaml.ts';

/** Collections of scenarios, as they stand in a directory. */
export interface Catalog {
  readonly directory: string;
  readonly collections: readonly Collection[];
  /** What could not be read: said, and left out. */
  readonly faults: readonly Fault[];
}

export interface Collection {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  /** Which scenarios each split holds. */
  readonly splits: Readonly<Record<string, readonly string[]>>;
  readonly scenarios: readonly Scenario[];
}

/** Reads a directory of collections, each a folder with `collection.yaml` and a folder for each scenario. One broken scenario takes nothing else down. */
export function loadCatalog(directory: string): Catalog {
  const faults: Fault[] = [];
  const collections: Collection[] = [];
  for (const slug of foldersIn(directory)) {
    const file = join(directory, slug, 'collection.yaml');
    if (!existsSync(file)) continue;
    const read = readYaml(readFileSync(file, 'utf8'), file);
    faults.push(...read.faults);
    const head = isJsonObject(read.value) ? read.value : {};
    const scenarios: Scenario[] = [];
    for (const name of foldersIn(join(directory, slug))) {
      const folder = join(directory, slug, name);
      if (!existsSync(join(folder, 'scenario.yaml'))) continue;
      const found = readScenario(folder, { collection: slug, scenario: name });
      faults.push(...found.faults);
      if (found.scenario) scenarios.push(found.scenario);
    }
    collections.push({
      slug,
      name: textOr(head['name'], slug),
      description: textOr(head['description'], ''),
      splits: splitsOf(head['splits'], scenarios),
      scenarios,
    });
  }
  return { directory, collections, faults };
}

/** A scenario of the catalog, or an error that names the nearest ones. */
export function findScenario(catalog: Catalog, collection: string, scenario: string): Scenario {
  const shelf = catalog.collections.find((known) => known.slug === collection);
  if (!shelf)
    throw unknown(
      `There is no collection "${collection}".`,
      collection,
      catalog.collections.map((known) => known.slug),
    );
  const found = shelf.scenarios.find((known) => known.slug === scenario);
  if (found) return found;
  const broken = catalog.faults.find((fault) =>
    fault.place.file.startsWith(join(catalog.directory, collection, scenario) + '/'),
  );
  if (broken)
    throw new WhetstoneError(
      'scenario_invalid',
      `The scenario "${collection}/${scenario}" cannot be played: ${broken.message} (${broken.place.file}:${broken.place.line})`,
      { details: { collection, scenario } },
    );
  throw unknown(
    `There is no scenario "${scenario}" in "${collection}".`,
    scenario,
    shelf.scenarios.map((known) => known.slug),
  );
}

function unknown(sentence: string, wanted: string, known: readonly string[]): WhetstoneError {
  const near = nearest(wanted, known);
  return new WhetstoneError(
    'scenario_unknown',
    `${sentence}${near ? ` Did you mean "${near}"?` : ''} Known: ${known.join(', ') || 'none'}.`,
    { details: { wanted, known: [...known] } },
  );
}

function splitsOf(
  value: JsonValue | undefined,
  scenarios: readonly Scenario[],
): Record<string, readonly string[]> {
  if (!isJsonObject(value)) return { train: scenarios.map((scenario) => scenario.slug) };
  return Object.fromEntries(
    Object.entries(value).map(([split, names]) => [
      split,
      (Array.isArray(names) ? names.map(String) : []).filter((name) =>
        scenarios.some((scenario) => scenario.slug === name),
      ),
    ]),
  );
}

function foldersIn(directory: string): readonly string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .filter((name) => !name.startsWith('.') && statSync(join(directory, name)).isDirectory())
    .sort();
}

function textOr(value: JsonValue | undefined, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}
