import type { Job, PgBoss } from 'pg-boss';

import { WhetstoneError } from '../../../base/host/errors.ts';

/** The only door to `pg-boss`, which is an optional peer: a queue next to our tables, which it looks after itself. */
export async function openQueue(url: string, name: string): Promise<PgBoss> {
  let pgBoss: typeof import('pg-boss');
  try {
    pgBoss = await import('pg-boss');
  } catch (cause) {
    throw new WhetstoneError(
      'peer_missing',
      'A study over workers needs the package `pg-boss`: npm install pg-boss',
      { details: { peer: 'pg-boss' }, cause },
    );
  }
  const boss = new pgBoss.PgBoss({
    connectionString: url,
    max: 4,
    schedule: false,
    registerInstance: false,
    // What a dead worker had is given to another within those of the heartbeat and twice these, since a worker that
    // just missed its turn to look waits for another: the least that pg-boss takes.
    superviseIntervalSeconds: 1,
    monitorIntervalSeconds: 1,
    connectionTimeoutMillis: 5000,
  });
  // It goes on by itself once the database is back; without a listener its errors would end the process.
  boss.on('error', () => {});
  await boss.start();
  await boss.createQueue(name, {
    heartbeatSeconds,
    expireInSeconds: 12 * 3600,
    retryLimit: mostDeaths,
    deleteAfterSeconds: 3600,
  });
  return boss;
}

/** A worker that has not been heard of for so long is dead; the least that pg-boss takes. */
export const heartbeatSeconds = 10;

/** How many workers may die over one cell before it is given up: by then the cell is what kills them. */
export const mostDeaths = 20;

/** What the job of a cell says: where the truth is. */
export interface CellPointer {
  readonly key: string;
}

/** A cell in the hands of a worker. How often it was given out before is the token that fences late workers off. */
export type Claim = Pick<Job<CellPointer>, 'id' | 'retryCount' | 'data'>;
