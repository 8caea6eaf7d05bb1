import type { Command } from 'commander';

export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<{ readonly command: () => Command }>;
}

/** One entry a command; its module is loaded only when it is called, so that `whet --help` stays quick. */
export const commands: readonly CommandEntry[] = [
  {
    name: 'ask',
    summary: 'Ask a model once, run the tools it calls, and print its answer',
    load: () => import('./ask.ts'),
  },
  {
    name: 'chat',
    summary: 'Talk with a model that has tools',
    load: () => import('./chat.ts'),
  },
  {
    name: 'run',
    summary: 'Play a scenario with a model or an operator, and watch',
    load: () => import('./run.ts'),
  },
  {
    name: 'tools',
    summary: 'Look at tools, check them, and call them without a model',
    load: () => import('./tools.ts'),
  },
  {
    name: 'computer',
    summary: 'Do what a model asks of a browser page or an X display',
    load: () => import('./computer/computer.ts'),
  },
  {
    name: 'mcp',
    summary: 'Serve tools to MCP clients',
    load: () => import('./mcp.ts'),
  },
  {
    name: 'scenario',
    summary: 'Write, check, look at and play scenarios',
    load: () => import('./scenario/scenario.ts'),
  },
  {
    name: 'grade',
    summary: 'Grade a transcript, with every reason',
    load: () => import('./grade.ts'),
  },
  {
    name: 'regrade',
    summary: 'Grade stored episodes again, side by side with the old grades',
    load: () => import('./regrade.ts'),
  },
  {
    name: 'compare',
    summary: 'Grade two transcripts, and say which is better and why',
    load: () => import('./compare.ts'),
  },
  {
    name: 'fork',
    summary: 'Continue a stored episode from any turn, with another player',
    load: () => import('./episode/fork.ts'),
  },
  {
    name: 'shrink',
    summary: 'Find the smallest transcript that still fails the same way, and what each call was worth',
    load: () => import('./episode/shrink.ts'),
  },
  {
    name: 'export',
    summary: 'Write episodes or a study for other tools: Inspect, ATIF, OpenAI, verifiers, CSV',
    load: () => import('../evaluate/exchange/export.ts'),
  },
  {
    name: 'import',
    summary: 'Read logs and trajectories of other tools',
    load: () => import('../evaluate/exchange/import.ts'),
  },
  {
    name: 'eval',
    summary: 'Play suites of tasks, and say what they show: intervals, comparisons, gates',
    load: () => import('../evaluate/eval/eval.ts'),
  },
  {
    name: 'benchmark',
    summary: 'Grade what models did in public benchmarks, as the official graders do',
    load: () => import('../evaluate/benchmark/benchmark.ts'),
  },
  {
    name: 'start',
    summary: 'Start the server and the page, and play four operators through a scenario',
    load: () => import('./start.ts'),
  },
  {
    name: 'serve',
    summary: 'Start the reward server with its page',
    load: () => import('./serve.ts'),
  },
  {
    name: 'view',
    summary: 'Look at logs, studies and journals on the page, or save them as one HTML file',
    load: () => import('./view/view.ts'),
  },
  {
    name: 'keys',
    summary: 'Create, list and revoke the keys of a server',
    load: () => import('./keys.ts'),
  },
  {
    name: 'store',
    summary: 'Back up, export, import and tidy the data of a server',
    load: () => import('./store.ts'),
  },
  {
    name: 'schema',
    summary: "Read tools from signatures, check values, and convert schemas to a provider's dialect",
    load: () => import('./schema/schema.ts'),
  },
  {
    name: 'mock',
    summary: 'Answer like a provider, from a script',
    load: () => import('./mock.ts'),
  },
  {
    name: 'wire',
    summary: 'Read and write what providers send and take',
    load: () => import('./wire.ts'),
  },
];
