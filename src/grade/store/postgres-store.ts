import { PostgresConversations } from './conversation/postgres-conversations.ts';
import { isKeptInSums, readScores, readSums, selectScores, SumStatements } from './episode-sums.ts';
import { GroupStatement } from './group-statement.ts';
import { insertWithin } from './postgres-limit.ts';
import { appendTurns, groupWithin, type NewTurn } from './postgres-turns.ts';
import {
  isUniqueViolation,
  neverReached,
  openPostgres,
  placeOf,
  postgresError,
  query,
  wasRefused,
  type Pool,
} from './postgres.ts';
import type {
  EpisodeChange,
  EpisodeEnd,
  EpisodeGrade,
  EpisodeRecord,
  KeyRecord,
  ScoreRecord,
  TurnRecord,
} from './record.ts';
import {
  episodeColumns,
  filterColumns,
  keyColumns,
  readEpisodeRow,
  readGroupRow,
  readKeyRow,
  readScoreRow,
  readTurnRow,
  scoreColumns,
  selectGroups,
  turnColumns,
  valuesOf,
  type Columns,
} from './row.ts';
import { readSearch, wordsOf } from './words.ts';
import type {
  EpisodeDimension,
  EpisodeFilter,
  EpisodeQuery,
  EpisodeSums,
  GroupSummary,
  Insertion,
  ScoreQuery,
  ScoreSummary,
  Store,
} from './store.ts';

type Row = Readonly<Record<string, unknown>>;

/**
 * A store in Postgres: any number of servers may stand before it. Each write is one statement, so one transaction.
 * Turns that wait at the same moment go together, and so do readings of episodes and keys.
 */
