import { createHash } from 'node:crypto';

import type { PgBoss } from 'pg-boss';

import { WhetstoneError } from '../../../base/host/errors.ts';
import {
  type Pool,
  type PoolClient,
  openPostgres,
  placeOf,
  postgresError,
} from '../../../grade/store/postgres/postgres.ts';
import { identityOf, type PlayerSpec } from '../../suite/suite.ts';
import type { StudyFault } from '../run-study.ts';
import type { StudyResult } from '../study-result.ts';
import { type CellPointer, type Claim, mostDeaths, openQueue } from './queue.ts';

export interface StudyCounts {
  readonly played: number;
  readonly failed: number;
  /** Neither played nor given up. */
  readonly open: number;
}

/**
 * A study that many processes play, before one Postgres. A row of ours says what came of each cell, and a job of the
 * queue only points at it: whoever completes the job writes the row, in one transaction, so that a cell is counted
 * once however often it was begun.
 */
export class SharedStudy implements AsyncDisposable {
  readonly #name: string;
  readonly #queue: string;
  readonly #place: string;
  readonly #pool: Pool;
  readonly #boss: PgBoss;

  private constructor(
    name: string,
    url: string,
    { pool, boss, queue }: { pool: Pool; boss: PgBoss; queue: string },
  ) {
    this.#name = name;
    this.#queue = queue;
    this.#place = placeOf(url);
    this.#pool = pool;
    this.#boss = boss;
  }

  static async open(url: string, name: string): Promise<SharedStudy> {
    const pool = await openPostgres(url);
    const queue = `whetstone-study-${createHash('sha256').update(name).digest('hex').slice(0, 16)}`;
    try {
      return new SharedStudy(name, url, { pool, boss: await openQueue(url, queue), queue });
    } catch (error) {
      await pool.end();
      throw postgresError(error, placeOf(url));
    }
  }

  /** Puts up what nobody has played yet, and once more what could not be played. Another process may do the same. */
  async enqueue(keys: readonly string[], players: readonly PlayerSpec[]): Promise<void> {
    await this.#atOnce(async (client) => {
      const identities = Object.fromEntries(players.map((each) => [each.name, identityOf(each)]));
      await client.query('INSERT INTO study VALUES ($1, $2) ON CONFLICT DO NOTHING', [
        this.#name,
        JSON.stringify(identities),
      ]);
      // Those that begin together wait here for each other.
      const { rows: known } = await client.query<{ players: string }>(
        'SELECT players FROM study WHERE name = $1 FOR UPDATE',
        [this.#name],
      );
      this.#mustBeSame(identities, JSON.parse(known[0]!.players));
      const { rows: strangers } = await client.query<{ key: string }>(
        'SELECT key FROM study_cell WHERE study = $1 AND key <> ALL($2) LIMIT 1',
        [this.#name, keys],
      );
      if (strangers[0] !== undefined)
        throw this.#mismatch(`a cell that is not in this suite, ${strangers[0].key}`);
      const { rows } = await client.query<CellPointer>(
        `INSERT INTO study_cell (study, key) SELECT $1, unnest($2::text[])
         ON CONFLICT (study, key) DO UPDATE SET tries = 0, fault = NULL WHERE study_cell.fault IS NOT NULL
         RETURNING key`,
        [this.#name, keys],
      );
      if (rows.length > 0)
        await this.#boss.insert(
          this.#queue,
          rows.map(({ key }) => ({ data: { key } })),
          through(client),
        );
    });
  }

  /** Up to this many cells to play; what a dead worker had is among them once it is known to be dead. */
  async take(most: number): Promise<readonly Claim[]> {
    return this.#told(() => this.#boss.fetch<CellPointer>(this.#queue, { batchSize: most }));
  }

  /** Says that these are still being played. */
  async touch(claims: readonly Claim[]): Promise<void> {
    if (claims.length > 0) await this.#told(() => this.#boss.touch(this.#queue, claims.map(attemptOf)));
  }

