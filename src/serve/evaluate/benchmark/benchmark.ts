import { Command } from 'commander';

import { WhetstoneError } from '../../../base/host/errors.ts';
import { benchmarks } from '../../../eval/benchmark/benchmarks.ts';
import { answerLines } from '../../terminal/json-lines.ts';
import { importRuns } from './import-runs.ts';

export function command(): Command {
  const known = benchmarks.map(({ name }) => name).join(', ');
  return new Command('benchmark')
    .description('Grade what models did in public benchmarks, as the official graders do.')
    .addCommand(
      new Command('score')
        .description(
          'Grade episodes or calls that were recorded elsewhere: one per line in, one answer per line out.',
        )
        .argument('<name>', `the benchmark: ${known}`)
        .argument('[file]', 'a file of JSON Lines; standard input when it is left out or "-"')
        .requiredOption('--data <folder>', "the benchmark's own data: a checkout of it")
        .action(async (name: string, file: string | undefined, { data }: { readonly data: string }) => {
          const benchmark = benchmarks.find((each) => each.name === name);
          if (benchmark === undefined)
            throw new WhetstoneError('usage', `There is no benchmark "${name}". Known: ${known}.`);
          process.exitCode = await answerLines(file, await benchmark.open(data));
        }),
    )
    .addCommand(importRuns());
}
