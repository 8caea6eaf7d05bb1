import { WhetstoneError } from '../../../base/host/errors.ts';
import { randomId } from '../../../base/host/random.ts';
import { Conversation, journalId, type ConversationRoom } from './conversation.ts';
import type { ConversationQuery, ConversationRecord, ConversationStore } from './conversation-store.ts';

/** Conversations of a store: each by its id, each with an owner. */
export interface Conversations {
  /** Takes a conversation up, or begins one: it is kept from its first answer on. */
  open(id?: string, about?: { readonly owner?: string; readonly title?: string }): Promise<Conversation>;
  /** Newest first. */
  list(query?: ConversationQuery): Promise<readonly ConversationRecord[]>;
  /** False when there is none of this id and owner. */
  rename(id: string, title: string, owner?: string): Promise<boolean>;
  /** False when there is none of this id and owner. */
  remove(id: string, owner?: string): Promise<boolean>;
}

/** `local` by default: a program with one user need not name anybody. */
const local = 'local';

/** The conversations that a store keeps. */
export function conversations(store: ConversationStore): Conversations {
  const room: ConversationRoom = { store, answering: new Set() };
  return {
    async open(id = randomId('chat'), { owner = local, title = '' } = {}) {
      const known = await store.rows.read(id);
      if (known !== undefined && known.owner !== owner)
        throw new WhetstoneError(
          'conversation_unknown',
          `There is no conversation ${JSON.stringify(id)} of this owner.`,
          { details: { conversation: id } },
        );
      return Conversation.open(room, known ?? begin(id, owner, title));
    },
    list: ({ owner = local, limit = 50, ...query } = {}) => store.rows.list({ ...query, owner, limit }),
    rename: (id, title, owner = local) => store.rows.rename(id, owner, title),
    async remove(id, owner = local) {
      const known = await store.rows.read(id);
      return known !== undefined && store.rows.remove(id, owner, journalId(id, known.version));
    },
  };
}

function begin(id: string, owner: string, title: string): ConversationRecord {
  return {
    id,
    owner,
    title,
    version: 0,
    messageCount: 0,
    stop: null,
    forkOf: null,
    createdAt: 0,
    updatedAt: 0,
  };
}
