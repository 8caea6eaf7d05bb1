import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openStore } from '../src/grade/store/open-store.ts';
import type { EpisodeQuery, Store } from '../src/grade/store/store.ts';
import { openPostgres } from '../src/grade/store/postgres/postgres.ts';
import { bareEpisode, bareTurn } from '../src/grade/store/testing/bare-record.ts';
import { startPostgres } from '../src/grade/store/testing/postgres-server.ts';
import { type Claim, round } from './harness.ts';

const episodes = Number(process.env['WHET_EPISODES'] ?? 100_000);
const owner = 'local';
const atOnce = 500;

export const claim: Claim = {
  name: 'search',
  alone: true,
  title: `a search over ${episodes.toLocaleString('en')} episodes`,
  async measure({ rounds }) {
    const folder = mkdtempSync(join(tmpdir(), 'whet-bench-search-'));
    using _folder = { [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
    const postgres = await startPostgres();
    await using _database = { [Symbol.asyncDispose]: () => postgres.remove() };
    const places = { SQLite: join(folder, 'many.db'), Postgres: await postgres.database('many') };
    const rows = [];
    for (const [kind, place] of Object.entries(places)) {
      await using store = await openStore(place);
      await fill(store);
      if (kind === 'Postgres') await tidy(place);
      for (const [what, query] of Object.entries(questions)) {
        const waits: number[] = [];
        let found = 0;
        for (let time = 0; time < Math.max(3, Math.min(rounds, 9)); time++) {
          const begun = performance.now();
          found = (await store.listEpisodes({ owner, limit: 50, ...query })).length;
          waits.push(performance.now() - begun);
        }
        rows.push({
          store: kind,
          question: what,
          'on the page': found,
          'slowest, ms': round(Math.max(...waits)),
        });
      }
    }
    return {
      rows,
      limits: rows.map((row) => ({
        says: `ms for ${row.question}, ${row.store}, the slowest`,
        measured: row['slowest, ms'],
        atMost: 300,
      })),
      notes: [
        'Asked of the store, without HTTP; one page of 50. Each episode has one turn of thirty words. Postgres has analysed its tables, as it does by itself within a minute; before that it takes up to 315 ms.',
      ],
    };
  },
};

const questions: Readonly<Record<string, Omit<EpisodeQuery, 'owner' | 'limit'>>> = {
  'a word in one of a hundred': { words: 'scaffold' },
  'a word that every episode has': { words: 'crate' },
  'a phrase that every episode has': { words: '"the crate weigh"' },
  'a word of one player': { words: 'crate', player: 'player 3' },
  'a word, the least rewards first': { words: 'scaffold', rank: { by: 'reward', ascending: true } },
  'a common word, the least rewards first': { words: 'crate', rank: { by: 'reward', ascending: true } },
};

async function fill(store: Store): Promise<void> {
  for (let from = 0; from < episodes; from += atOnce) {
    const numbers = Array.from({ length: Math.min(atOnce, episodes - from) }, (_, index) => from + index);
    await Promise.all(numbers.map((number) => keep(store, number)));
  }
  while ((await store.readWords(atOnce)) > 0);
}

/** As Postgres does by itself within a minute: it plans a search by what it knows of the words. */
async function tidy(url: string): Promise<void> {
  const pool = await openPostgres(url);
  await pool.query('VACUUM ANALYZE');
  await pool.end();
}

async function keep(store: Store, number: number): Promise<void> {
  const id = `ep_${String(number).padStart(9, '0')}`;
  const at = 1_790_000_000_000 + number * 1000;
  const record = bareEpisode(id, {
    player: `player ${number % 10}`,
    status: 'complete',
    reward: (number % 101) / 100,
    createdAt: at,
    updatedAt: at + (number % 977),
  });
  const content = `Episode ${number}: what did the crate weigh${number % 100 === 0 ? ' under the scaffold' : ''}? It slipped as it was lifted from shelf ${number % 5000}, says witness ${number % 777}, and nobody was near the door then.`;
  await store.restoreEpisode(record, [
    bareTurn(id, 1, { messages: JSON.stringify([{ role: 'assistant', content }]) }),
  ]);
}