  /** Writes what came of a cell. False where it was given to another worker meanwhile: then that one's counts. */
  async settle(claim: Claim, result: StudyResult): Promise<boolean> {
    return this.#atOnce(async (client) => {
      const done = await this.#boss.complete(this.#queue, attemptOf(claim), null, through(client));
      // Its types do not say it; its pages do.
      if ((done as { readonly affected?: number }).affected !== 1) return false;
      await client.query('UPDATE study_cell SET result = $3 WHERE study = $1 AND key = $2', [
        this.#name,
        claim.data.key,
        JSON.stringify(result),
      ]);
      return true;
    });
  }

  /** Puts a cell back that could not be played, or gives it up after too many tries. True when it was given up. */
  async fail(claim: Claim, fault: StudyFault, attempts: number): Promise<boolean> {
    return this.#atOnce(async (client) => {
      await client.query('INSERT INTO study_fault (study, fault) VALUES ($1, $2)', [
        this.#name,
        JSON.stringify(fault),
      ]);
      const { rows } = await client.query<{ tries: number }>(
        'UPDATE study_cell SET tries = tries + 1 WHERE study = $1 AND key = $2 AND result IS NULL RETURNING tries',
        [this.#name, claim.data.key],
      );
      if ((rows[0]?.tries ?? attempts) < attempts && claim.retryCount < mostDeaths) {
        await this.#boss.fail(this.#queue, attemptOf(claim), null, through(client));
        return false;
      }
      await client.query(
        'UPDATE study_cell SET fault = $3 WHERE study = $1 AND key = $2 AND result IS NULL',
        [this.#name, claim.data.key, JSON.stringify(fault)],
      );
      await this.#boss.complete(this.#queue, attemptOf(claim), null, through(client));
      return true;
    });
  }

  async counts(): Promise<StudyCounts> {
    const { rows } = await this.#told(() =>
      this.#pool.query<StudyCounts>(
        `SELECT count(*) FILTER (WHERE result IS NOT NULL) AS played,
                count(*) FILTER (WHERE result IS NULL AND fault IS NOT NULL) AS failed,
                count(*) FILTER (WHERE result IS NULL AND fault IS NULL) AS open
         FROM study_cell WHERE study = $1`,
        [this.#name],
      ),
    );
    return rows[0]!;
  }

  /** What came of these cells, and of none that is still open. */
  async results(keys: readonly string[]): Promise<readonly StudyResult[]> {
    const { rows } = await this.#told(() =>
      this.#pool.query<{ result: string }>(
        'SELECT result FROM study_cell WHERE study = $1 AND key = ANY($2) AND result IS NOT NULL',
        [this.#name, keys],
      ),
    );
    // Written by `settle`.
    return rows.map(({ result }) => JSON.parse(result) as StudyResult);
  }

  /** Every try that failed, by whichever worker. */
  async faults(): Promise<readonly StudyFault[]> {
    const { rows } = await this.#told(() =>
      this.#pool.query<{ fault: string }>('SELECT fault FROM study_fault WHERE study = $1 ORDER BY number', [
        this.#name,
      ]),
    );
    return rows.map(({ fault }) => JSON.parse(fault) as StudyFault);
  }

  /** The last fault of each cell that was given up. */
  async givenUp(): Promise<readonly StudyFault[]> {
    const { rows } = await this.#told(() =>
      this.#pool.query<{ fault: string }>(
        'SELECT fault FROM study_cell WHERE study = $1 AND result IS NULL AND fault IS NOT NULL ORDER BY key',
        [this.#name],
      ),
    );
    return rows.map(({ fault }) => JSON.parse(fault) as StudyFault);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#boss.stop({ graceful: false }).catch(() => undefined);
    await this.#pool.end();
  }

  async #atOnce<Answer>(work: (client: PoolClient) => Promise<Answer>): Promise<Answer> {
    return this.#told(async () => {
      const client = await this.#pool.connect();
      try {
        await client.query('BEGIN');
        const answer = await work(client);
        await client.query('COMMIT');
        client.release();
        return answer;
      } catch (error) {
        // Whatever it has begun goes with its connection.
        client.release(true);
        throw error;
      }
    });
  }

  async #told<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    try {
      return await work();
    } catch (error) {
      throw postgresError(error, this.#place);
    }
  }

  #mustBeSame(own: Readonly<Record<string, unknown>>, known: Readonly<Record<string, unknown>>): void {
    for (const [player, identity] of Object.entries(own)) {
      if (JSON.stringify(known[player]) === JSON.stringify(identity)) continue;
      throw this.#mismatch(
        known[player] === undefined ? `no player "${player}"` : `another player "${player}"`,
      );
    }
  }

  #mismatch(difference: string): WhetstoneError {
    return new WhetstoneError(
      'study_mismatch',
      `The study "${this.#name}" in ${this.#place} has ${difference}. Start every worker with the same suite and the same options, or give the suite's file another name.`,
    );
  }
}

function attemptOf({ id, retryCount }: Claim): { id: string; retryCount: number } {
  return { id, retryCount };
}

/** Lets the queue speak in our transaction. */
function through(client: PoolClient): {
  db: { executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }> };
} {
  return { db: { executeSql: (text, values) => client.query(text, values) } };
}
