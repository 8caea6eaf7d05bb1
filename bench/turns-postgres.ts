import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { startPostgres } from '../src/grade/store/testing/postgres-server.ts';
import { type Claim, median, round } from './harness.ts';
import { floorSource, startProcess } from './http-driver.ts';
import { type Load, playAlone, playMany, sampleAnswer } from './turn-load.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const serve = (data: string): string[] => [
  join(root, 'bin/whet.js'),
  ...['serve', '--port', '0', '--data', data, '--log', 'none'],
];

export const claim: Claim = {
  name: 'turns-postgres',
  title: 'a turn on Postgres beside one on SQLite, each with the floor of its own database',
  async measure({ rounds }) {
    const folder = mkdtempSync(join(tmpdir(), 'whet-bench-postgres-'));
    const postgres = await startPostgres();
    const sqlite = await startProcess(serve(join(folder, 'data.db')), root);
    const whet = await startProcess(serve(await postgres.database('whet')), root);
    const sample = await sampleAnswer(sqlite.port);
    const file = await startProcess(floorSource(sample, join(folder, 'log')), root);
    const table = await startProcess(tableFloor(sample, await postgres.database('floor')), root);
    const contenders = [
      ['node:http + grouped append + fdatasync', file, true],
      ['whetstone on SQLite', sqlite, false],
      ['node:http + grouped INSERT into Postgres', table, true],
      ['whetstone on Postgres', whet, false],
    ] as const;
    const seen = new Map<string, Load[]>();
    const alone = new Map<string, number[]>();
    try {
      for (let turn = 0; turn < Math.min(rounds, 5) + 1; turn += 1)
        for (const [name, server, floor] of contenders) {
          const load = await playMany(server, floor);
          const one = await playAlone(server, floor);
          if (turn === 0) continue; // The first round only warms up.
          seen.set(name, [...(seen.get(name) ?? []), load]);
          alone.set(name, [...(alone.get(name) ?? []), one]);
        }
    } finally {
      await Promise.all([sqlite, whet, file, table].map((server) => server.stop()));
      await postgres.remove();
      rmSync(folder, { recursive: true, force: true });
    }
    const of = (name: string, pick: (load: Load) => number): number =>
      median((seen.get(name) ?? []).map(pick));
    const perSecond = (name: string): number => of(name, (load) => load.perSecond);
    const waits = (name: string): number => median(alone.get(name) ?? []);
    return {
      rows: contenders.map(([name]) => ({
        server: name,
        'turns/s, 50 connections': Math.round(perSecond(name)),
        'p50, ms': round(of(name, (load) => load.p50)),
        'p99, ms': round(of(name, (load) => load.p99)),
        'processor, µs a turn': round(of(name, (load) => load.cpu)),
        'one client that waits, ms a call': round(waits(name)),
      })),
      limits: [
        {
          says: 'turns/s on Postgres, × those on SQLite',
          measured: round(perSecond('whetstone on Postgres') / perSecond('whetstone on SQLite')),
          atLeast: 0.5,
        },
        {
          says: 'one client that waits on Postgres, × the floor of Postgres',
          measured: round(waits('whetstone on Postgres') / waits('node:http + grouped INSERT into Postgres')),
          atMost: 3,
        },
      ],
      notes: [
        'As `turns`, with a real Postgres on the same machine, so that it shares the processors with the server and the client; the processor time is that of the server’s own process. The floor of Postgres inserts the bodies that wait in one statement, and commits.',
      ],
    };
  },
};

/** Bare `node:http` that inserts each body into a table before it answers: the first at once, what comes meanwhile next. */
function tableFloor(answer: string, url: string): readonly string[] {
  return [
    '--input-type=module',
    '--eval',
    `import { createServer } from 'node:http';
    import pg from 'pg';
    const answer = ${JSON.stringify(answer)};
    const client = new pg.Client({ connectionString: ${JSON.stringify(url)} });
    await client.connect();
    await client.query('CREATE TABLE turn (number BIGSERIAL PRIMARY KEY, body TEXT NOT NULL)');
    let waiting = [], busy = false;
    const flush = async () => {
      if (busy) return;
      busy = true;
      while (waiting.length > 0) {
        const all = waiting;
        waiting = [];
        await client.query({ name: 'append', text: 'INSERT INTO turn (body) SELECT unnest($1::text[])', values: [all.map(([body]) => body)] });
        for (const [, send] of all) send();
      }
      busy = false;
    };
    const server = createServer((request, response) => {
      const parts = [];
      request.on('data', (part) => parts.push(part));
      request.on('end', () => {
        const body = Buffer.concat(parts).toString();
        JSON.parse(body);
        const send = () => { response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(answer) }); response.end(answer); };
        waiting.push([body, send]);
        void flush();
      });
    });
    server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: server.address().port })));
    process.on('SIGTERM', () => process.exit(0));`,
  ];
}
