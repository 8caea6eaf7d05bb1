import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { WhetstoneError } from '../../base/host/errors.ts';
import type { JsonValue } from '../../base/json/value.ts';
import { findScenario, loadCatalog } from '../../grade/scenario/catalog.ts';
import type { Scenario } from '../../grade/scenario/scenario.ts';
import { sayFault } from '../../grade/scenario/place.ts';
import { readScenario, scenarioFile } from '../../grade/scenario/read-scenario.ts';
import { withoutByteOrderMark } from './byte-order-mark.ts';

/** Where scenarios are looked for: the folder that was named, `scenarios` here, or the bundled ones. */
export function scenarioFolder(named: string | undefined): string {
  if (named !== undefined) return resolve(named);
  const here = resolve('scenarios');
  return existsSync(here) ? here : fileURLToPath(new URL('../../../scenarios', import.meta.url));
}

/** The scenario `collection/name`, or one in a folder of its own. */
export function openScenario(name: string, named: string | undefined): Scenario {
  const folder = resolve(name);
  if (scenarioFile(folder)) {
    const read = readScenario(folder, { collection: basename(dirname(folder)), scenario: basename(folder) });
    if (read.scenario) return read.scenario;
    throw new WhetstoneError('scenario_invalid', sayFault(read.faults[0]!));
  }
  return findScenario(loadCatalog(scenarioFolder(named)), ...splitName(name));
}

/** `collection/name`; a shell of Windows completes it with the other slash. */
export function splitName(name: string): [collection: string, scenario: string] {
  const [collection, scenario, ...rest] = name.split(/[/\\]/);
  if (collection && scenario && rest.length === 0) return [collection, scenario];
  throw new WhetstoneError(
    'usage',
    `"${name}" is no scenario. Write collection/name, such as case-management/lumbar-strain: \`whet scenario list\` shows them.`,
  );
}

/** JSON from a file, or from standard input. */
export function readJson(file: string | undefined): JsonValue {
  const text = withoutByteOrderMark(readFileSync(file === undefined || file === '-' ? 0 : file, 'utf8'));
  try {
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    throw new WhetstoneError(
      'usage',
      `${file ?? 'Standard input'} holds no JSON: ${(error as Error).message}.`,
      { cause: error },
    );
  }
}
