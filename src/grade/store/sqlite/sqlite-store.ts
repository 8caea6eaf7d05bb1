import { closeSync } from 'node:fs';

import type { EpisodeChange, EpisodeEnd, EpisodeGrade, EpisodeRecord, TurnRecord } from '../record.ts';
import { episodeColumns, insertInto, readEpisodeRow, readTurnRow, sqlValuesOf, turnColumns } from '../row.ts';
import type { EpisodeQuery, Insertion, Store } from '../store.ts';
import { wordsOf } from '../words.ts';
import { listStatement } from './conditions.ts';
import { DiskSync } from './disk-sync.ts';
import { GroupCommit } from './group-commit.ts';
import { insertRow } from './insert-row.ts';
import { RowCache } from './row-cache.ts';
import { SettledReads, type Value } from './settled-reads.ts';
import { SqliteConversations } from './sqlite-conversations.ts';
import { SqliteKeys } from './sqlite-keys.ts';
import { SqliteRuns } from './sqlite-runs.ts';
import { SqliteScores } from './sqlite-scores.ts';
import { SqliteSums } from './sqlite-sums.ts';
import {
  backUpSqlite,
  mustHaveRoom,
  openLog,
  openSqlite,
  type SqliteDatabase,
  type SqliteOptions,
} from './sqlite.ts';

/** A store in one SQLite file. What is acknowledged is on disk; turns that come together share a commit. */
export class SqliteStore implements Store {
  readonly place: string;
  readonly conversations: SqliteConversations;
  readonly keys: SqliteKeys;
  readonly runs: SqliteRuns;
  readonly scores: SqliteScores;
  readonly sums: SqliteSums;
  readonly #database: SqliteDatabase;
  readonly #commits: GroupCommit;
  readonly #log: number | undefined;
  readonly #disk: DiskSync;
  readonly #reads: SettledReads;
  readonly #rows: RowCache;
  readonly #leastRoom: number | undefined;

  constructor(file: string, options: SqliteOptions = {}) {
    this.place = file;
    this.#leastRoom = options.leastRoom;
    this.#database = openSqlite(file, options);
    this.#log = openLog(this.#database, file);
    this.#disk = new DiskSync(this.#log, file, options.disk);
    this.#commits = new GroupCommit(this.#database, file, this.#disk);
    this.#reads = new SettledReads(this.#database, file, this.#disk);
    this.#rows = new RowCache(() => this.#reads.version());
    this.conversations = new SqliteConversations(this.#reads, this.#commits);
    this.keys = new SqliteKeys(this.#reads, this.#commits, this.#rows);
    this.runs = new SqliteRuns(this.#reads, this.#commits);
    this.scores = new SqliteScores(this.#reads, this.#commits);
    this.sums = new SqliteSums(this.#reads, this.#commits);
  }

  async insertEpisode(
    episode: EpisodeRecord,
    maxOpen?: number,
    turns: readonly TurnRecord[] = [],
  ): Promise<Insertion> {
    const insertion = await this.#writeTo(episode.id, (): Insertion => {
      if (
        maxOpen !== undefined &&
        Number(this.#reads.prepare(countOpen).get(episode.owner)?.['n']) >= maxOpen
      )
        return 'full';
      if (!insertRow(this.#reads, insertEpisode, sqlValuesOf(episodeColumns, episode))) return 'taken';
      this.#insertTurns(turns);
      return 'inserted';
    });
    if (insertion === 'inserted') this.#rows.keepEpisode(episode);
    return insertion;
  }

  async readEpisode(id: string): Promise<EpisodeRecord | undefined> {
    const kept = this.#rows.episode(id);
    if (kept !== undefined) return kept;
    const row = this.#reads.look(`SELECT * FROM episode_now WHERE id = ?`, id);
    const episode = row && readEpisodeRow(row);
    const settled = this.#reads.settled(id);
    if (settled !== undefined) await settled;
    else if (episode !== undefined) this.#rows.keepEpisode(episode);
    return episode;
  }

  async readEpisodeByKey(owner: string, createdKey: string): Promise<EpisodeRecord | undefined> {
    const row = await this.#reads.get(
      `SELECT * FROM episode_now WHERE owner = ? AND created_key = ?`,
      owner,
      createdKey,
    );
    return row && readEpisodeRow(row);
  }

  async listEpisodes(query: EpisodeQuery): Promise<readonly EpisodeRecord[]> {
    const values: Value[] = [];
    const statement = listStatement(query, values);
    return (await this.#reads.all(statement, ...values)).map(readEpisodeRow);
  }

  async readWords(limit: number): Promise<number> {
    const rows = await this.#reads.all(
      `SELECT id FROM episode WHERE status = 'complete' AND words_read = 0 LIMIT ?`,
      limit,
    );
    const read = rows.map(async ({ id }) => {
      const episode = String(id);
      const words = wordsOf(await this.readTurns(episode));
      await this.#writeTo(episode, () => {
        const mark = `UPDATE episode SET words_read = 1 WHERE id = ? AND words_read = 0`;
        if (this.#reads.prepare(mark).run(episode).changes === 0) return;
        this.#keepWords(episode, words);
      });
    });
    await Promise.all(read);
    return rows.length;
  }

  async changedEpisodes(owner: string, since: number, limit: number): Promise<readonly EpisodeRecord[]> {
    const rows = await this.#reads.all(
      `SELECT * FROM episode_now WHERE id IN (
         SELECT id FROM episode WHERE owner = ?1 AND status = 'complete' AND updated_at >= ?2
         UNION ALL
         SELECT id FROM episode_now WHERE owner = ?1 AND status = 'open' AND updated_at >= ?2)
       ORDER BY updated_at, id LIMIT ?3`,
      owner,
      since,
      limit,
    );
    return rows.map(readEpisodeRow);
  }

  async appendTurn(turn: TurnRecord, change: EpisodeChange): Promise<boolean> {
    const { state, expiresAt, totalUsage, end } = change;
    const stored = await this.#writeTo(turn.episode, () => {
      const appended = this.#reads
        .prepare(appendOne)
        .run(...sqlValuesOf(turnColumns, turn), state, expiresAt, totalUsage);
      if (appended.changes === 0) return false;
      if (end !== undefined) this.#end(turn.episode, turn.turn, end, turn.at);
      return true;
    });
    if (stored) this.#rows.turn(turn, change);
    else this.#rows.forgetEpisode(turn.episode);
    return stored;
  }

  async readTurns(episode: string, after = 0, limit = -1): Promise<readonly TurnRecord[]> {
    const rows = this.#reads.lookAll(
      'SELECT * FROM turn WHERE episode = ? AND turn > ? ORDER BY turn LIMIT ?',
      episode,
      after,
      limit,
    );
    await this.#reads.settled(episode);
    return rows.map(readTurnRow);
  }

