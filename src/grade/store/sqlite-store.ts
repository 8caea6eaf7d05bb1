import { closeSync } from 'node:fs';

import { SqliteConversations } from './conversation/sqlite-conversations.ts';
import { isKeptInSums, readScores, readSums, selectScores, SumStatements } from './episode-sums.ts';
import { DiskSync } from './disk-sync.ts';
import { GroupCommit } from './group-commit.ts';
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
  insertInto,
  keyColumns,
  readEpisodeRow,
  readGroupRow,
  readKeyRow,
  readScoreRow,
  readTurnRow,
  scoreColumns,
  selectGroups,
  sqlValuesOf,
  turnColumns,
  type Columns,
} from './row.ts';
import { readSearch, wordsOf } from './words.ts';
import {
  backUpSqlite,
  isUniqueViolation,
  mustHaveRoom,
  openLog,
  openSqlite,
  type SqliteDatabase,
  type SqliteOptions,
} from './sqlite.ts';
import { RowCache } from './row-cache.ts';
import { SettledReads, type Value } from './settled-reads.ts';
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

/** A store in one SQLite file. What is acknowledged is on disk; turns that come together share a commit. */
export class SqliteStore implements Store {
  readonly place: string;
  readonly conversations: SqliteConversations;
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
    this.conversations = new SqliteConversations(this.#reads, this.#commits);
    this.#rows = new RowCache(() => this.#reads.version());
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
      if (!this.#insertRow(insertEpisode, sqlValuesOf(episodeColumns, episode))) return 'taken';
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

  async sumEpisodes(
    filter: EpisodeFilter,
    groupBy: readonly EpisodeDimension[],
  ): Promise<readonly EpisodeSums[]> {
    const values: Value[] = [];
    const ofSums = isKeptInSums(filter, groupBy)
      ? conditionsOf({ ...filter, status: undefined }, values).join(' AND ')
      : undefined;
    const ofEpisodes = conditionsOf(filter, values).join(' AND ');
    const rows = await this.#reads.all(sums.select(groupBy, ofEpisodes, ofSums), ...values);
    return rows.map((row) => readSums(row, groupBy));
  }

  addSums(limit: number): Promise<number> {
    return this.#commits.write(() => {
      const ended = `SELECT id FROM episode WHERE summed = 0 AND status = 'complete' ORDER BY updated_at LIMIT ?`;
      const ids = JSON.stringify(
        this.#reads
          .prepare(ended)
          .all(limit)
          .map(({ id }) => id),
      );
      this.#reads.prepare(addToSums).run(ids);
      const mark = 'UPDATE episode SET summed = 1 WHERE id IN (SELECT value FROM json_each(?))';
      return Number(this.#reads.prepare(mark).run(ids).changes);
    });
  }

  async countScores(filter: EpisodeFilter): Promise<Readonly<Record<string, readonly number[]>>> {
    const values: Value[] = [];
    const where = conditionsOf(filter, values).join(' AND ');
    const sql = selectScores(where, (name) => `json_extract(scores, '$.${name}')`);
    return readScores(await this.#reads.get(sql, ...values));
  }

  async listEpisodes(query: EpisodeQuery): Promise<readonly EpisodeRecord[]> {
    const values: Value[] = [];
    const where = conditionsOf(query, values);
    if (query.before) {
      where.push('(created_at, id) < (?, ?)');
      values.push(query.before.createdAt, query.before.id);
    }
    const sql = `SELECT * FROM episode_now WHERE ${where.join(' AND ')} ORDER BY created_at DESC, id DESC LIMIT ?`;
    return (await this.#reads.all(sql, ...values, query.limit)).map(readEpisodeRow);
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
      this.#reads.prepare(takeFromSums).run(JSON.stringify([id]));
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

  countEvaluation(owner: string, task: string, most: number): Promise<boolean> {
    return this.#commits.write(
      () =>
        this.#reads
          .prepare(
            `INSERT INTO evaluation (owner, task, count) SELECT ?1, ?2, 1 WHERE ?3 > 0
             ON CONFLICT DO UPDATE SET count = count + 1 WHERE count < ?3`,
          )
          .run(owner, task, most).changes === 1,
    );
  }

  insertScore(score: ScoreRecord): Promise<boolean> {
    return this.#insert('score', scoreColumns, score);
  }

  async summarizeScores(query: ScoreQuery): Promise<ScoreSummary> {
    const row = await this.#reads.get(
      `SELECT count(*) AS n, avg(reward) AS mean, avg(reward * reward) AS square FROM (
         SELECT reward FROM score WHERE owner = ? AND normalization_key = ? AND at >= ?
         ORDER BY at DESC, id DESC LIMIT ?)`,
      query.owner,
      query.normalizationKey,
      query.since ?? 0,
      query.last ?? -1,
    );
    const mean = Number(row?.['mean']);
    return {
      count: Number(row?.['n']),
      mean,
      deviation: Math.sqrt(Math.max(0, Number(row?.['square']) - mean * mean)),
    };
  }

  async summarizeGroups(last: number): Promise<GroupSummary> {
    return readGroupRow(await this.#reads.get(selectGroups('?'), last));
  }

  async insertKey(key: KeyRecord): Promise<void> {
    await this.#insert('api_key', keyColumns, key);
  }

  async readKey(hash: string): Promise<KeyRecord | undefined> {
    const kept = this.#rows.key(hash);
    if (kept !== undefined) return kept;
    const row = this.#reads.look('SELECT * FROM api_key WHERE hash = ?', hash);
    const key = row && readKeyRow(row);
    if (key !== undefined) this.#rows.keepKey(key);
    return key;
  }

  async listKeys(): Promise<readonly KeyRecord[]> {
    return (await this.#reads.all('SELECT * FROM api_key ORDER BY created_at, id')).map(readKeyRow);
  }

  async revokeKey(id: string, at: number): Promise<boolean> {
    const revoked = await this.#commits.write(
      () =>
        this.#reads
          .prepare('UPDATE api_key SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?')
          .run(at, id).changes === 1,
    );
    this.#rows.forget();
    return revoked;
  }

  appendRunEntries(run: string, after: number, entries: readonly string[]): Promise<boolean> {
    const rows = 'INSERT INTO run_entry SELECT ?, ? + key + 1, value FROM json_each(?)';
    return this.#insertRows(rows, run, after, JSON.stringify(entries));
  }

  async readRunEntries(run: string): Promise<readonly string[]> {
    const rows = await this.#reads.all('SELECT entry FROM run_entry WHERE run = ? ORDER BY number', run);
    return rows.map((row) => String(row['entry']));
  }

  async scanRuns(after: string, limit: number): Promise<readonly string[]> {
    const rows = await this.#reads.all(
      'SELECT DISTINCT run FROM run_entry WHERE run > ? ORDER BY run LIMIT ?',
      after,
      limit,
    );
    return rows.map((row) => String(row['run']));
  }

  async removeRuns(endedBefore: number, limit: number): Promise<number> {
    // With max(), SQLite gives the entry of that very row.
    const rows = await this.#reads.all(
      `SELECT run FROM (SELECT run, entry, max(number) FROM run_entry GROUP BY run)
       WHERE entry ->> 'type' = 'end' AND entry ->> 'stop' <> 'waiting' AND entry ->> 'at' < ? LIMIT ?`,
      endedBefore,
      limit,
    );
    const runs = JSON.stringify(rows.map((row) => row['run']));
    await this.#commits.write(() =>
      this.#reads.prepare('DELETE FROM run_entry WHERE run IN (SELECT value FROM json_each(?))').run(runs),
    );
    return rows.length;
  }

