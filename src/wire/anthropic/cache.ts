import type { JsonValue } from '../../base/json/value.ts';
import type { Block, MessagesRequest, WireMessage } from './types.ts';

const mark = { cache_control: { type: 'ephemeral' } } as const;

/**
 * Marks what a conversation repeats: the tools and words of the system, which come first, and the last two messages of
 * the user, so that the next step finds what this one wrote. Four marks are allowed; those of the caller count.
 */
export function markForCache(body: MessagesRequest): MessagesRequest {
  const { system, messages, tools } = body;
  const places = messages.flatMap(({ role }, index) => (role === 'user' ? [index] : [])).slice(-2);
  const hasSystem = system !== undefined && system.length > 0;
  return {
    ...body,
    messages: messages.map((message, index) => (places.includes(index) ? withMark(message) : message)),
    ...(hasSystem && {
      system: markLast(
        typeof system === 'string'
          ? [{ type: 'text', text: system }]
          : (system as unknown as readonly Block[]),
      ) as unknown as NonNullable<MessagesRequest['system']>,
    }),
    // Tools are before the system: its mark holds for them too.
    ...(!hasSystem && tools !== undefined && { tools: markLast(tools) }),
  };
}

function withMark(message: WireMessage): WireMessage {
  const { content } = message;
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content } as Block] : content;
  return { ...message, content: markLast(blocks) };
}

function markLast<Item>(items: readonly Item[]): readonly Item[] {
  return items.map((item, index) =>
    index === items.length - 1 && !hasMark(item as unknown as JsonValue) ? { ...item, ...mark } : item,
  );
}

function hasMark(item: JsonValue): boolean {
  return typeof item === 'object' && item !== null && 'cache_control' in item;
}
