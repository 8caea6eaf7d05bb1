/** docs/benchmarks.md, from the stored results. */
import { type Findings, isKept, tableOf } from './harness.ts';

/** One measurement as it is stored: what was found, and on what. */
export interface StoredResult extends Findings {
  readonly claim: string;
  readonly title: string;
  readonly rounds: number;
  readonly date: string;
  readonly node: string;
  readonly machine: string;
}

export function benchmarksPage(results: readonly StoredResult[]): string {
  const parts = [
    '# Benchmarks',
    'Written by `npm run bench -- <name> --write` from `bench/results/`; not to be edited by hand. Every figure is a median over rounds in which the contenders took turns on one machine: read the ratios, not the absolutes.',
  ];
  for (const result of results) {
    parts.push(
      `## ${result.claim}`,
      `Claim: ${result.title}. Measured ${result.date}, ${result.rounds} rounds, Node ${result.node}, ${result.machine}.`,
      tableOf(result.rows),
      result.limits
        .map((limit) => {
          const bound = limit.atMost === undefined ? `at least ${limit.atLeast}` : `at most ${limit.atMost}`;
          return `- ${isKept(limit) ? 'kept' : '**missed**'}: ${limit.says} is ${limit.measured} (${bound})`;
        })
        .join('\n'),
      ...(result.notes ?? []),
    );
  }
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}
