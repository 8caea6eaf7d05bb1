import type { ConversationRecord } from '../../run/loop/conversation/conversation-store.ts';

/** Which column holds which field, in the order of an insert. */
export const conversationColumns = [
  ['id', 'id'],
  ['owner', 'owner'],
  ['title', 'title'],
  ['version', 'version'],
  ['message_count', 'messageCount'],
  ['stop', 'stop'],
  ['fork_of', 'forkOf'],
  ['created_at', 'createdAt'],
  ['updated_at', 'updatedAt'],
] as const;

/** Our own table, written by our own statements: its schema is the check. */
export function readConversationRow(row: Readonly<Record<string, unknown>>): ConversationRecord {
  return Object.fromEntries(
    conversationColumns.map(([column, field]) => [field, row[column]]),
  ) as unknown as ConversationRecord;
}
