/** A public benchmark as a grader alone: its own data are opened once, and each line is then answered for itself. */
export interface Benchmark {
  readonly name: string;
  readonly summary: string;
  /** Reads what the folder holds; throws `benchmark_data` where it is not the benchmark's. */
  readonly open: (folder: string) => Promise<GradeLine>;
}

/**
 * The answer to one line of JSON, its `id` included. It is given the text and not the value, for numbers and the order
 * of keys count. Throws where the line is bad.
 */
export type GradeLine = (line: string) => object;
