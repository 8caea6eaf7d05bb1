import { readdirSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';

import type { JsonObject, JsonValue } from '../../../base/json/value.ts';
import { isJsonObject } from '../../../base/json/value.ts';
import { checkFormat } from '../validate/check-format.ts';
import { collectionSchema } from '../format/collection.ts';
import { nearestName } from '../../../base/schema/check/nearest-names.ts';
import type { Diagnostic, SourceFile } from '../diagnostic.ts';
import type { ReadScenario } from './read-scenario.ts';
import type { Scenario } from '../scenario.ts';
import { readScenario, scenarioFile } from './read-scenario.ts';
import { faultOf, readText } from './read-text.ts';
import { readYaml } from './yaml.ts';

export interface Collection {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  /** Every scenario here, sound or not, read or not. */
  readonly slugs: readonly string[];
  /** Which scenarios each split names, of those that are here. */
  readonly splits: Readonly<Record<string, readonly string[]>>;
  /** A scenario as it was when it was first asked for. */
  readonly read: (slug: string) => ReadScenario;
  /** The sound scenarios; reads those that nobody has asked for yet. */
  readonly scenarios: readonly Scenario[];
  /** Of the collection and all its scenarios; reads those too. */
  readonly faults: readonly Diagnostic[];
}

/** The collection in a folder. Of its scenarios only the names are looked up. */
export function collectionIn(folder: string, slug: string): Collection {
  const { source, faults } = readHead(join(folder, 'collection.yaml'));
  const head = isJsonObject(source.value) ? source.value : {};
  const folders = foldersIn(folder);
  const slugs = folders.filter((name) => scenarioFile(`${folder}${sep}${name}`));
  const isHere = new Set(slugs);
  const known = new Map<string, ReadScenario>();
  const read = (name: string): ReadScenario => {
    const kept = known.get(name);
    if (kept) return kept;
    const found = readScenario(`${folder}${sep}${name}`, { collection: slug, scenario: name });
    // What passes by itself is tried again by whoever asks next.
    if (!found.faults.some(({ passing }) => passing)) known.set(name, found);
    return found;
  };
  const own = [
    ...faults,
    ...checkSplits(source, head, slugs),
    ...folders.filter((name) => !isHere.has(name)).flatMap((name) => checkStray(join(folder, name))),
  ];
  return {
    slug,
    name: textOr(head['name'], slug),
    description: textOr(head['description'], ''),
    slugs,
    splits: splitsOf(head['splits'], slugs),
    read,
    get scenarios() {
      return slugs.flatMap((name) => read(name).scenario ?? []);
    },
    get faults() {
      return [...own, ...slugs.flatMap((name) => read(name).faults)];
    },
  };
}

export function foldersIn(directory: string): readonly string[] {
  return readdirSync(directory, { withFileTypes: true })
    .filter(
      (entry) =>
        !entry.name.startsWith('.') &&
        (entry.isDirectory() ||
          (entry.isSymbolicLink() &&
            statSync(join(directory, entry.name), { throwIfNoEntry: false })?.isDirectory())),
    )
    .map((entry) => entry.name)
    .sort();
}

function readHead(file: string): { readonly source: SourceFile; readonly faults: readonly Diagnostic[] } {
  let text: string;
  try {
    text = readText(file) ?? '';
  } catch (error) {
    const fault = faultOf(error, file);
    return { source: { value: null, faults: [fault], locate: () => fault.place }, faults: [fault] };
  }
  const source = readYaml(text, file);
  return { source, faults: source.faults.length > 0 ? source.faults : checkFormat(source, collectionSchema) };
}

function splitsOf(value: JsonValue | undefined, slugs: readonly string[]): Record<string, readonly string[]> {
  if (!isJsonObject(value)) return { train: slugs };
  return Object.fromEntries(
    Object.entries(value).map(([split, names]) => [
      split,
      (Array.isArray(names) ? names.map(String) : []).filter((name) => slugs.includes(name)),
    ]),
  );
}

/** A split that names what is not there would be one scenario short, and nobody would know. */
function checkSplits(source: SourceFile, head: JsonObject, slugs: readonly string[]): readonly Diagnostic[] {
  const splits = isJsonObject(head['splits']) ? head['splits'] : {};
  return Object.entries(splits).flatMap(([split, names]) =>
    (Array.isArray(names) ? names : []).flatMap((name: JsonValue, index) => {
      if (slugs.includes(String(name))) return [];
      const near = nearestName(String(name), slugs);
      return {
        message: `There is no scenario "${String(name)}" here.${near ? ` Did you mean "${near}"?` : ` Known: ${slugs.join(', ') || 'none'}.`}`,
        place: source.locate(['splits', split, index]),
      };
    }),
  );
}

/** A folder that was meant to be a scenario, and has its file under another name. */
function checkStray(folder: string): readonly Diagnostic[] {
  const others = readdirSync(folder).filter((name) => /\.(?:ya?ml|ts)$/i.test(name));
  if (others.length === 0) return [];
  const near = others.find((name) => /^scenario\./i.test(name));
  const message = near
    ? `Its file is called ${near}. Name it ${/ts$/i.test(near) ? 'scenario.ts' : 'scenario.yaml'}.`
    : 'The folder holds neither scenario.yaml nor scenario.ts. Is the file called otherwise?';
  return [{ message, place: { file: folder, line: 1, column: 1 } }];
}

function textOr(value: JsonValue | undefined, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}
