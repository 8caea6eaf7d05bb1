import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { startPostgres } from '../src/grade/store/testing/postgres-server.ts';
import { type Claim, round } from './harness.ts';
import { floorSource, keepInFile, startProcess } from './http-driver.ts';
import { compete, rowsOf, sampleAnswer, words } from './turn-load.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const tableFloor = 'node:http + grouped INSERT into Postgres';
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
    const file = await startProcess(floorSource(sample, keepInFile(join(folder, 'log'))), root);
    const table = await startProcess(
      floorSource(sample, keepInTable(await postgres.database('floor'))),
      root,
    );
    const contenders = [
      { name: 'node:http + grouped append + fdatasync', server: file, floor: true, work: words },
      { name: 'whetstone on SQLite', server: sqlite, floor: false, work: words },
      { name: tableFloor, server: table, floor: true, work: words },
      { name: 'whetstone on Postgres', server: whet, floor: false, work: words },
    ];
    await using _database = { [Symbol.asyncDispose]: () => postgres.remove() };
    using _folder = { [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
    const standings = await compete(contenders, rounds);
    const of = (name: string) => standings.get(name)!;
    return {
      rows: rowsOf(standings),
      limits: [
        {
          says: 'turns/s on Postgres, × those on SQLite',
          measured: round(of('whetstone on Postgres').perSecond / of('whetstone on SQLite').perSecond),
          atLeast: 0.5,
        },
        {
          says: 'one client that waits on Postgres, × the floor of Postgres',
          measured: round(of('whetstone on Postgres').alone / of(tableFloor).alone),
          atMost: 3,
        },
      ],
      notes: [
        'As `turns`, with a real Postgres on the same machine, so that it shares the processors with the server and the client; the processor time is that of the server’s own process. The floor of Postgres inserts the bodies that wait in one statement, and commits.',
      ],
    };
  },
};

/** Inserts the bodies that wait in one statement, and commits. */
const keepInTable = (url: string): string => `
    import pg from 'pg';
    const client = new pg.Client({ connectionString: ${JSON.stringify(url)} });
    await client.connect();
    await client.query('CREATE TABLE turn (number BIGSERIAL PRIMARY KEY, body TEXT NOT NULL)');
    const keep = (bodies) => client.query({ name: 'append', text: 'INSERT INTO turn (body) SELECT unnest($1::text[])', values: [bodies] });`;
