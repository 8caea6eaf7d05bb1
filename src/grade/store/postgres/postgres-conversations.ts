import type {
  ConversationChange,
  ConversationRecord,
  ConversationRows,
} from '../../../run/loop/conversation/conversation-store.ts';
import { valuesOf } from '../row.ts';
import type { Row, Statements } from './statements.ts';
import { conversationColumns, readConversationRow } from '../conversation-row.ts';

/** Conversations in Postgres, beside its episodes. Each write is one statement, so one transaction. */
export class PostgresConversations implements ConversationRows {
  readonly #statements: Statements;

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  async read(id: string): Promise<ConversationRecord | undefined> {
    const [row] = await this.#statements.rows('SELECT * FROM conversation WHERE id = $1', id);
    return row && readConversationRow(row);
  }

  async readMessages(id: string): Promise<readonly string[]> {
    const rows = await this.#statements.rows(
      'SELECT message FROM conversation_message WHERE conversation = $1 ORDER BY number',
      id,
    );
    return rows.map((row) => String(row['message']));
  }

  async insert(record: ConversationRecord, { kept, messages, run }: ConversationChange): Promise<boolean> {
    const values = valuesOf(conversationColumns, record);
    return isSaved(await this.#statements.rows(insertOne, kept, messages, run, ...values));
  }

  async save(record: ConversationRecord, { kept, messages, run }: ConversationChange): Promise<boolean> {
    const { id, title, version, messageCount, stop, updatedAt } = record;
    const values = [id, title, version, messageCount, stop, updatedAt];
    return isSaved(await this.#statements.rows(saveOne, kept, messages, run, ...values));
  }

  list({
    owner,
    limit,
    before,
  }: Parameters<ConversationRows['list']>[0]): Promise<readonly ConversationRecord[]> {
    return this.#records(
      `SELECT * FROM conversation WHERE owner = $1${before ? ' AND (updated_at, id) < ($3, $4)' : ''}
       ORDER BY updated_at DESC, id DESC LIMIT $2`,
      ...[owner, limit, ...(before ? [before.updatedAt, before.id] : [])],
    );
  }

  async rename(id: string, owner: string, title: string): Promise<boolean> {
    const sql = 'UPDATE conversation SET title = $3 WHERE id = $1 AND owner = $2 RETURNING id';
    return (await this.#statements.rows(sql, id, owner, title)).length === 1;
  }

  async remove(id: string, owner: string, run: string): Promise<boolean> {
    const gone = await this.#statements.rows(
      `WITH gone AS (DELETE FROM conversation WHERE id = $1 AND owner = $2 RETURNING id),
       ended AS (DELETE FROM run_entry WHERE run = $3 AND EXISTS (SELECT 1 FROM gone))
       SELECT id FROM gone`,
      ...[id, owner, run],
    );
    return gone.length === 1;
  }

  scan(after: string, limit: number): Promise<readonly ConversationRecord[]> {
    return this.#records('SELECT * FROM conversation WHERE id > $1 ORDER BY id LIMIT $2', after, limit);
  }

  async #records(sql: string, ...values: readonly unknown[]): Promise<readonly ConversationRecord[]> {
    return (await this.#statements.rows(sql, ...values)).map(readConversationRow);
  }
}

function isSaved([row]: readonly Row[]): boolean {
  return Number(row?.['saved']) === 1;
}

/** What both do once the conversation is `saved`. */
const rest = `
  gone AS (DELETE FROM conversation_message
    WHERE conversation IN (SELECT id FROM saved) AND number > $1::int + cardinality($2::text[])),
  ended AS (DELETE FROM run_entry WHERE run = $3 AND EXISTS (SELECT 1 FROM saved)),
  written AS (INSERT INTO conversation_message
    SELECT saved.id, $1::int + place, message
    FROM saved, unnest($2::text[]) WITH ORDINALITY AS t (message, place)
    ON CONFLICT (conversation, number) DO UPDATE SET message = excluded.message)
  SELECT count(*) AS saved FROM saved`;

const insertOne = `WITH saved AS (
    INSERT INTO conversation VALUES ($4, $5, $6, $7, $8, $9, $10, $11, $12)
    ON CONFLICT DO NOTHING RETURNING id),${rest}`;

const saveOne = `WITH saved AS (
    UPDATE conversation SET title = CASE WHEN title = '' THEN $5 ELSE title END,
      version = $6::int, message_count = $7, stop = $8, updated_at = $9
    WHERE id = $4 AND version = $6::int - 1 RETURNING id),${rest}`;
