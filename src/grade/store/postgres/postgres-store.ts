import type { EpisodeChange, EpisodeEnd, EpisodeGrade, EpisodeRecord, TurnRecord } from '../record.ts';
import { readEpisodeRow, readTurnRow } from '../row.ts';
import type { EpisodeQuery, Insertion, MonthTables, Store } from '../store.ts';
import { wordsOf } from '../words.ts';
import { appendTurns, type NewTurn } from './append-turns.ts';
import { listStatement } from './conditions.ts';
import { GroupStatement } from './group-statement.ts';
import { insertEpisode, insertWithin } from './insert-episode.ts';
import { makeMonths } from './months.ts';
import { PostgresConversations } from './postgres-conversations.ts';
import { PostgresKeys } from './postgres-keys.ts';
import { PostgresRuns } from './postgres-runs.ts';
import { PostgresScores } from './postgres-scores.ts';
import { PostgresSums, sumStatements } from './postgres-sums.ts';
import { neverReached, openPostgres, placeOf, wasRefused, type Pool } from './postgres.ts';
import { dropDetached, removeMonths, removeRows } from './prune.ts';
import { readRows } from './read-rows.ts';
import { Statements, type Row } from './statements.ts';

/** Half of the connections: turns go on meanwhile. */
const wordsTogether = 5;

/**
 * A store in Postgres: any number of servers may be before it. Each write is one statement, so one transaction.
 * Turns that wait at the same moment go together, and so do readings of episodes and keys.
 */
export class PostgresStore implements Store {
  readonly place: string;
  readonly conversations: PostgresConversations;
  readonly keys: PostgresKeys;
  readonly runs: PostgresRuns;
  readonly scores: PostgresScores;
  readonly sums: PostgresSums;
  readonly months: MonthTables = {
    make: async (now) => {
      await this.#statements.translated(makeMonths(this.#pool, now));
      await this.#statements.translated(dropDetached(this.#pool));
    },
    remove: (unchangedSince) => this.#statements.translated(removeMonths(this.#pool, unchangedSince)),
  };
  readonly #pool: Pool;
  readonly #statements: Statements;
  readonly #turns: GroupStatement<NewTurn, boolean>;
  readonly #episodes: GroupStatement<string, Row | undefined>;
  #closed: Promise<void> | undefined;

