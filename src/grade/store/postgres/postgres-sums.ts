import { isKeptInSums, readScores, readSums, selectScores, SumStatements } from '../episode-sums.ts';
import { readGroupRow, selectGroups } from '../row.ts';
import type { EpisodeDimension, EpisodeFilter, EpisodeSums, GroupSummary, SumRows } from '../store.ts';
import { conditionsOf } from './conditions.ts';
import type { Statements } from './statements.ts';

/** The statements that add episodes to the sums, or take them away, in the words of Postgres. */
export const sumStatements = new SumStatements((name) => `(total_usage::json->>'${name}')::float8`, {
  leaving: 'episode_leaving',
});

/** Sums over the episodes in Postgres. */
export class PostgresSums implements SumRows {
  readonly #statements: Statements;

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  async read(filter: EpisodeFilter, groupBy: readonly EpisodeDimension[]): Promise<readonly EpisodeSums[]> {
    const values: unknown[] = [];
    const ofSums = isKeptInSums(filter, groupBy)
      ? conditionsOf({ ...filter, status: undefined }, values).join(' AND ')
      : undefined;
    const ofEpisodes = conditionsOf(filter, values).join(' AND ');
    const sql = sumStatements.select(groupBy, ofEpisodes, ofSums);
    return (await this.#statements.rows(sql, ...values)).map((row) => readSums(row, groupBy));
  }

  add(limit: number): Promise<number> {
    return this.#statements.count(
      `WITH changed AS (
         UPDATE episode SET summed = 1 WHERE id IN (
           SELECT id FROM episode WHERE summed = 0 AND status = 'complete'
           ORDER BY updated_at LIMIT $1 FOR UPDATE SKIP LOCKED)
         RETURNING *),
       added AS (${sumStatements.change('changed', 'add')})
       SELECT count(*) AS n FROM changed`,
      limit,
    );
  }

  async countScores(filter: EpisodeFilter): Promise<Readonly<Record<string, readonly number[]>>> {
    const values: unknown[] = [];
    const where = conditionsOf(filter, values).join(' AND ');
    const sql = selectScores(where, (name) => `(scores::json->>'${name}')::float8`);
    return readScores((await this.#statements.rows(sql, ...values))[0]);
  }

  async summarizeGroups(last: number): Promise<GroupSummary> {
    return readGroupRow((await this.#statements.rows(selectGroups('$1'), last))[0]);
  }
}
