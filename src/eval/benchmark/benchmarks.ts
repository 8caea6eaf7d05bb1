import type { Benchmark } from './benchmark.ts';

/** Every benchmark that is known, by the name that the command line takes; its code is loaded when it is opened. */
export const benchmarks: readonly Benchmark[] = [
  {
    name: 'tau-bench',
    summary: 'tau-bench: an airline and a shop, graded by their data at the end',
    open: async (folder) => (await import('../tau-bench/grade.ts')).openTauBench(folder),
    openTasks: async (folder, choice) =>
      (await import('../tau-bench/play.ts')).openTauBenchTasks(folder, choice),
  },
  {
    name: 'tau2',
    summary: 'tau2: an airline, a shop and a carrier whose customers have a phone, graded part by part',
    hasSplits: true,
    hasSolo: true,
    open: async (folder) => (await import('../tau2/grade.ts')).openTau2(folder),
    openTasks: async (folder, choice) => (await import('../tau2/play.ts')).openTau2Tasks(folder, choice),
  },
  {
    name: 'bfcl',
    summary: 'The Berkeley function-calling leaderboard: single calls, parallel calls, relevance',
    open: async (folder) => (await import('../bfcl/open.ts')).openBfcl(folder),
    openTasks: async (folder, choice) => (await import('../bfcl/play.ts')).openBfclTasks(folder, choice),
  },
];