  async readTurnByKey(episode: string, key: string): Promise<TurnRecord | undefined> {
    const row = this.#reads.look('SELECT * FROM turn WHERE episode = ? AND key = ?', episode, key);
    await this.#reads.settled(episode);
    return row && readTurnRow(row);
  }

  async endEpisode(id: string, turnCount: number, end: EpisodeEnd, at: number): Promise<boolean> {
    const ended = await this.#writeTo(id, () => this.#end(id, turnCount, end, at));
    this.#rows.forgetEpisode(id);
    return ended;
  }

  async regradeEpisode(id: string, grade: EpisodeGrade): Promise<boolean> {
    const regraded = await this.#writeTo(id, () => {
      this.sums.subtract([id]);
      return (
        this.#reads
          .prepare(
            `UPDATE episode SET reward = ?, success = ?, grade = ?, progress = ?, gate = ?, scores = ?, summed = 0
             WHERE id = ? AND status = 'complete'`,
          )
          .run(grade.reward, grade.success, grade.grade, grade.progress, grade.gate, grade.scores, id)
          .changes === 1
      );
    });
    this.#rows.forgetEpisode(id);
    return regraded;
  }

  async touchEpisode(id: string, expiresAt: number): Promise<void> {
    await this.#writeTo(id, () =>
      this.#reads
        .prepare(`UPDATE episode SET expires_at = ? WHERE id = ? AND status = 'open'`)
        .run(expiresAt, id),
    );
    this.#rows.forgetEpisode(id);
  }

  async expiredEpisodes(now: number, limit: number): Promise<readonly EpisodeRecord[]> {
    for (;;) {
      const rows = await this.#reads.all(
        `SELECT * FROM episode_now WHERE id IN (
           SELECT id FROM episode WHERE status = 'open' AND expires_at <= ? ORDER BY expires_at LIMIT ?)
         ORDER BY expires_at`,
        now,
        limit,
      );
      const found = rows.map(readEpisodeRow);
      const expired = found.filter((row) => row.expiresAt <= now);
      if (expired.length === found.length) return expired;
      // Turns have put the end of the others off; the index, that no turn writes, is told now.
      const later = found.filter((row) => row.expiresAt > now);
      await Promise.all(later.map((row) => this.touchEpisode(row.id, row.expiresAt)));
    }
  }

  async scanEpisodes(after: string, limit: number): Promise<readonly EpisodeRecord[]> {
    const rows = await this.#reads.all(
      'SELECT * FROM episode_now WHERE id > ? ORDER BY id LIMIT ?',
      after,
      limit,
    );
    return rows.map(readEpisodeRow);
  }

  restoreEpisode(episode: EpisodeRecord, turns: readonly TurnRecord[]): Promise<boolean> {
    return this.#writeTo(episode.id, () => {
      if (this.#reads.prepare('SELECT 1 FROM episode WHERE id = ?').get(episode.id)) return false;
      this.#reads.prepare(insertEpisode).run(...sqlValuesOf(episodeColumns, episode));
      this.#insertTurns(turns);
      return true;
    });
  }

  /** Keeps episodes whose turns are elsewhere, such as in a log, with the words by which they are found. */
  keepWithout(
    episodes: readonly { readonly record: EpisodeRecord; readonly words: string }[],
  ): Promise<void> {
    return this.#commits.write(() => {
      for (const { record, words } of episodes) {
        this.#reads.prepare(insertEpisode).run(...sqlValuesOf(episodeColumns, record));
        this.#reads.prepare('UPDATE episode SET words_read = 1 WHERE id = ?').run(record.id);
        this.#keepWords(record.id, words);
      }
    });
  }

  async removeEpisodes(unchangedSince: number, limit: number): Promise<number> {
    const removed = await this.#commits.write(() => {
      const old = `SELECT id FROM episode WHERE status = 'complete' AND updated_at < ? LIMIT ?`;
      const rows = this.#reads.prepare(old).all(unchangedSince, limit);
      const ids = rows.map(({ id }) => String(id));
      this.sums.subtract(ids);
      this.#reads.prepare('DELETE FROM episode_sum WHERE episodes = 0').run();
      this.#reads
        .prepare('DELETE FROM episode WHERE id IN (SELECT value FROM json_each(?))')
        .run(JSON.stringify(ids));
      return rows.length;
    });
    this.#rows.forget();
    return removed;
  }

  async compact(): Promise<void> {
    await this.#commits.drain();
    this.#reads.trying(() => {
      // The whole file is written again: nothing else can go on in this process anyway.
      this.#database.exec('PRAGMA busy_timeout = 5000');
      try {
        this.#database.exec('VACUUM');
      } finally {
        this.#database.exec('PRAGMA busy_timeout = 0');
      }
    });
    await this.#disk.reached();
  }

  /** Writes the file's first page again, and looks for room for more: a store that cannot be written is of no use. */
  async ping(): Promise<void> {
    this.#reads.trying(() => mustHaveRoom(this.#database, this.#leastRoom));
    const version = Number(this.#reads.look('PRAGMA user_version')?.['user_version']);
    await this.#commits.write(() => this.#database.exec(`PRAGMA user_version = ${version}`));
  }

  /** Copies the store to another file while it is in use. */
  async backUp(target: string): Promise<void> {
    backUpSqlite(this.#database, target);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#database.isOpen) return;
    await this.#commits.drain();
    if (!this.#database.isOpen) return;
    this.#database.close();
    // A sync may still have the file.
    if (this.#disk.busy) await this.#disk.reached().catch(() => undefined);
    if (this.#log !== undefined) closeSync(this.#log);
  }

  #end(id: string, turnCount: number, end: EpisodeEnd, at: number): boolean {
    const ended = this.#reads
      .prepare(
        `UPDATE episode SET status = 'complete', terminal_reason = ?1, reward = ?2, success = ?3, grade = ?4,
         progress = ?8, gate = ?9, scores = ?10, updated_at = ?5, turn_count = ?7,
         total_usage = coalesce((SELECT total_usage FROM turn WHERE episode = ?6 AND turn = ?7), total_usage),
         state = coalesce((SELECT state FROM turn WHERE episode = ?6 AND turn = ?7), state),
         expires_at = max(expires_at,
           coalesce((SELECT expires_at FROM turn WHERE episode = ?6 AND turn = ?7), 0))
       WHERE id = ?6 AND status = 'open' AND ?7 = (SELECT coalesce(max(turn), 0) FROM turn WHERE episode = ?6)`,
      )
      .run(
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
    return ended.changes === 1;
  }

  #keepWords(episode: string, words: string): void {
    const kept = this.#reads.prepare('INSERT INTO episode_words (episode) VALUES (?)').run(episode);
    this.#reads
      .prepare('INSERT INTO word_search (rowid, words) VALUES (?, ?)')
      .run(Number(kept.lastInsertRowid), words);
  }

  /** A write to one episode: resolves with what it returned once that is on disk. */
  #writeTo<Written>(episode: string, run: () => Written): Promise<Written> {
    return this.#reads.during(episode, () => this.#commits.write(run));
  }

  #insertTurns(turns: readonly TurnRecord[]): void {
    const insert = this.#reads.prepare(insertTurn);
    for (const turn of turns) insert.run(...sqlValuesOf(turnColumns, turn));
  }
}

const insertTurn = insertInto('turn', turnColumns);

const insertEpisode = insertInto('episode', episodeColumns);
const countOpen = `SELECT count(*) AS n FROM episode WHERE owner = ? AND status = 'open'`;

/** The next turn of an open episode, with what the episode is after it; any other is not inserted. */
const appendOne = `INSERT INTO turn (${turnColumns.map(([column]) => column).join(', ')}, state, expires_at, total_usage)
  SELECT ${turnColumns.map((_, index) => `?${index + 1}`).join(', ')}, ?${turnColumns.length + 1}, ?${turnColumns.length + 2}, ?${turnColumns.length + 3}
  WHERE ?2 = 1 + (SELECT coalesce(max(turn), 0) FROM turn WHERE episode = ?1)
    AND EXISTS (SELECT 1 FROM episode WHERE id = ?1 AND status = 'open')`;