  private constructor(pool: Pool, place: string) {
    this.#pool = pool;
    this.place = place;
    this.#statements = new Statements(pool, place);
    this.conversations = new PostgresConversations(this.#statements);
    this.keys = new PostgresKeys(this.#statements);
    this.runs = new PostgresRuns(this.#statements);
    this.scores = new PostgresScores(this.#statements);
    this.sums = new PostgresSums(this.#statements);
    const errors = { wasRefused, neverReached };
    this.#turns = new GroupStatement({ run: (turns) => appendTurns(pool, turns), ...errors });
    this.#episodes = new GroupStatement({ run: (ids) => readRows(pool, 'episode', 'id', ids), ...errors });
  }

  static async open(url: string): Promise<PostgresStore> {
    return new PostgresStore(await openPostgres(url), placeOf(url));
  }

  async insertEpisode(
    episode: EpisodeRecord,
    maxOpen?: number,
    turns: readonly TurnRecord[] = [],
  ): Promise<Insertion> {
    if (maxOpen !== undefined)
      return this.#statements.translated(insertWithin(this.#pool, { episode, turns, maxOpen }));
    return (await this.restoreEpisode(episode, turns)) ? 'inserted' : 'taken';
  }

  async readEpisode(id: string): Promise<EpisodeRecord | undefined> {
    const row = await this.#statements.translated(this.#episodes.ask(id));
    return row && readEpisodeRow(row);
  }

  async readEpisodeByKey(owner: string, createdKey: string): Promise<EpisodeRecord | undefined> {
    const [row] = await this.#statements.rows(
      `SELECT episode.* FROM episode_key AS known JOIN episode ON id = known.episode
       WHERE known.owner = $1 AND known.created_key = $2`,
      owner,
      createdKey,
    );
    return row && readEpisodeRow(row);
  }

  async listEpisodes(wanted: EpisodeQuery): Promise<readonly EpisodeRecord[]> {
    const values: unknown[] = [];
    const statement = listStatement(wanted, values);
    return (await this.#statements.rows(statement, ...values)).map(readEpisodeRow);
  }

  async readWords(limit: number): Promise<number> {
    const rows = await this.#statements.rows(
      `SELECT id FROM episode WHERE status = 'complete' AND words_read = 0 LIMIT $1`,
      limit,
    );
    for (let from = 0; from < rows.length; from += wordsTogether)
      await Promise.all(
        rows.slice(from, from + wordsTogether).map(({ id }) => this.#readWordsOf(String(id))),
      );
    return rows.length;
  }

  async #readWordsOf(id: string): Promise<void> {
    await this.#statements.write(
      `WITH marked AS (UPDATE episode SET words_read = 1 WHERE id = $1 AND words_read = 0 RETURNING id)
       INSERT INTO episode_words SELECT id, to_tsvector('simple', $2) FROM marked ON CONFLICT DO NOTHING`,
      id,
      wordsOf(await this.readTurns(id)),
    );
  }

  async changedEpisodes(owner: string, since: number, limit: number): Promise<readonly EpisodeRecord[]> {
    const rows = await this.#statements.rows(
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
    return this.#statements.translated(this.#turns.ask({ turn, change }));
  }

  async readTurns(episode: string, after = 0, limit?: number): Promise<readonly TurnRecord[]> {
    const rows = await this.#statements.rows(
      'SELECT * FROM turn WHERE episode = $1 AND turn > $2 ORDER BY turn LIMIT $3',
      episode,
      after,
      limit ?? null,
    );
    return rows.map(readTurnRow);
  }

  async readTurnByKey(episode: string, key: string): Promise<TurnRecord | undefined> {
    const [row] = await this.#statements.rows(
      'SELECT * FROM turn WHERE episode = $1 AND key = $2',
      episode,
      key,
    );
    return row && readTurnRow(row);
  }

  async endEpisode(id: string, turnCount: number, end: EpisodeEnd, at: number): Promise<boolean> {
    const count = await this.#statements.write(
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
    const count = await this.#statements.write(
      `WITH before AS (SELECT * FROM episode WHERE id = $7 AND status = 'complete' FOR UPDATE),
       taken AS (${sumStatements.change('before WHERE summed = 1', 'subtract')})
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
    await this.#statements.write(
      `UPDATE episode SET expires_at = $1 WHERE id = $2 AND status = 'open'`,
      expiresAt,
      id,
    );
  }

  async expiredEpisodes(now: number, limit: number): Promise<readonly EpisodeRecord[]> {
    const rows = await this.#statements.rows(
      `SELECT * FROM episode WHERE status = 'open' AND expires_at <= $1 ORDER BY expires_at LIMIT $2`,
      now,
      limit,
    );
    return rows.map(readEpisodeRow);
  }

  async scanEpisodes(after: string, limit: number): Promise<readonly EpisodeRecord[]> {
    const rows = await this.#statements.rows(
      'SELECT * FROM episode WHERE id > $1 ORDER BY id LIMIT $2',
      after,
      limit,
    );
    return rows.map(readEpisodeRow);
  }

  restoreEpisode(episode: EpisodeRecord, turns: readonly TurnRecord[]): Promise<boolean> {
    return insertEpisode(this.#statements, episode, turns);
  }

  removeEpisodes(unchangedSince: number, limit: number): Promise<number> {
    return this.#statements.translated(removeRows(this.#pool, unchangedSince, limit));
  }

  async compact(): Promise<void> {
    for (const table of ['turn', 'episode', 'score']) await this.#statements.write(`VACUUM ${table}`);
  }

  async ping(): Promise<void> {
    await this.#statements.rows('SELECT 1');
  }

  [Symbol.asyncDispose](): Promise<void> {
    return (this.#closed ??= this.#pool.end());
  }
}
