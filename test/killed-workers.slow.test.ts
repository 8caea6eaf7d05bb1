import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import pg from 'pg';

import { sleep } from '../src/base/host/clock.ts';
import { seededRandom } from '../src/base/host/random.ts';
import { startPostgres } from '../src/grade/store/testing/postgres-server.ts';
import { rounds, seed } from './rounds.ts';

const whet = fileURLToPath(new URL('../bin/whet.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'whet-workers-'));
const running = new Set<ChildProcess>();
after(() => {
  for (const child of running) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

interface Worker {
  readonly process: ChildProcess;
  /** Its exit code and what it said, when it has ended. */
  readonly ended: Promise<{ readonly code: number | null; readonly words: string }>;
}

function start(...options: readonly string[]): Worker {
  const child = spawn(process.execPath, [whet, 'eval', 'support.yaml', ...options], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  running.add(child);
  let words = '';
  child.stderr.on('data', (chunk: Buffer) => (words += chunk.toString()));
  return {
    process: child,
    ended: new Promise((resolve) =>
      child.once('exit', (code) => {
        running.delete(child);
        resolve({ code, words });
      }),
    ),
  };
}

const written = (out: string): string => readFileSync(join(folder, out, 'results.jsonl'), 'utf8');

test('workers of a study, and their database, are killed at any moment: nothing is lost or counted twice', async () => {
  // WHET_ROUNDS=1250 makes a thousand kills and more of 20,000 trials.
  writeFileSync(
    join(folder, 'support.yaml'),
    `tasks: [{ scenarios: case-management/lumbar-strain, variants: 4 }]
players: [{ name: gold, operator: gold }, { name: hasty, operator: hasty }]
trials: ${rounds(2)}
concurrency: 3
`,
  );
  const alone = await start('--out', 'alone').ended;
  assert.equal(alone.code, 0, alone.words);

  const postgres = await startPostgres();
  after(() => postgres.remove());
  const url = await postgres.database('workers');
  const random = seededRandom(seed('killed workers'));
  let started = 0;
  const begin = () => start('--workers', url, '--out', `worker-${started++}`);
  const workers = [begin(), begin(), begin()];
  const cells = written('alone').split('\n').length - 1;
  await until(url, 'SELECT count(*) AS count FROM study_cell', cells);
  // Every writing of a result leaves a line of its own.
  await ask(
    url,
    `CREATE TABLE written (key TEXT, at TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp());
     CREATE FUNCTION write_down() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN INSERT INTO written (key) VALUES (NEW.key); RETURN NULL; END $$;
     CREATE TRIGGER write_down AFTER UPDATE OF result ON study_cell FOR EACH ROW EXECUTE FUNCTION write_down();`,
  );
  for (let kill = 0; kill <= rounds(1); kill++) {
    await sleep(random() * 1000);
    if (kill % 5 === 1) {
      await postgres.kill();
      await postgres.start();
      continue;
    }
    const place = Math.floor(random() * workers.length);
    workers[place]!.process.kill('SIGKILL');
    await workers[place]!.ended;
    workers[place] = begin();
  }
  for (const worker of workers)
    for (let last = worker; ; last = begin()) {
      const { code, words } = await last.ended;
      // One that was begun while the database was away says so at once; whatever looks after it begins it again.
      if (words.includes('[store_unavailable]')) continue;
      assert.equal(code, 0, words);
      break;
    }
  const outs = Array.from({ length: started }, (_, place) => `worker-${place}`);
  const whole = outs.filter((out) => existsSync(join(folder, out, 'results.jsonl')));
  assert.ok(whole.length >= workers.length);
  for (const out of whole) assert.equal(written(out), written('alone'));
  const [lines] = await ask<{ all: number; distinct: number }>(
    url,
    'SELECT count(*)::int AS "all", count(DISTINCT key)::int AS "distinct" FROM written',
  );
  assert.equal(lines?.all, lines?.distinct);
  const [open] = await ask<{ count: number }>(
    url,
    'SELECT count(*)::int AS count FROM study_cell WHERE result IS NULL',
  );
  assert.equal(open?.count, 0);
  const [pause] = await ask<{ longest: number }>(
    url,
    `SELECT max(gap)::float8 AS longest FROM (
       SELECT extract(epoch FROM at - lag(at) OVER (ORDER BY at)) AS gap FROM written) AS gaps`,
  );
  console.log(
    `# ${cells} trials, ${rounds(1) + 1} kills: at most ${pause?.longest.toFixed(1)} s without a result`,
  );
});

async function ask<Row extends pg.QueryResultRow>(url: string, statement: string): Promise<readonly Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}

/** Waits until so many are counted; a table that is not there yet has none. */
async function until(url: string, statement: string, wanted: number): Promise<void> {
  for (;;) {
    const [row] = await ask<{ count: string }>(url, statement).catch(() => []);
    if (Number(row?.count) === wanted) return;
    await sleep(100);
  }
}
