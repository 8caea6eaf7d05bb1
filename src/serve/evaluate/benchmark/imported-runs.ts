import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { WhetstoneError } from '../../../base/host/errors.ts';
import type { RecordedRun } from '../../../eval/benchmark/recorded-runs.ts';

/** Where the folder of a study has what was imported, and from which benchmark. */
export const runsFile = 'recorded.jsonl';
export const sourceFile = 'benchmark.json';

export interface ImportedRun extends RecordedRun {
  readonly player: string;
}

export interface ImportedRuns {
  readonly benchmark: string;
  /** The folder of the benchmark's own data. */
  readonly data: string;
  readonly runs: readonly ImportedRun[];
}

/** What `whet benchmark import` put into a folder. */
export function readImportedRuns(folder: string): ImportedRuns {
  const [source, runs] = [join(folder, sourceFile), join(folder, runsFile)];
  if (!existsSync(source) || !existsSync(runs))
    throw new WhetstoneError(
      'usage',
      `${folder} has no recorded episodes of a benchmark. \`whet benchmark import\` puts them there.`,
    );
  try {
    const { benchmark, data } = JSON.parse(readFileSync(source, 'utf8')) as Omit<ImportedRuns, 'runs'>;
    const lines = readFileSync(runs, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
    return { benchmark, data, runs: lines.map((line) => JSON.parse(line) as ImportedRun) };
  } catch (cause) {
    throw new WhetstoneError(
      'study_mismatch',
      `What was imported into ${folder} cannot be read: ${(cause as Error).message}. Import it again.`,
      { cause },
    );
  }
}
