import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { WhetstoneError } from '../../base/host/errors.ts';
import type { JsonValue } from '../../base/json/value.ts';
import { findScenario, loadCatalog } from '../../grade/scenario/load/catalog.ts';
import { nearestName } from '../../base/schema/check/nearest-names.ts';
import type { Scenario } from '../../grade/scenario/scenario.ts';
import { formatDiagnostic } from '../../grade/scenario/diagnostic.ts';
import { readScenario, scenarioFile } from '../../grade/scenario/load/read-scenario.ts';
import { withoutByteOrderMark } from './byte-order-mark.ts';

/** Where scenarios are looked for: the folder that was named, `scenarios` here, or the bundled ones. */
export function scenarioFolder(named: string | undefined): string {
  if (named !== undefined && !statSync(named, { throwIfNoEntry: false })?.isDirectory())
    throw new WhetstoneError(
      'usage',
      `There is no folder ${named}. Name a folder of collections with --scenarios.`,
    );
  if (named !== undefined) return resolve(named);
  const here = resolve('scenarios');
  return existsSync(here) ? here : fileURLToPath(new URL('../../../scenarios', import.meta.url));
}

/** The scenario `collection/name`, or one in a folder of its own. */
export function openScenario(name: string, named: string | undefined): Scenario {
  const folder = folderNamed(name);
  if (folder !== undefined) {
    const read = readScenario(folder, { collection: basename(dirname(folder)), scenario: basename(folder) });
    if (read.scenario) return read.scenario;
    throw new WhetstoneError('scenario_invalid', formatDiagnostic(read.faults[0]!));
  }
  return findScenario(loadCatalog(scenarioFolder(named)), ...splitName(name));
}

/** The folder of a scenario that is named by its path, or by that of its file. */
export function folderNamed(name: string): string | undefined {
  const path = resolve(name);
  const folder = scenarioFiles.test(basename(path)) ? dirname(path) : path;
  return name !== '' && scenarioFile(folder) ? folder : undefined;
}

const scenarioFiles = /^scenario\.(?:yaml|ts)$/;

/** `collection/name`; a shell completes it with a slash at its end, and one of Windows with the other slash. */
export function splitName(name: string): [collection: string, scenario: string] {
  const [collection, scenario, ...rest] = partsOf(name);
  if (isPath(name)) throw new WhetstoneError('usage', nothingAt(name));
  if (collection && scenario && rest.length === 0) return [collection, scenario];
  throw new WhetstoneError(
    'usage',
    `"${name}" is not a scenario. Write collection/name, such as case-management/lumbar-strain: \`whet scenario list\` shows them.`,
  );
}

export function partsOf(name: string): readonly string[] {
  return name.replace(/[/\\]+$/, '').split(/[/\\]/);
}

/** More than `collection/name`, or what can only be meant as a path. */
function isPath(name: string): boolean {
  return isAbsolute(name) || /^\.\.?(?:[/\\]|$)/.test(name) || partsOf(name).length > 2;
}

function nothingAt(name: string): string {
  const path = resolve(name);
  const own = folderNamed(name);
  if (own !== undefined)
    return `${name} is a path. Here a scenario is named like ${basename(dirname(own))}/${basename(own)}; --scenarios names the folder of its collection.`;
  if (existsSync(path)) return `${name} is not a scenario: there is no scenario.yaml or scenario.ts in it.`;
  const beside = existsSync(dirname(path)) ? readdirSync(dirname(path)) : [];
  const near = nearestName(basename(path), beside);
  return `There is no folder ${name}.${near === undefined ? '' : ` Did you mean "${near}"?`}`;
}

/** JSON from a file, or from standard input. */
export function readJson(file: string | undefined): JsonValue {
  const text = withoutByteOrderMark(readFileSync(file === undefined || file === '-' ? 0 : file, 'utf8'));
  try {
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    throw new WhetstoneError(
      'usage',
      `${file ?? 'Standard input'} is not JSON: ${(error as Error).message}.`,
      { cause: error },
    );
  }
}
