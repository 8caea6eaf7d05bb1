import type { ScoreRecord } from '../record.ts';
import { insertInto, readScoreRow, readScoreSummary, scoreColumns, sqlValuesOf } from '../row.ts';
import type { ScoreQuery, ScoreRows, ScoreSummary } from '../store.ts';
import type { GroupCommit } from './group-commit.ts';
import { insertRow } from './insert-row.ts';
import type { SettledReads } from './settled-reads.ts';

/** Evaluations of texts, and their scores, in a SQLite file. */
export class SqliteScores implements ScoreRows {
  readonly #reads: SettledReads;
  readonly #commits: GroupCommit;

  constructor(reads: SettledReads, commits: GroupCommit) {
    this.#reads = reads;
    this.#commits = commits;
  }

  countEvaluation(owner: string, task: string, most: number): Promise<boolean> {
    const sql = `INSERT INTO evaluation (owner, task, count) SELECT ?1, ?2, 1 WHERE ?3 > 0
      ON CONFLICT DO UPDATE SET count = count + 1 WHERE count < ?3`;
    return this.#commits.write(() => this.#reads.prepare(sql).run(owner, task, most).changes === 1);
  }

  insert(score: ScoreRecord): Promise<boolean> {
    const sql = insertInto('score', scoreColumns);
    return this.#commits.write(() => insertRow(this.#reads, sql, sqlValuesOf(scoreColumns, score)));
  }

  async summarize({ owner, normalizationKey, since, last }: ScoreQuery): Promise<ScoreSummary> {
    const row = await this.#reads.get(
      `SELECT count(*) AS n, avg(reward) AS mean, avg(reward * reward) AS square FROM (
         SELECT reward FROM score WHERE owner = ? AND normalization_key = ? AND at >= ?
         ORDER BY at DESC, id DESC LIMIT ?)`,
      ...[owner, normalizationKey, since ?? 0, last ?? -1],
    );
    return readScoreSummary(row);
  }

  async scan(after: string, limit: number): Promise<readonly ScoreRecord[]> {
    const rows = await this.#reads.all('SELECT * FROM score WHERE id > ? ORDER BY id LIMIT ?', after, limit);
    return rows.map(readScoreRow);
  }
}
