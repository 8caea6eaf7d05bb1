import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { type Claim, median, round } from './harness.ts';
import { Connection, startProcess } from './http-driver.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

export const claim: Claim = {
  name: 'startup',
  title: 'a server with a thousand scenarios is ready in half a second',
  async measure({ rounds }) {
    const folder = mkdtempSync(join(tmpdir(), 'whet-bench-startup-'));
    try {
      const shelf = join(folder, 'scenarios/many');
      mkdirSync(shelf, { recursive: true });
      writeFileSync(join(shelf, 'collection.yaml'), 'name: Many\ndescription: A thousand of one kind.\n');
      for (let index = 0; index < 1000; index += 1)
        cpSync(join(root, 'scenarios/case-management/lumbar-strain'), join(shelf, `case-${index}`), {
          recursive: true,
        });
      const times = { bundled: [] as number[], thousand: [] as number[] };
      for (let turn = 0; turn < Math.min(rounds, 5) + 1; turn += 1) {
        const bundled = await start(folder);
        const thousand = await start(folder, join(folder, 'scenarios'));
        if (turn === 0) continue; // The first round fills the caches of the disk.
        times.bundled.push(bundled);
        times.thousand.push(thousand);
      }
      return {
        rows: [
          { scenarios: 'the bundled ones', 'ready, ms': round(median(times.bundled)) },
          { scenarios: '1000', 'ready, ms': round(median(times.thousand)) },
        ],
        limits: [
          {
            says: 'ms until the first answer, with 1,000 scenarios',
            measured: round(median(times.thousand)),
            atMost: 500,
          },
        ],
        notes: ['From the start of the process to the answer of /ready, with an existing data file.'],
      };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

async function start(folder: string, scenarios?: string): Promise<number> {
  const begun = performance.now();
  const server = await startProcess(
    [
      join(root, 'bin/whet.js'),
      'serve',
      '--port',
      '0',
      '--data',
      join(folder, 'data.db'),
      '--log',
      'none',
      ...(scenarios === undefined ? [] : ['--scenarios', scenarios]),
    ],
    root,
  );
  const line = new Connection(server.port);
  await line.ask('GET', '/ready');
  const took = performance.now() - begun;
  line.close();
  await server.stop();
  return took;
}
