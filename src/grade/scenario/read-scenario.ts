import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import { isJsonObject } from '../../base/json/value.ts';
import type { Shape } from './task.ts';
import type { Axis } from './variant.ts';
import { axesOf, countVariants } from './variant.ts';
import type { Fault, YamlFile } from './yaml.ts';
import { readYaml } from './yaml.ts';

/** A scenario as it is written: a template from which `taskOf` makes tasks. */
export interface Scenario {
  readonly collection: string;
  readonly slug: string;
  readonly folder: string;
  readonly name: string;
  readonly description: string;
  readonly shape: Shape;
  readonly version: string;
  readonly canary: string;
  readonly axes: readonly Axis[];
  /** How many variants there are, counted from 0. */
  readonly variants: number;
  readonly template: JsonObject;
  /** `paths.yaml`: the gold path and the flawed ones. */
  readonly paths: JsonObject;
  /** The text of each document, by its file. */
  readonly documents: Readonly<Record<string, string>>;
  readonly source: YamlFile;
}

export interface ReadScenario {
  readonly scenario?: Scenario;
  readonly faults: readonly Fault[];
}

/** Reads a scenario's folder. Faults carry file and line; a scenario with faults is not given. */
export function readScenario(
  folder: string,
  names: { readonly collection: string; readonly scenario: string },
): ReadScenario {
  const file = join(folder, 'scenario.yaml');
  const source = readYaml(readFileSync(file, 'utf8'), file);
  if (source.faults.length > 0) return { faults: source.faults };
  const faults: Fault[] = [];
  const template = source.value;
  if (!isJsonObject(template))
    return {
      faults: [{ message: 'A scenario is a mapping that begins with its name.', place: source.locate([]) }],
    };
  for (const member of ['name', 'briefing', 'tools', 'expect'])
    if (!(member in template)) faults.push({ message: `"${member}" is missing.`, place: source.locate([]) });
  const documents: Record<string, string> = {};
  listOf(template['documents']).forEach((document, index) => {
    const name = isJsonObject(document) ? String(document['file'] ?? '') : '';
    const path = join(folder, name);
    if (name !== '' && existsSync(path)) documents[name] = readFileSync(path, 'utf8');
    else
      faults.push({
        message: `The document "${name}" is not there. Write it at ${path}, or take the line away.`,
        place: source.locate(['documents', index, 'file']),
      });
  });
  const pathsFile = join(folder, 'paths.yaml');
  const paths = existsSync(pathsFile) ? readYaml(readFileSync(pathsFile, 'utf8'), pathsFile) : undefined;
  if (paths) faults.push(...paths.faults);
  if (faults.length > 0) return { faults };
  const axes = axesOf(template['vary']);
  return {
    faults,
    scenario: {
      collection: names.collection,
      slug: names.scenario,
      folder,
      name: String(template['name']),
      description: String(template['description'] ?? ''),
      shape: (template['shape'] ?? 'conversation') as Shape,
      version: String(template['version'] ?? '1.0'),
      canary: String(template['canary'] ?? ''),
      axes,
      variants: countVariants(axes),
      template,
      paths: isJsonObject(paths?.value) ? paths.value : {},
      documents,
      source,
    },
  };
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}
