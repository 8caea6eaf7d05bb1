import type { ScoreRecord } from '../record.ts';
import { readScoreRow, readScoreSummary, scoreColumns } from '../row.ts';
import type { ScoreQuery, ScoreRows, ScoreSummary } from '../store.ts';
import type { Statements } from './statements.ts';

/** Evaluations of texts, and their scores, in Postgres. */
export class PostgresScores implements ScoreRows {
  readonly #statements: Statements;

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  async countEvaluation(owner: string, task: string, most: number): Promise<boolean> {
    const sql = `INSERT INTO evaluation AS known (owner, task, count) SELECT $1::text, $2::text, 1 WHERE $3::int > 0
      ON CONFLICT (owner, task) DO UPDATE SET count = known.count + 1 WHERE known.count < $3`;
    return (await this.#statements.write(sql, owner, task, most)) === 1;
  }

  insert(score: ScoreRecord): Promise<boolean> {
    return this.#statements.insertRecord('score', scoreColumns, score);
  }

  async summarize({ owner, normalizationKey, since, last }: ScoreQuery): Promise<ScoreSummary> {
    const [row] = await this.#statements.rows(
      `SELECT count(*) AS n, avg(reward) AS mean, avg(reward * reward) AS square FROM (
         SELECT reward FROM score WHERE owner = $1 AND normalization_key = $2 AND at >= $3
         ORDER BY at DESC, id DESC LIMIT $4) AS latest`,
      ...[owner, normalizationKey, since ?? 0, last ?? null],
    );
    return readScoreSummary(row);
  }

  async scan(after: string, limit: number): Promise<readonly ScoreRecord[]> {
    const sql = 'SELECT * FROM score WHERE id > $1 ORDER BY id LIMIT $2';
    return (await this.#statements.rows(sql, after, limit)).map(readScoreRow);
  }
}
