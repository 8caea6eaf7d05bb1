/** Writes docs/benchmarks.md from the stored results: `npm run docs` does it, `npm run bench -- … --write` too. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

import { isKept, tableOf } from './harness.ts';
import type { StoredResult } from './run.ts';

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

export function storedResults(folder: URL): StoredResult[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .toSorted()
    .map((file) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as StoredResult);
}

if (import.meta.main) {
  const page = benchmarksPage(storedResults(new URL('results/', import.meta.url)));
  writeFileSync(new URL('../docs/benchmarks.md', import.meta.url), page);
}
