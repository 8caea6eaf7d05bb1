import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openStore } from '../src/grade/store/open-store.ts';
import { openPostgres } from '../src/grade/store/postgres/postgres.ts';
import type { EpisodeRecord } from '../src/grade/store/record.ts';
import { firstTimedId } from '../src/base/host/random.ts';
import { episodeColumns, turnColumns } from '../src/grade/store/row.ts';
import { openSqlite } from '../src/grade/store/sqlite/sqlite.ts';
import type { Store } from '../src/grade/store/store.ts';
import { bareEpisode, bareTurn } from '../src/grade/store/testing/bare-record.ts';
import { startPostgres } from '../src/grade/store/testing/postgres-server.ts';
import { type Claim, type Contender, round, timeInTurn } from './harness.ts';

const few = 1000;
/** So many times the few. `WHET_TIMES=10` is quicker. */
const times = Number(process.env['WHET_TIMES'] ?? 1000);
const owner = 'local';
const begin = 1_790_000_000_000;
/** Those that are more than the few lie in the twelve months that follow. */
const months = Array.from({ length: 12 }, (_, month) => Date.UTC(2027, month));

export const claim: Claim = {
  name: 'stored-episodes',
  title: `listing, opening and summing up take no longer with ${(few * times).toLocaleString('en')} stored episodes than with ${few.toLocaleString('en')}`,
  async measure({ rounds }) {
    const folder = mkdtempSync(join(tmpdir(), 'whet-bench-stored-'));
    const postgres = await startPostgres();
    await using _database = { [Symbol.asyncDispose]: () => postgres.remove() };
    using _folder = { [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
    const places = {
      SQLite: (name: string) => Promise.resolve(join(folder, `${name}.db`)),
      Postgres: (name: string) => postgres.database(name),
    };
    const rows = [];
    const limits = [];
    for (const [kind, place] of Object.entries(places)) {
      await using small = await filled(await place('few'), 1);
      await using large = await filled(await place('many'), times);
      for (const [what, ask] of Object.entries(questions)) {
        const found = await timeInTurn(
          { few: repeat(small, ask, begin + few / 2), many: repeat(large, ask, months[6]!) },
          { rounds },
        );
        const ratio = round(found.many.median / found.few.median);
        rows.push({
          store: kind,
          question: what,
          [`${few}, ms`]: round(found.few.median),
          [`${few * times}, ms`]: round(found.many.median),
          ratio,
        });
        limits.push({ says: `${what}, ${kind}, × of the few`, measured: ratio, atMost: 1.5 });
      }
    }
    return {
      rows,
      limits,
      notes: [
        'Asked of the store, without HTTP. Ten players in twenty scenarios, groups of eight; each episode has one turn; the many lie in thirteen months. A list is one page of 50.',
      ],
    };
  },
};

type Question = (store: Store, middle: number) => Promise<unknown>;

const questions: Readonly<Record<string, Question>> = {
  'newest page': (store) => store.listEpisodes({ owner, limit: 50 }),
  'a page from the middle': (store, middle) =>
    store.listEpisodes({ owner, limit: 50, before: { createdAt: middle, id: '' } }),
  'one player, newest page': (store) => store.listEpisodes({ owner, player: 'player 3', limit: 50 }),
  'one scenario, newest page': (store) =>
    store.listEpisodes({ owner, collection: 'c', scenario: 'scenario 7', limit: 50 }),
  'the least rewards, one page': (store) =>
    store.listEpisodes({ owner, limit: 50, rank: { by: 'reward', ascending: true } }),
  'one group': (store) => store.listEpisodes({ owner, group: 'group 5', limit: 50 }),
  'one episode and its turns': async (store) => {
    await store.readEpisode('ep_500');
    await store.readTurns('ep_500');
  },
  'means by player': (store) => store.sums.read({ owner }, ['player']),
  'means by player and scenario': (store) => store.sums.read({ owner }, ['player', 'scenario']),
};

const repeat =
  (store: Store, ask: Question, middle: number): Contender =>
  async (count) => {
    for (let time = 0; time < count; time += 1) await ask(store, middle);
  };

/** A store that holds the few so many times over, summed up as a server would have it. */
async function filled(place: string, copies: number): Promise<Store> {
  const store = await openStore(place);
  for (let number = 0; number < few; number += 1) {
    const record = recordOf(number);
    await store.restoreEpisode(record, [bareTurn(record.id, 1, { at: record.createdAt })]);
  }
  for (const month of copies > 1 ? months : []) await store.months?.make(month);
  if (copies > 1) await copy(place, copies - 1);
  while ((await store.sums.add(5000)) > 0);
  if (isPostgres(place)) await inPostgres(place, ['VACUUM ANALYZE']);
  return store;
}

const recordOf = (number: number): EpisodeRecord =>
  bareEpisode(`ep_${number}`, {
    owner,
    scenario: `scenario ${number % 20}`,
    player: `player ${Math.floor(number / 20) % 10}`,
    group: `group ${Math.floor(number / 8)}`,
    status: 'complete',
    terminalReason: 'completed',
    turnCount: 1,
    reward: (number % 101) / 100,
    success: number % 2,
    progress: (number % 101) / 100,
    gate: 1,
    scores: '{"discovery":1}',
    totalUsage: '{"errors":0,"inputTokens":900}',
    createdAt: begin + number,
    updatedAt: begin + number,
  });

/** Copies of the few, spread over the months of a year, each with an id, a time and a group of its own. */
async function copy(place: string, copies: number): Promise<void> {
  const most = Math.ceil(copies / months.length);
  const statements = months.flatMap((month, index) =>
    copiesIn(place, month, Math.min(most, copies - most * index)),
  );
  if (isPostgres(place)) return inPostgres(place, statements);
  using database = openSqlite(place);
  for (const sql of statements) database.exec(sql);
}

function copiesIn(place: string, month: number, copies: number): readonly string[] {
  if (copies <= 0) return [];
  const numbers = isPostgres(place)
    ? `generate_series(1, ${copies}) AS number`
    : `(WITH RECURSIVE up(number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM up WHERE number < ${copies}) SELECT number FROM up)`;
  const id = (column: string): string =>
    `'${firstTimedId('ep', month)}' || substr(${column}, 4) || '-' || number`;
  const time = (column: string): string => `${column} + ${month - begin} + ${few} * number`;
  const own: Readonly<Record<string, string>> = {
    id: id('id'),
    episode: id('episode'),
    '"group"': `"group" || '-${month}-' || number`,
    created_at: time('created_at'),
    updated_at: time('updated_at'),
  };
  const insert = (table: string, key: string, columns: readonly (readonly [string, string])[]): string => {
    const names = columns.map(([name]) => name);
    return `INSERT INTO ${table} (${names.join(', ')}) SELECT ${names.map((name) => own[name] ?? name).join(', ')}
      FROM ${table}, ${numbers} WHERE length(${key}) <= ${'ep_'.length + 3}`;
  };
  return [insert('episode', 'id', episodeColumns), insert('turn', 'episode', turnColumns)];
}

const isPostgres = (place: string): boolean => place.startsWith('postgres');

async function inPostgres(url: string, statements: readonly string[]): Promise<void> {
  const pool = await openPostgres(url);
  // The pool gives up what takes longer than any statement of a server should.
  for (const text of statements) await pool.query({ text, query_timeout: 600_000 } as { text: string });
  await pool.end();
}
