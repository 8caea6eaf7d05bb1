import { isKeptInSums, readScores, readSums, selectScores, SumStatements } from '../episode-sums.ts';
import { readGroupRow, selectGroups } from '../row.ts';
import type { EpisodeDimension, EpisodeFilter, EpisodeSums, GroupSummary, SumRows } from '../store.ts';
import { conditionsOf } from './conditions.ts';
import type { GroupCommit } from './group-commit.ts';
import type { SettledReads, Value } from './settled-reads.ts';

/** Sums over the episodes of a SQLite file. */
export class SqliteSums implements SumRows {
  readonly #reads: SettledReads;
  readonly #commits: GroupCommit;

  constructor(reads: SettledReads, commits: GroupCommit) {
    this.#reads = reads;
    this.#commits = commits;
  }

  async read(filter: EpisodeFilter, groupBy: readonly EpisodeDimension[]): Promise<readonly EpisodeSums[]> {
    const values: Value[] = [];
    const ofSums = isKeptInSums(filter, groupBy)
      ? conditionsOf({ ...filter, status: undefined }, values).join(' AND ')
      : undefined;
    const ofEpisodes = conditionsOf(filter, values).join(' AND ');
    const rows = await this.#reads.all(statements.select(groupBy, ofEpisodes, ofSums), ...values);
    return rows.map((row) => readSums(row, groupBy));
  }

  add(limit: number): Promise<number> {
    return this.#commits.write(() => {
      const ended = `SELECT id FROM episode WHERE summed = 0 AND status = 'complete' ORDER BY updated_at LIMIT ?`;
      const rows = this.#reads.prepare(ended).all(limit);
      const ids = JSON.stringify(rows.map(({ id }) => id));
      this.#reads.prepare(addEpisodes).run(ids);
      const mark = 'UPDATE episode SET summed = 1 WHERE id IN (SELECT value FROM json_each(?))';
      return Number(this.#reads.prepare(mark).run(ids).changes);
    });
  }

  /** Takes episodes away whose rows are about to change or go; inside a write. */
  subtract(ids: readonly string[]): void {
    this.#reads.prepare(subtractEpisodes).run(JSON.stringify(ids));
  }

  async countScores(filter: EpisodeFilter): Promise<Readonly<Record<string, readonly number[]>>> {
    const values: Value[] = [];
    const where = conditionsOf(filter, values).join(' AND ');
    const sql = selectScores(where, (name) => `json_extract(scores, '$.${name}')`);
    return readScores(await this.#reads.get(sql, ...values));
  }

  async summarizeGroups(last: number): Promise<GroupSummary> {
    return readGroupRow(await this.#reads.get(selectGroups('?'), last));
  }
}

// Left to itself, SQLite takes an index that has all episodes in the order of the groups.
const statements = new SumStatements((name) => `json_extract(total_usage, '$.${name}')`, {
  unsummed: 'episode INDEXED BY episode_unsummed',
});
const named = 'episode WHERE id IN (SELECT value FROM json_each(?))';
const addEpisodes = statements.change(named, 'add');
const subtractEpisodes = statements.change(`${named} AND summed = 1`, 'subtract');
