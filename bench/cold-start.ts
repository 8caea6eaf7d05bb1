import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { type Claim, inFreshProcess, median, round } from './harness.ts';

/** What a user imports to run a tool loop, in a process that has done nothing else. */
const contenders: Readonly<Record<string, readonly string[]>> = {
  whetstone: ['whetstone'],
  '@tanstack/ai': ['@tanstack/ai'],
  ai: ['ai'],
  '@openai/agents': ['@openai/agents'],
  langchain: ['langchain'],
  '@mastra/core': ['@mastra/core/agent', '@mastra/core/tools'],
  openai: ['openai'],
  '@anthropic-ai/sdk': ['@anthropic-ai/sdk'],
};

interface Start {
  readonly ms: number;
  readonly mb: number;
}

export const claim: Claim = {
  name: 'cold-start',
  title: 'importing the root loads no dependency, in under 15 ms and 10 MB',
  async measure({ rounds }) {
    const root = fileURLToPath(new URL('..', import.meta.url));
    const user = mkdtempSync(join(tmpdir(), 'whet-bench-'));
    try {
      // As a user has it: the compiled package, found by its name.
      mkdirSync(join(user, 'node_modules'));
      symlinkSync(root, join(user, 'node_modules/whetstone'));
      const built = spawnSync(process.execPath, ['scripts/build.ts', '--no-page'], {
        cwd: root,
        stdio: ['ignore', 2, 2],
      });
      if (built.status !== 0) throw new Error('The package could not be built.');
      const folder = (name: string): string => (name === 'whetstone' ? user : join(root, 'bench'));
      const starts = new Map<string, Start[]>([['nothing', []]]);
      for (const name of Object.keys(contenders)) starts.set(name, []);
      for (let turn = 0; turn < rounds + 1; turn++) {
        for (const [name, seen] of starts) {
          const start = coldImport(contenders[name] ?? [], folder(name));
          if (turn > 0) seen.push(start); // The first round only fills the disk's cache.
        }
      }
      const bare = median(starts.get('nothing')!.map((start) => start.mb));
      const figures = Object.keys(contenders).map((name) => ({
        name,
        ms: median(starts.get(name)!.map((start) => start.ms)),
        mb: median(starts.get(name)!.map((start) => start.mb)) - bare,
      }));
      const ours = figures[0]!;
      return {
        rows: figures.map(({ name, ms, mb }) => ({
          package: name,
          'import, ms': round(ms),
          'memory over bare Node, MB': round(mb),
          '× ours': round(ms / ours.ms),
        })),
        limits: [
          { says: 'import of the root, ms', measured: round(ours.ms), atMost: 15 },
          { says: 'memory of the root, MB', measured: round(ours.mb), atMost: 10 },
        ],
      };
    } finally {
      rmSync(user, { recursive: true, force: true });
    }
  },
};

function coldImport(specifiers: readonly string[], cwd: string): Start {
  const imports = specifiers.map((specifier) => `await import(${JSON.stringify(specifier)});`).join('');
  return inFreshProcess<Start>(
    `const started = performance.now(); ${imports} const ms = performance.now() - started;
    console.log(JSON.stringify({ ms, mb: process.memoryUsage.rss() / 2 ** 20 })); process.exit(0);`,
    { cwd },
  );
}
