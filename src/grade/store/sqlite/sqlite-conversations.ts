import type {
  ConversationChange,
  ConversationRecord,
  ConversationRows,
} from '../../../run/loop/conversation/conversation-store.ts';
import type { GroupCommit } from './group-commit.ts';
import { insertInto, sqlValuesOf } from '../row.ts';
import type { SettledReads, Value } from './settled-reads.ts';
import { conversationColumns, readConversationRow } from '../conversation-row.ts';

/** Conversations in a SQLite file, beside its episodes. */
export class SqliteConversations implements ConversationRows {
  readonly #reads: SettledReads;
  readonly #commits: GroupCommit;

  constructor(reads: SettledReads, commits: GroupCommit) {
    this.#reads = reads;
    this.#commits = commits;
  }

  async read(id: string): Promise<ConversationRecord | undefined> {
    const row = await this.#reads.get('SELECT * FROM conversation WHERE id = ?', id);
    return row && readConversationRow(row);
  }

  async readMessages(id: string): Promise<readonly string[]> {
    const rows = await this.#reads.all(
      'SELECT message FROM conversation_message WHERE conversation = ? ORDER BY number',
      id,
    );
    return rows.map((row) => String(row['message']));
  }

  insert(record: ConversationRecord, change: ConversationChange): Promise<boolean> {
    return this.#commits.write(() => {
      if (this.#reads.prepare('SELECT 1 FROM conversation WHERE id = ?').get(record.id)) return false;
      this.#reads
        .prepare(insertInto('conversation', conversationColumns))
        .run(...sqlValuesOf(conversationColumns, record));
      this.#put(record.id, change);
      return true;
    });
  }

  save(record: ConversationRecord, change: ConversationChange): Promise<boolean> {
    return this.#commits.write(() => {
      const { id, title, version, messageCount, stop, updatedAt } = record;
      const { changes } = this.#reads
        .prepare(
          `UPDATE conversation SET title = CASE WHEN title = '' THEN ? ELSE title END,
           version = ?, message_count = ?, stop = ?, updated_at = ? WHERE id = ? AND version = ?`,
        )
        .run(title, version, messageCount, stop, updatedAt, id, version - 1);
      if (changes === 0) return false;
      this.#put(id, change);
      return true;
    });
  }

  async list({
    owner,
    limit,
    before,
  }: Parameters<ConversationRows['list']>[0]): Promise<readonly ConversationRecord[]> {
    return this.#records(
      `SELECT * FROM conversation WHERE owner = ?${before ? ' AND (updated_at, id) < (?, ?)' : ''}
       ORDER BY updated_at DESC, id DESC LIMIT ?`,
      ...[owner, ...(before ? [before.updatedAt, before.id] : []), limit],
    );
  }

  rename(id: string, owner: string, title: string): Promise<boolean> {
    const sql = 'UPDATE conversation SET title = ? WHERE id = ? AND owner = ?';
    return this.#commits.write(() => this.#reads.prepare(sql).run(title, id, owner).changes === 1);
  }

  remove(id: string, owner: string, run: string): Promise<boolean> {
    return this.#commits.write(() => {
      const sql = 'DELETE FROM conversation WHERE id = ? AND owner = ?';
      if (this.#reads.prepare(sql).run(id, owner).changes === 0) return false;
      this.#reads.prepare('DELETE FROM run_entry WHERE run = ?').run(run);
      return true;
    });
  }

  scan(after: string, limit: number): Promise<readonly ConversationRecord[]> {
    return this.#records('SELECT * FROM conversation WHERE id > ? ORDER BY id LIMIT ?', after, limit);
  }

  async #records(sql: string, ...values: readonly Value[]): Promise<readonly ConversationRecord[]> {
    return (await this.#reads.all(sql, ...values)).map(readConversationRow);
  }

  #put(id: string, { kept, messages, run }: ConversationChange): void {
    this.#reads
      .prepare('DELETE FROM conversation_message WHERE conversation = ? AND number > ?')
      .run(id, kept);
    this.#reads
      .prepare('INSERT INTO conversation_message SELECT ?, ? + key + 1, value FROM json_each(?)')
      .run(id, kept, JSON.stringify(messages));
    this.#reads.prepare('DELETE FROM run_entry WHERE run = ?').run(run);
  }
}
