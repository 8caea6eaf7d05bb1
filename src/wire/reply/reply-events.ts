import type { Call } from '../../base/message/call.ts';
import type { ModelEvent, Reply } from '../../base/message/model.ts';
import { omitUndefined } from '../json-fields.ts';

/** A whole reply as the events it would have arrived in. */
function* replyEventsOf(reply: Reply): Generator<ModelEvent> {
  yield omitUndefined({ type: 'start' as const, id: reply.id, model: reply.message.from?.model });
  for (const [slot, part] of reply.message.content.entries()) {
    if (part.type === 'call') {
      const { id, name, kind, requiresLocalExecution, providerData } = part;
      yield omitUndefined({
        type: 'call-start' as const,
        slot,
        id,
        name,
        kind,
        requiresLocalExecution,
        providerData,
      });
      const text = streamedArguments(part);
      if (text !== '') yield { type: 'call-delta', slot, text };
      yield { type: 'call-end', slot, call: part };
      continue;
    }
    if ((part.type === 'text' || part.type === 'reasoning' || part.type === 'refusal') && part.text !== '')
      yield { type: part.type, slot, text: part.text };
    yield { type: 'part', slot, part };
  }
  if (reply.usage !== undefined) yield { type: 'usage', usage: reply.usage };
  if (reply.error !== undefined) yield { type: 'error', error: reply.error };
  yield { type: 'finish', reply };
}

export function replyEvents(reply: Reply): readonly ModelEvent[] {
  return [...replyEventsOf(reply)];
}

/** The arguments as they would have been streamed: what the model wrote, or the text that a free-text tool takes. */
export function streamedArguments({ kind, arguments: taken, wireArguments = taken }: Call): string {
  const given = kind === 'custom' ? taken : wireArguments;
  return typeof given === 'string' ? given : JSON.stringify(given);
}
