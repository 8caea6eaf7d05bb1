import type { PlayableBenchmark, TaskChoice } from '../seat/playable.ts';

/** A public benchmark: a grader alone, whose data are opened once and which answers each line for itself; and tasks. */
export interface Benchmark {
  readonly name: string;
  readonly summary: string;
  /** Reads what the folder holds; throws `benchmark_data` where it is not the benchmark's. */
  readonly open: (folder: string) => Promise<GradeLine>;
  /** Whether its tasks are in splits. */
  readonly hasSplits?: true;
  /** Whether its tasks can be played alone. */
  readonly hasSolo?: true;
  /** Opens tasks to be played. */
  readonly openTasks: (folder: string, choice: TaskChoice) => Promise<PlayableBenchmark>;
}

/**
 * The answer to one line of JSON, its `id` included. It is given the text and not the value, for numbers and the order
 * of keys count. Throws where the line is bad.
 */
export type GradeLine = (line: string) => object;