  async scanEpisodes(after: string, limit: number): Promise<readonly EpisodeRecord[]> {
    const rows = await this.#reads.all(
      'SELECT * FROM episode_now WHERE id > ? ORDER BY id LIMIT ?',
      after,
      limit,
    );
    return rows.map(readEpisodeRow);
  }

  async scanScores(after: string, limit: number): Promise<readonly ScoreRecord[]> {
    const rows = await this.#reads.all('SELECT * FROM score WHERE id > ? ORDER BY id LIMIT ?', after, limit);
    return rows.map(readScoreRow);
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
      const ids = JSON.stringify(rows.map(({ id }) => id));
      this.#reads.prepare(takeFromSums).run(ids);
      this.#reads.prepare('DELETE FROM episode_sum WHERE episodes = 0').run();
      this.#reads.prepare('DELETE FROM episode WHERE id IN (SELECT value FROM json_each(?))').run(ids);
      return rows.length;
    });
    this.#rows.forget();
    return removed;
  }

  async compact(): Promise<void> {
    await this.#commits.drain();
    this.#reads.trying(() => {
      // The file is written anew as a whole: nothing else can go on in this process anyway.
      this.#database.exec('PRAGMA busy_timeout = 5000');
      try {
        this.#database.exec('VACUUM');
      } finally {
        this.#database.exec('PRAGMA busy_timeout = 0');
      }
    });
    await this.#disk.reached();
  }

  /** Writes the file's first page anew, and looks for room for more: a store that cannot be written to is of no use. */
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

  #insert(table: string, columns: Columns, record: object): Promise<boolean> {
    return this.#insertRows(insertInto(table, columns), ...sqlValuesOf(columns, record));
  }

  #insertRows(sql: string, ...values: readonly Value[]): Promise<boolean> {
    return this.#commits.write(() => this.#insertRow(sql, values));
  }

  #insertTurns(turns: readonly TurnRecord[]): void {
    const insert = this.#reads.prepare(insertTurn);
    for (const turn of turns) insert.run(...sqlValuesOf(turnColumns, turn));
  }

  #insertRow(sql: string, values: readonly Value[]): boolean {
    try {
      this.#reads.prepare(sql).run(...values);
      return true;
    } catch (error) {
      if (isUniqueViolation(error)) return false;
      throw error;
    }
  }
}

