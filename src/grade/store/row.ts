import type { EpisodeRecord, KeyRecord, ScoreRecord, TurnRecord } from './record.ts';
import type { GroupSummary, ScoreSummary } from './store.ts';

/** Which column holds which field, in the order of an insert. */
export const episodeColumns = [
  ['id', 'id'],
  ['owner', 'owner'],
  ['collection', 'collection'],
  ['scenario', 'scenario'],
  ['version', 'version'],
  ['variant', 'variant'],
  ['seed', 'seed'],
  ['"group"', 'group'],
  ['study', 'study'],
  ['player', 'player'],
  ['player_card', 'playerCard'],
  ['created_key', 'createdKey'],
  ['created_hash', 'createdHash'],
  ['options', 'options'],
  ['opening', 'opening'],
  ['state', 'state'],
  ['status', 'status'],
  ['terminal_reason', 'terminalReason'],
  ['turn_count', 'turnCount'],
  ['reward', 'reward'],
  ['success', 'success'],
  ['grade', 'grade'],
  ['progress', 'progress'],
  ['gate', 'gate'],
  ['scores', 'scores'],
  ['total_usage', 'totalUsage'],
  ['created_at', 'createdAt'],
  ['updated_at', 'updatedAt'],
  ['expires_at', 'expiresAt'],
] as const;

export const turnColumns = [
  ['episode', 'episode'],
  ['turn', 'turn'],
  ['key', 'key'],
  ['body_hash', 'bodyHash'],
  ['messages_hash', 'messagesHash'],
  ['messages', 'messages'],
  ['outcomes', 'outcomes'],
  ['answer', 'answer'],
  ['at', 'at'],
  ['usage', 'usage'],
] as const;

export const keyColumns = [
  ['id', 'id'],
  ['hash', 'hash'],
  ['name', 'name'],
  ['explain', 'explain'],
  ['collections', 'collections'],
  ['rate_limit', 'rateLimit'],
  ['max_episodes', 'maxEpisodes'],
  ['max_evaluations', 'maxEvaluations'],
  ['created_at', 'createdAt'],
  ['expires_at', 'expiresAt'],
  ['revoked_at', 'revokedAt'],
] as const;

export const scoreColumns = [
  ['id', 'id'],
  ['owner', 'owner'],
  ['normalization_key', 'normalizationKey'],
  ['collection', 'collection'],
  ['scenario', 'scenario'],
  ['scoring_version', 'scoringVersion'],
  ['reward', 'reward'],
  ['at', 'at'],
] as const;

/** What episodes may be chosen by. */
export const filterColumns = [
  'status',
  'collection',
  'scenario',
  'version',
  'variant',
  'group',
  'study',
  'player',
] as const;

export type Columns = readonly (readonly [column: string, field: string])[];

type Row = Readonly<Record<string, unknown>>;

/** The values of a record, in the order of its columns. */
export function valuesOf(columns: Columns, record: object): (string | number | boolean | null)[] {
  // Each field named in `columns` is a column's value by the type of its record.
  const fields = record as Readonly<Record<string, string | number | boolean | null>>;
  return columns.map(([, field]) => fields[field] ?? null);
}

/** The values of a record, as SQLite keeps them: it has no booleans. */
export function sqlValuesOf(columns: Columns, record: object): (string | number | null)[] {
  return valuesOf(columns, record).map((value) => (typeof value === 'boolean' ? Number(value) : value));
}

/** The statement that inserts a row with one `?` for each of its columns. */
export function insertInto(table: string, columns: Columns): string {
  const names = columns.map(([column]) => column).join(', ');
  return `INSERT INTO ${table} (${names}) VALUES (${columns.map(() => '?').join(', ')})`;
}

// Our own tables, written by our own statements: the schema of the table is the check. Written out, and not a loop
// over the columns, because each turn reads rows: this is three times as fast.
export function readEpisodeRow(row: Row): EpisodeRecord {
  return {
    id: row['id'],
    owner: row['owner'],
    collection: row['collection'],
    scenario: row['scenario'],
    version: row['version'],
    variant: row['variant'],
    seed: row['seed'],
    group: row['group'],
    study: row['study'],
    player: row['player'],
    playerCard: row['player_card'],
    createdKey: row['created_key'],
    createdHash: row['created_hash'],
    options: row['options'],
    opening: row['opening'],
    state: row['state'],
    status: row['status'],
    terminalReason: row['terminal_reason'],
    turnCount: row['turn_count'],
    reward: row['reward'],
    success: row['success'],
    grade: row['grade'],
    progress: row['progress'],
    gate: row['gate'],
    scores: row['scores'],
    totalUsage: row['total_usage'],
    createdAt: row['created_at'],
    updatedAt: row['updated_at'],
    expiresAt: row['expires_at'],
  } as EpisodeRecord;
}

export function readTurnRow(row: Row): TurnRecord {
  return {
    episode: row['episode'],
    turn: row['turn'],
    key: row['key'],
    bodyHash: row['body_hash'],
    messagesHash: row['messages_hash'],
    messages: row['messages'],
    outcomes: row['outcomes'],
    answer: row['answer'],
    at: row['at'],
    usage: row['usage'],
  } as TurnRecord;
}

export function readKeyRow(row: Row): KeyRecord {
  return {
    id: row['id'],
    hash: row['hash'],
    name: row['name'],
    explain: Boolean(row['explain']),
    collections: row['collections'],
    rateLimit: row['rate_limit'],
    maxEpisodes: row['max_episodes'],
    maxEvaluations: row['max_evaluations'],
    createdAt: row['created_at'],
    expiresAt: row['expires_at'],
    revokedAt: row['revoked_at'],
  } as KeyRecord;
}

export function readScoreRow(row: Row): ScoreRecord {
  return {
    id: row['id'],
    owner: row['owner'],
    normalizationKey: row['normalization_key'],
    collection: row['collection'],
    scenario: row['scenario'],
    scoringVersion: row['scoring_version'],
    reward: row['reward'],
    at: row['at'],
  } as ScoreRecord;
}

/** Groups of the latest complete episodes, and those whose rewards are all the same; `limit` is a placeholder. */
export function selectGroups(limit: string): string {
  return `SELECT count(*) AS groups, coalesce(sum(CASE WHEN low = high THEN 1 ELSE 0 END), 0) AS flat FROM (
    SELECT min(reward) AS low, max(reward) AS high FROM (
      SELECT owner, "group", collection, scenario, variant, reward FROM episode
      WHERE status = 'complete' AND "group" IS NOT NULL ORDER BY updated_at DESC LIMIT ${limit}) AS latest
    GROUP BY owner, "group", collection, scenario, variant HAVING count(*) > 1) AS spread`;
}

export function readGroupRow(row: Record<string, unknown> | undefined): GroupSummary {
  return { groups: Number(row?.['groups']), withoutSpread: Number(row?.['flat']) };
}

export function readScoreSummary(row: Row | undefined): ScoreSummary {
  const mean = Number(row?.['mean']);
  const deviation = Math.sqrt(Math.max(0, Number(row?.['square']) - mean * mean));
  return { count: Number(row?.['n']), mean, deviation };
}
