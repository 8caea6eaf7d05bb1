import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { Command, Option } from 'commander';

import { WhetstoneError } from '../../../base/host/errors.ts';
import { makeFolder } from '../../../base/host/make-folder.ts';
import { benchmarks } from '../../../eval/benchmark/benchmarks.ts';
import { readRecordedRuns, recordedBenchmarks } from '../../../eval/benchmark/recorded-runs.ts';
import { type ImportedRun, readImportedRuns, runsFile, sourceFile } from './imported-runs.ts';

interface ImportOptions {
  readonly data: string;
  readonly out: string;
  readonly domain?: string;
  readonly player?: string;
  readonly tasks: 'recorded' | 'data';
}

/** `whet benchmark import`: makes a study of the results file that a benchmark itself wrote. */
export function importRuns(): Command {
  const known = recordedBenchmarks.join(', ');
  return new Command('import')
    .description(
      'Copies the episodes of a results file that the benchmark itself wrote into the folder of a study; `whet eval --replay` grades them.\nA folder takes any number of players; earlier episodes of the same player are replaced.',
    )
    .argument('<name>', `the benchmark: ${known}`)
    .argument('<file>', 'the results file (JSON, also compressed as .gz)')
    .requiredOption('--data <folder>', "the benchmark's own data: a checkout of it")
    .requiredOption('--out <folder>', 'the folder of the study')
    .option('--domain <name>', 'for tau-bench: airline or retail')
    .option('--player <name>', 'who played, if the file does not say so')
    .addOption(
      new Option(
        '--tasks <which>',
        'for tau2: grade by the tasks in the file, as they were played, or by those in the data today',
      )
        .choices(['recorded', 'data'])
        .default('recorded'),
    )
    .action(async (name: string, file: string, options: ImportOptions) => {
      const benchmark = recordedBenchmarks.find((each) => each === name);
      if (benchmark === undefined)
        throw new WhetstoneError('usage', `Runs of "${name}" cannot be imported. Known: ${known}.`);
      const { domain, tasks } = options;
      const found = readRecordedRuns(readText(file), {
        benchmark,
        tasks,
        ...(domain !== undefined && { domain }),
      });
      const player = options.player ?? found.player;
      if (player === undefined)
        throw new WhetstoneError('usage', `${file} does not say who played. Name the player with --player.`);
      // Another folder's data are refused now, and not when they are graded.
      await benchmarks.find((each) => each.name === benchmark)!.open(options.data);
      keep(options, { benchmark, runs: found.runs.map((run) => ({ player, ...run })) });
      console.error(
        `${found.runs.length} episodes of ${player} are in ${options.out}. Grade them: whet eval ${options.out} --replay`,
      );
    });
}

function readText(file: string): string {
  try {
    const bytes = readFileSync(file);
    return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  } catch (cause) {
    throw new WhetstoneError('usage', `${file} cannot be read: ${(cause as Error).message}`, { cause });
  }
}

function keep(
  { out, data }: ImportOptions,
  { benchmark, runs }: { readonly benchmark: string; readonly runs: readonly ImportedRun[] },
): void {
  makeFolder(out);
  const before = existsSync(join(out, runsFile)) ? readImportedRuns(out) : undefined;
  if (before !== undefined && before.benchmark !== benchmark)
    throw new WhetstoneError(
      'study_mismatch',
      `${out} is a study of ${before.benchmark}. Import ${benchmark} into another folder.`,
    );
  const replaced = new Set(runs.map(({ player, domain }) => `${domain}/${player}`));
  const others = (before?.runs ?? []).filter(({ player, domain }) => !replaced.has(`${domain}/${player}`));
  writeFileSync(join(out, sourceFile), `${JSON.stringify({ benchmark, data: resolve(data) })}\n`);
  writeFileSync(join(out, runsFile), [...others, ...runs].map((run) => `${JSON.stringify(run)}\n`).join(''));
}
