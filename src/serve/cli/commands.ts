import type { Command } from 'commander';

export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<{ readonly command: () => Command }>;
}

/** One entry a command; its module is loaded only when it is called, so that `whet --help` stays quick. */
export const commands: readonly CommandEntry[] = [
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
    name: 'wire',
    summary: 'Read and write what providers send and take',
    load: () => import('./wire.ts'),
  },
];