export class PostgresStore implements Store {
  readonly place: string;
  readonly conversations = new PostgresConversations((sql, ...values) => this.#rows(sql, ...values));
  readonly #pool: Pool;
  readonly #turns: GroupStatement<NewTurn, boolean>;
  readonly #episodes: GroupStatement<string, Row | undefined>;
  readonly #keys: GroupStatement<string, Row | undefined>;
  #closed: Promise<void> | undefined;

  private constructor(pool: Pool, place: string) {
    this.#pool = pool;
    this.place = place;
    const errors = { wasRefused, neverReached };
    this.#turns = new GroupStatement({ run: (turns) => appendTurns(pool, turns), ...errors });
    this.#episodes = new GroupStatement({ run: (ids) => readRows(pool, 'episode', 'id', ids), ...errors });
    this.#keys = new GroupStatement({
      run: (hashes) => readRows(pool, 'api_key', 'hash', hashes),
      ...errors,
    });
  }

  static async open(url: string): Promise<PostgresStore> {
    return new PostgresStore(await openPostgres(url), placeOf(url));
  }

  async insertEpisode(
    episode: EpisodeRecord,
    maxOpen?: number,
    turns: readonly TurnRecord[] = [],
  ): Promise<Insertion> {
    if (maxOpen !== undefined) return this.#told(insertWithin(this.#pool, { episode, turns, maxOpen }));
    if (turns.length > 0) return (await this.restoreEpisode(episode, turns)) ? 'inserted' : 'taken';
    return (await this.#insert('episode', episodeColumns, episode)) ? 'inserted' : 'taken';
  }

  async readEpisode(id: string): Promise<EpisodeRecord | undefined> {
    const row = await this.#told(this.#episodes.ask(id));
    return row && readEpisodeRow(row);
  }

  async readEpisodeByKey(owner: string, createdKey: string): Promise<EpisodeRecord | undefined> {
    const [row] = await this.#rows(
      'SELECT * FROM episode WHERE owner = $1 AND created_key = $2',
      owner,
      createdKey,
    );
    return row && readEpisodeRow(row);
  }

  async sumEpisodes(
    filter: EpisodeFilter,
    groupBy: readonly EpisodeDimension[],
  ): Promise<readonly EpisodeSums[]> {
    const values: unknown[] = [];
    const ofSums = isKeptInSums(filter, groupBy)
      ? conditionsOf({ ...filter, status: undefined }, values).join(' AND ')
      : undefined;
    const ofEpisodes = conditionsOf(filter, values).join(' AND ');
    const rows = await this.#rows(sums.select(groupBy, ofEpisodes, ofSums), ...values);
    return rows.map((row) => readSums(row, groupBy));
  }

  async countScores(filter: EpisodeFilter): Promise<Readonly<Record<string, readonly number[]>>> {
    const values: unknown[] = [];
    const where = conditionsOf(filter, values).join(' AND ');
    const sql = selectScores(where, (name) => `(scores::json->>'${name}')::float8`);
    return readScores((await this.#rows(sql, ...values))[0]);
  }

  addSums(limit: number): Promise<number> {
    return this.#count(
      `WITH changed AS (
         UPDATE episode SET summed = 1 WHERE id IN (
           SELECT id FROM episode WHERE summed = 0 AND status = 'complete'
           ORDER BY updated_at LIMIT $1 FOR UPDATE SKIP LOCKED)
         RETURNING *),
       added AS (${sums.change('changed', 'add')})
       SELECT count(*) AS n FROM changed`,
      limit,
    );
  }

  async listEpisodes(wanted: EpisodeQuery): Promise<readonly EpisodeRecord[]> {
    const values: unknown[] = [];
    const where = conditionsOf(wanted, values);
    const bind = (value: unknown): string => `$${values.push(value)}`;
    if (wanted.before)
      where.push(`(created_at, id) < (${bind(wanted.before.createdAt)}, ${bind(wanted.before.id)})`);
    const rows = await this.#rows(
      `SELECT * FROM episode WHERE ${where.join(' AND ')} ORDER BY created_at DESC, id DESC LIMIT ${bind(wanted.limit)}`,
      ...values,
    );
    return rows.map(readEpisodeRow);
  }

  async readWords(limit: number): Promise<number> {
    const rows = await this.#rows(
      `SELECT id FROM episode WHERE status = 'complete' AND words_read = 0 LIMIT $1`,
      limit,
    );
    for (const { id } of rows)
      await this.#write(
        `WITH marked AS (UPDATE episode SET words_read = 1 WHERE id = $1 AND words_read = 0 RETURNING id)
         INSERT INTO episode_words SELECT id, to_tsvector('simple', $2) FROM marked ON CONFLICT DO NOTHING`,
        id,
        wordsOf(await this.readTurns(String(id))),
      );
    return rows.length;
  }

  async changedEpisodes(owner: string, since: number, limit: number): Promise<readonly EpisodeRecord[]> {
    const rows = await this.#rows(
      `SELECT * FROM (
         SELECT * FROM episode WHERE owner = $1 AND status = 'complete' AND updated_at >= $2
         UNION ALL
         SELECT * FROM episode WHERE owner = $1 AND status = 'open' AND updated_at >= $2) AS changed
       ORDER BY updated_at, id LIMIT $3`,
      owner,
      since,
      limit,
    );
    return rows.map(readEpisodeRow);
  }

  appendTurn(turn: TurnRecord, change: EpisodeChange): Promise<boolean> {
    return this.#told(this.#turns.ask({ turn, change }));
  }

  async readTurns(episode: string, after = 0, limit?: number): Promise<readonly TurnRecord[]> {
    const rows = await this.#rows(
      'SELECT * FROM turn WHERE episode = $1 AND turn > $2 ORDER BY turn LIMIT $3',
      episode,
      after,
      limit ?? null,
    );
    return rows.map(readTurnRow);
  }

  async readTurnByKey(episode: string, key: string): Promise<TurnRecord | undefined> {
    const [row] = await this.#rows('SELECT * FROM turn WHERE episode = $1 AND key = $2', episode, key);
    return row && readTurnRow(row);
  }

  async endEpisode(id: string, turnCount: number, end: EpisodeEnd, at: number): Promise<boolean> {
    const count = await this.#write(
      `UPDATE episode SET status = 'complete', terminal_reason = $1, reward = $2, success = $3, grade = $4,
         updated_at = $5, progress = $8, gate = $9, scores = $10
       WHERE id = $6 AND turn_count = $7 AND status = 'open'`,
      end.terminalReason,
      end.reward,
      end.success,
      end.grade,
      at,
      id,
      turnCount,
      end.progress,
      end.gate,
      end.scores,
    );
    return count === 1;
  }

  async regradeEpisode(id: string, grade: EpisodeGrade): Promise<boolean> {
    const count = await this.#write(
      `WITH before AS (SELECT * FROM episode WHERE id = $7 AND status = 'complete' FOR UPDATE),
       taken AS (${sums.change('before WHERE summed = 1', 'subtract')})
       UPDATE episode SET reward = $1, success = $2, grade = $3, progress = $4, gate = $5, scores = $6, summed = 0
       FROM before WHERE episode.id = before.id`,
      grade.reward,
      grade.success,
      grade.grade,
      grade.progress,
      grade.gate,
      grade.scores,
      id,
    );
    return count === 1;
  }

  async touchEpisode(id: string, expiresAt: number): Promise<void> {
    await this.#write(`UPDATE episode SET expires_at = $1 WHERE id = $2 AND status = 'open'`, expiresAt, id);
  }

  async expiredEpisodes(now: number, limit: number): Promise<readonly EpisodeRecord[]> {
    const rows = await this.#rows(
      `SELECT * FROM episode WHERE status = 'open' AND expires_at <= $1 ORDER BY expires_at LIMIT $2`,
      now,
      limit,
    );
    return rows.map(readEpisodeRow);
  }

  async countEvaluation(owner: string, task: string, most: number): Promise<boolean> {
    const rows = await this.#rows(
      `INSERT INTO evaluation AS known (owner, task, count) SELECT $1::text, $2::text, 1 WHERE $3::int > 0
       ON CONFLICT (owner, task) DO UPDATE SET count = known.count + 1 WHERE known.count < $3 RETURNING count`,
      owner,
      task,
      most,
    );
    return rows.length === 1;
  }

  insertScore(score: ScoreRecord): Promise<boolean> {
    return this.#insert('score', scoreColumns, score);
  }

  async summarizeScores(wanted: ScoreQuery): Promise<ScoreSummary> {
    const [row] = await this.#rows(
      `SELECT count(*) AS n, avg(reward) AS mean, avg(reward * reward) AS square FROM (
         SELECT reward FROM score WHERE owner = $1 AND normalization_key = $2 AND at >= $3
         ORDER BY at DESC, id DESC LIMIT $4) AS latest`,
      wanted.owner,
      wanted.normalizationKey,
      wanted.since ?? 0,
      wanted.last ?? null,
    );
    const mean = Number(row?.['mean']);
    return {
      count: Number(row?.['n']),
      mean,
      deviation: Math.sqrt(Math.max(0, Number(row?.['square']) - mean * mean)),
    };
  }

  async summarizeGroups(last: number): Promise<GroupSummary> {
    return readGroupRow((await this.#rows(selectGroups('$1'), last))[0]);
  }

  async insertKey(key: KeyRecord): Promise<void> {
    await this.#insert('api_key', keyColumns, key);
  }

  async readKey(hash: string): Promise<KeyRecord | undefined> {
    const row = await this.#told(this.#keys.ask(hash));
    return row && readKeyRow(row);
  }

  async listKeys(): Promise<readonly KeyRecord[]> {
    return (await this.#rows('SELECT * FROM api_key ORDER BY created_at, id')).map(readKeyRow);
  }

  async revokeKey(id: string, at: number): Promise<boolean> {
    const count = await this.#write(
      'UPDATE api_key SET revoked_at = coalesce(revoked_at, $1) WHERE id = $2',
      at,
      id,
    );
    return count === 1;
  }

  appendRunEntries(run: string, after: number, entries: readonly string[]): Promise<boolean> {
    return this.#insertRows(
      `INSERT INTO run_entry SELECT $1, $2::int + number, entry
       FROM unnest($3::text[]) WITH ORDINALITY AS t (entry, number)`,
      run,
      after,
      entries,
    );
  }

  async readRunEntries(run: string): Promise<readonly string[]> {
    const rows = await this.#rows('SELECT entry FROM run_entry WHERE run = $1 ORDER BY number', run);
    return rows.map((row) => String(row['entry']));
  }

  async scanRuns(after: string, limit: number): Promise<readonly string[]> {
    const sql = 'SELECT DISTINCT run FROM run_entry WHERE run > $1 ORDER BY run LIMIT $2';
    return (await this.#rows(sql, after, limit)).map((row) => String(row['run']));
  }

  async removeRuns(endedBefore: number, limit: number): Promise<number> {
    // Only an `end` is read as JSON: other entries may hold what Postgres takes for none (a zero character).
    const rows = await this.#rows(
      `WITH ended AS (
         SELECT run FROM (SELECT DISTINCT ON (run) run, entry FROM run_entry ORDER BY run, number DESC) AS latest
         WHERE CASE WHEN entry LIKE '{"type":"end",%'
           THEN entry::json ->> 'stop' <> 'waiting' AND (entry::json ->> 'at')::numeric < $1
           ELSE false END
         LIMIT $2),
       gone AS (DELETE FROM run_entry WHERE run IN (SELECT run FROM ended))
       SELECT run FROM ended`,
      endedBefore,
      limit,
    );
    return rows.length;
  }

  async scanEpisodes(after: string, limit: number): Promise<readonly EpisodeRecord[]> {
    const rows = await this.#rows('SELECT * FROM episode WHERE id > $1 ORDER BY id LIMIT $2', after, limit);
    return rows.map(readEpisodeRow);
  }

  async scanScores(after: string, limit: number): Promise<readonly ScoreRecord[]> {
    const rows = await this.#rows('SELECT * FROM score WHERE id > $1 ORDER BY id LIMIT $2', after, limit);
    return rows.map(readScoreRow);
  }

  async restoreEpisode(episode: EpisodeRecord, turns: readonly TurnRecord[]): Promise<boolean> {
    const fields = turnColumns.map(([column]) => column).join(', ');
    const types = 'text, int, text, text, text, text, text, text, bigint, text'.split(', ');
    const places = types.map((type, index) => `$${episodeColumns.length + index + 1}::${type}[]`).join(', ');
    const names = episodeColumns.map(([column]) => column).join(', ');
    const values = episodeColumns.map((_, index) => `$${index + 1}`).join(', ');
    const rows = turns.map((turn) => valuesOf(turnColumns, turn));
    try {
      await this.#write(
        `WITH restored AS (INSERT INTO episode (${names}) VALUES (${values}) RETURNING id)
         INSERT INTO turn (${fields}) SELECT ${fields} FROM restored, unnest(${places}) AS t (${fields})`,
        ...valuesOf(episodeColumns, episode),
        ...turnColumns.map((_, index) => rows.map((row) => row[index])),
      );
      return true;
    } catch (error) {
      if (isUniqueViolation(error)) return false;
      throw error;
    }
  }

  async removeEpisodes(unchangedSince: number, limit: number): Promise<number> {
    const removed = await this.#count(
      `WITH changed AS (
         DELETE FROM episode WHERE id IN (
           SELECT id FROM episode WHERE status = 'complete' AND updated_at < $1 LIMIT $2)
         RETURNING *),
       taken AS (${sums.change('changed WHERE summed = 1', 'subtract')})
       SELECT count(*) AS n FROM changed`,
      unchangedSince,
      limit,
    );
    if (removed > 0) await this.#write('DELETE FROM episode_sum WHERE episodes = 0');
    return removed;
  }

  async compact(): Promise<void> {
    for (const table of ['turn', 'episode', 'score']) await this.#write(`VACUUM ${table}`);
  }

  async ping(): Promise<void> {
    await this.#rows('SELECT 1');
  }

  [Symbol.asyncDispose](): Promise<void> {
    return (this.#closed ??= this.#pool.end());
  }

  #insert(table: string, columns: Columns, record: object): Promise<boolean> {
    const names = columns.map(([column]) => column).join(', ');
    const places = columns.map((_, index) => `$${index + 1}`).join(', ');
    const sql = `INSERT INTO ${table} (${names}) VALUES (${places})`;
    return this.#insertRows(sql, ...valuesOf(columns, record));
  }

  async #insertRows(sql: string, ...values: readonly unknown[]): Promise<boolean> {
    try {
      await this.#write(sql, ...values);
      return true;
    } catch (error) {
      if (isUniqueViolation(error)) return false;
      throw error;
    }
  }

  async #rows(text: string, ...values: readonly unknown[]): Promise<readonly Record<string, unknown>[]> {
    return (await this.#told(query(this.#pool, text, values))).rows;
  }

  /** What a statement answers as `n`. */
  async #count(text: string, ...values: readonly unknown[]): Promise<number> {
    const [row] = await this.#rows(text, ...values);
    return Number(row?.['n']);
  }

  async #write(text: string, ...values: readonly unknown[]): Promise<number> {
    return (await this.#told(query(this.#pool, text, values))).count;
  }

  /** What goes wrong in Postgres, in our words. */
  async #told<Value>(work: Promise<Value>): Promise<Value> {
    try {
      return await work;
    } catch (error) {
      throw postgresError(error, this.place);
    }
  }
}

