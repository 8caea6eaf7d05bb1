import { conversations, type Conversations } from '../../run/loop/conversation/conversations.ts';
import { storeJournal } from './store-journal.ts';
import type { Store } from './store.ts';

/**
 * Conversations in a store, next to its episodes. Each goes on where it was, in any process that reaches the store, and
 * one that was interrupted in the middle of an answer goes on after its last call.
 * @example const chat = await storeConversations(await openStore('chats.db')).open('customer-17');
 */
export function storeConversations(store: Store): Conversations {
  return conversations({ rows: store.conversations, journal: () => storeJournal(store) });
}
