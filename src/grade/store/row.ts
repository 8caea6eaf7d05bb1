import type { EpisodeRecord, KeyRecord, TurnRecord } from './record.ts';

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
] as const;

export const keyColumns = [
  ['id', 'id'],
  ['hash', 'hash'],
  ['name', 'name'],
  ['explain', 'explain'],
  ['collections', 'collections'],
  ['rate_limit', 'rateLimit'],
  ['max_episodes', 'maxEpisodes'],
  ['created_at', 'createdAt'],
  ['expires_at', 'expiresAt'],
  ['revoked_at', 'revokedAt'],
] as const;

type Row = Readonly<Record<string, unknown>>;

export function readEpisodeRow(row: Row): EpisodeRecord {
  return readRow(episodeColumns, row) as unknown as EpisodeRecord;
}

export function readTurnRow(row: Row): TurnRecord {
  return readRow(turnColumns, row) as unknown as TurnRecord;
}

export function readKeyRow(row: Row): KeyRecord {
  const key = readRow(keyColumns, row) as unknown as KeyRecord;
  return { ...key, explain: Boolean(key.explain) };
}

// Our own tables, written by our own statements: the schema of the table is the check.
function readRow(columns: readonly (readonly [string, string])[], row: Row): Row {
  const record: Record<string, unknown> = {};
  for (const [column, field] of columns) record[field] = row[column === '"group"' ? 'group' : column];
  return record;
}