/** What holds of the episodes that are asked for; the values of its places are added to `values`. */
function conditionsOf(filter: EpisodeFilter, values: unknown[]): string[] {
  const where = [`owner = $${values.push(filter.owner)}`];
  for (const name of filterColumns)
    if (filter[name] !== undefined) where.push(`"${name}" = $${values.push(filter[name])}`);
  if (filter.words !== undefined) {
    const terms = readSearch(filter.words);
    const query = terms.map(({ words, goesOn }) => `${words.join(' <-> ')}${goesOn ? ':*' : ''}`).join(' & ');
    where.push(
      terms.length === 0
        ? 'false'
        : `id IN (SELECT episode FROM episode_words WHERE words @@ to_tsquery('simple', $${values.push(query)}))`,
    );
  }
  return where;
}

const sums = new SumStatements((name) => `(total_usage::json->>'${name}')::float8`);

/** The rows with these names, in their order. */
async function readRows(
  pool: Pool,
  table: string,
  column: string,
  names: readonly string[],
): Promise<readonly (Row | undefined)[]> {
  const all = `SELECT * FROM ${table} WHERE ${column}`;
  const { rows } =
    names.length === 1
      ? await query(pool, `${all} = $1`, names, groupWithin)
      : await query(pool, `${all} = ANY($1::text[])`, [names], groupWithin);
  const found = new Map(rows.map((row) => [row[column], row]));
  return names.map((name) => found.get(name));
}
