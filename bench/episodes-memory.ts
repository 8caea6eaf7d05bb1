import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { type Claim, round } from './harness.ts';
import { Connection, startProcess } from './http-driver.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const open = 10_000;
/** So many first: with them the second thread starts and learns. */
const warm = 1000;

export const claim: Claim = {
  name: 'episodes-memory',
  title: 'ten thousand episodes are open at once, at 20 KB of memory each or less',
  async measure() {
    const folder = mkdtempSync(join(tmpdir(), 'whet-bench-memory-'));
    const server = await startProcess(
      [join(root, 'bin/whet.js'), 'serve', '--port', '0', '--data', join(folder, 'data.db'), '--log', 'none'],
      root,
    );
    try {
      // Warmed by some, so that what every server needs is not counted to the episodes.
      await play(server.port, warm);
      const before = await server.memory();
      await play(server.port, open);
      const after = await server.memory();
      const each = (after - before) / open / 1024;
      return {
        rows: [
          { episodes: warm, 'resident, MB': round(before / 2 ** 20) },
          { episodes: open + warm, 'resident, MB': round(after / 2 ** 20) },
        ],
        limits: [{ says: 'KB an open episode', measured: round(each), atMost: 20 }],
        notes: ['Each episode is opened and has played two turns; the store is a file beside the process.'],
      };
    } finally {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

async function play(port: number, count: number): Promise<void> {
  let left = count;
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      const line = new Connection(port);
      while (left > 0) {
        left -= 1;
        const task = {
          collection_slug: 'case-management',
          scenario_slug: 'lumbar-strain',
          score_turns: true,
        };
        const created = await line.ask('POST', '/api/v1/episodes', JSON.stringify(task));
        const { episode_id } = JSON.parse(created.body) as { episode_id: string };
        for (const [index, content] of ['When did it happen?', 'Have you seen a doctor?'].entries()) {
          const turn = { turn: index + 1, messages: [{ role: 'assistant', content }] };
          await line.ask('POST', `/api/v1/episodes/${episode_id}/turns`, JSON.stringify(turn));
        }
      }
      line.close();
    }),
  );
}
