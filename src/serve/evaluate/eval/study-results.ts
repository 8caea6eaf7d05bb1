import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { WhetstoneError } from '../../../base/host/errors.ts';
import { parseJson } from '../../../base/json/parse.ts';
import type { JsonObject } from '../../../base/json/value.ts';
import type { TaskResult } from '../../../eval/statistics/result.ts';
import { readResults } from './read-results.ts';

/** The results of a study by player, in the order of the suite. */
export function studyResults(folder: string): ReadonlyMap<string, readonly TaskResult[]> {
  const file = join(folder, 'results.jsonl');
  if (!existsSync(file))
    throw new WhetstoneError(
      'usage',
      `There are no results in ${folder}: it has no results.jsonl. Play the study to its end with whet eval.`,
    );
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  const results = lines.filter((line) => line !== '').map((line) => parseJson(line));
  if (results.length === 0) throw new WhetstoneError('usage', `There are no results in ${folder} yet.`);
  // Checked as the results of any line are, so that a file that was changed by hand is told with its place.
  const read = readResults({ [file]: results }, file);
  return Map.groupBy(read, (_, index) => String((results[index] as JsonObject)['player']));
}
