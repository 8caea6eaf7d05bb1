import { WhetstoneError } from '../../../base/host/errors.ts';
import { nearestName } from '../../../base/schema/check/nearest-names.ts';
import { benchmarks } from '../../../eval/benchmark/benchmarks.ts';
import type { PlayableBenchmark } from '../../../eval/seat/playable.ts';
import type { BenchmarkTasks, TaskSource } from '../../../eval/suite/suite.ts';

/** The benchmarks of a suite, by what it says of each. */
export type OpenedBenchmarks = ReadonlyMap<BenchmarkTasks, PlayableBenchmark>;

/** Opens every benchmark that a suite names: data that are not there are told before anything is played. */
export async function openBenchmarks(tasks: readonly TaskSource[]): Promise<OpenedBenchmarks> {
  const opened = new Map<BenchmarkTasks, PlayableBenchmark>();
  for (const source of tasks) {
    if (!('benchmark' in source)) continue;
    const { benchmark: name, data, part, split, isSolo } = source;
    const benchmark = benchmarks.find((each) => each.name === name);
    if (benchmark === undefined) {
      const known = benchmarks.map((each) => each.name);
      const near = nearestName(name, known);
      throw new WhetstoneError(
        'suite_invalid',
        `There is no benchmark "${name}".${near === undefined ? '' : ` Did you mean "${near}"?`} Known: ${known.join(', ')}.`,
      );
    }
    if (split !== undefined && benchmark.hasSplits !== true)
      throw new WhetstoneError('suite_invalid', `The tasks of ${name} have no splits: leave "split" out.`);
    if (isSolo === true && benchmark.hasSolo !== true)
      throw new WhetstoneError(
        'suite_invalid',
        `The tasks of ${name} cannot be played without a user: leave "solo" out.`,
      );
    opened.set(
      source,
      await benchmark.openTasks(data, {
        ...(part !== undefined && { part }),
        ...(split !== undefined && { split }),
        ...(isSolo !== undefined && { isSolo }),
      }),
    );
  }
  return opened;
}
