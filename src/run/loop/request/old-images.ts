import type { Message, ToolMessage } from '../../../base/message/message.ts';
import { withoutImages } from '../../../base/message/part.ts';
import type { Result } from '../../../base/message/result.ts';
import type { Toolbox } from '../../tool/toolbox.ts';

const leftOut = '[An older image was left out.]';

/**
 * The history as it is sent, without the older images of tools that keep only the newest (`keepImages`). They leave in
 * groups of as many as are kept: between two of them a request begins as the one before it.
 */
export function withoutOldImages(messages: readonly Message[], box: Toolbox): readonly Message[] {
  const keeping = [...box].filter(({ tool }) => tool.keepImages !== undefined);
  if (keeping.length === 0) return messages;
  const keepOf = new Map<string, number>();
  const seen: Result[] = [];
  for (const message of messages) {
    if (message.role === 'assistant')
      for (const part of message.content) {
        const keep = part.type === 'call' ? box.findFor(part)?.tool.keepImages : undefined;
        if (part.type === 'call' && keep !== undefined) keepOf.set(part.id, keep);
      }
    if (message.role === 'tool')
      for (const result of message.results)
        if (keepOf.has(result.callId) && result.content.some(({ type }) => type === 'image'))
          seen.push(result);
  }
  const keep = Math.min(...keepOf.values());
  const dropped = new Set(seen.slice(0, Math.max(0, Math.floor((seen.length - keep) / keep) * keep)));
  if (dropped.size === 0) return messages;
  return messages.map((message) =>
    message.role === 'tool' && message.results.some((result) => dropped.has(result))
      ? onceWithout(message, dropped)
      : message,
  );
}

/** A message that was changed once is the same object each time, so that what is made of it can be kept. */
const kept = new WeakMap<ToolMessage, { readonly count: number; readonly changed: ToolMessage }>();

function onceWithout(message: ToolMessage, dropped: ReadonlySet<Result>): ToolMessage {
  const count = message.results.filter((result) => dropped.has(result)).length;
  const known = kept.get(message);
  if (known?.count === count) return known.changed;
  const results = message.results.map((result) => (dropped.has(result) ? without(result) : result));
  const changed = { ...message, results };
  kept.set(message, { count, changed });
  return changed;
}

function without(result: Result): Result {
  return { ...result, content: [...withoutImages(result.content), { type: 'text', text: leftOut }] };
}