const insertTurn = insertInto('turn', turnColumns);

/** What holds of the episodes that are asked for; the values of its places are added to `values`. */
function conditionsOf(filter: EpisodeFilter, values: Value[]): string[] {
  const where = ['owner = ?'];
  values.push(filter.owner);
  for (const name of filterColumns) {
    const value = filter[name];
    if (value === undefined) continue;
    where.push(`"${name}" = ?`);
    values.push(value);
  }
  if (filter.words !== undefined) {
    const terms = readSearch(filter.words);
    const found = `SELECT w.episode FROM word_search JOIN episode_words AS w ON w.number = word_search.rowid
      WHERE word_search MATCH ?`;
    where.push(terms.length === 0 ? 'false' : `id IN (${found})`);
    if (terms.length > 0)
      values.push(
        terms.map(({ words, goesOn }) => `"${words.join(' ')}"${goesOn ? ' *' : ''}`).join(' AND '),
      );
  }
  return where;
}

// Left to itself, SQLite takes an index that has all episodes in the order of the groups.
const sums = new SumStatements(
  (name) => `json_extract(total_usage, '$.${name}')`,
  'episode INDEXED BY episode_unsummed',
);
const addToSums = sums.change('episode WHERE id IN (SELECT value FROM json_each(?))', 'add');
const takeFromSums = sums.change(
  'episode WHERE id IN (SELECT value FROM json_each(?)) AND summed = 1',
  'subtract',
);

const insertEpisode = insertInto('episode', episodeColumns);
const countOpen = `SELECT count(*) AS n FROM episode WHERE owner = ? AND status = 'open'`;

/** The next turn of an open episode, with what the episode is after it; any other is not inserted. */
const appendOne = `INSERT INTO turn (${turnColumns.map(([column]) => column).join(', ')}, state, expires_at, total_usage)
  SELECT ${turnColumns.map((_, index) => `?${index + 1}`).join(', ')}, ?${turnColumns.length + 1}, ?${turnColumns.length + 2}, ?${turnColumns.length + 3}
  WHERE ?2 = 1 + (SELECT coalesce(max(turn), 0) FROM turn WHERE episode = ?1)
    AND EXISTS (SELECT 1 FROM episode WHERE id = ?1 AND status = 'open')`;
