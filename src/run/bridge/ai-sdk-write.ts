import type { JsonObject } from '../../base/json/value.ts';
import { argumentsAsText } from '../../base/message/arguments.ts';
import type { Call } from '../../base/message/call.ts';
import type { ModelEvent, Reply } from '../../base/message/model.ts';
import type { ProviderData } from '../../base/message/part.ts';
import type { Finish, Usage } from '../../base/message/usage.ts';
import { omitUndefined } from '../../wire/json-fields.ts';
import { apiCallError } from './ai-sdk-error.ts';

/** Our events → the parts of their stream. A call that was cut is never told as one, so it cannot run. */
export async function* writeParts(
  events: AsyncIterable<ModelEvent>,
): AsyncGenerator<object, void, undefined> {
  const open = new Map<number, string>();
  yield { type: 'stream-start', warnings: [] };
  for await (const event of events) yield* writeEvent(event, open);
}

function* writeEvent(event: ModelEvent, open: Map<number, string>): Generator<object> {
  switch (event.type) {
    case 'start':
      yield omitUndefined({ type: 'response-metadata', id: event.id, modelId: event.model });
      return;
    case 'text':
    case 'reasoning':
    case 'refusal': {
      const kind = event.type === 'reasoning' ? 'reasoning' : 'text';
      const id = String(event.slot);
      if (!open.has(event.slot)) yield { type: `${kind}-start`, id };
      open.set(event.slot, kind);
      yield { type: `${kind}-delta`, id, delta: event.text };
      return;
    }
    case 'part': {
      const kind = open.get(event.slot);
      open.delete(event.slot);
      const metadata = metadataOf(event.part.providerData);
      if (kind !== undefined) yield { type: `${kind}-end`, id: String(event.slot), ...metadata };
      else if (event.part.type === 'hosted-result')
        yield {
          type: 'tool-result',
          toolCallId: event.part.callId,
          toolName: event.part.name,
          result: event.part.content ?? '',
          ...metadata,
        };
      return;
    }
    case 'call-start':
      yield omitUndefined({
        type: 'tool-input-start',
        id: event.id,
        toolName: event.name,
        providerExecuted: event.requiresLocalExecution ? undefined : true,
      });
      open.set(event.slot, event.id);
      return;
    case 'call-delta':
      yield { type: 'tool-input-delta', id: open.get(event.slot), delta: event.text };
      return;
    case 'call-end':
      yield { type: 'tool-input-end', id: event.call.id };
      open.delete(event.slot);
      if (event.call.invalid?.reason !== 'truncated') yield writeCall(event.call);
      return;
    case 'error':
      yield {
        type: 'error',
        error: apiCallError(event.error),
      };
      return;
    case 'retry':
    case 'usage':
      return;
    case 'finish':
      yield { type: 'finish', finishReason: finishReason(event.reply), usage: writeUsage(event.reply.usage) };
      return;
  }
}

/** A whole reply as their content. */
export function writeContent(reply: Reply): readonly object[] {
  return reply.message.content.flatMap((part): readonly object[] => {
    switch (part.type) {
      case 'text':
      case 'refusal':
        return [{ type: 'text', text: part.text, ...metadataOf(part.providerData) }];
      case 'reasoning':
        return [{ type: 'reasoning', text: part.text, ...metadataOf(part.providerData) }];
      case 'call':
        return part.invalid?.reason === 'truncated' ? [] : [writeCall(part)];
      case 'hosted-result':
        return [
          { type: 'tool-result', toolCallId: part.callId, toolName: part.name, result: part.content ?? '' },
        ];
      default:
        return [];
    }
  });
}

function writeCall(call: Call): object {
  const text = argumentsAsText(call);
  return omitUndefined({
    type: 'tool-call',
    toolCallId: call.id,
    toolName: call.name,
    input: text.trim() === '' ? '{}' : text,
    providerExecuted: call.requiresLocalExecution ? undefined : true,
    ...metadataOf(call.providerData),
  });
}

/** What our provider wants back goes by its API's name, where their `providerOptions` bring it back. */
function metadataOf(data: ProviderData | undefined): { readonly providerMetadata?: ProviderData } {
  return data === undefined ? {} : { providerMetadata: data };
}

const reasons: Readonly<Record<Finish['reason'], string>> = {
  stop: 'stop',
  calls: 'tool-calls',
  length: 'length',
  filter: 'content-filter',
  refusal: 'content-filter',
  pause: 'other',
  error: 'error',
  other: 'other',
};

export function finishReason(reply: Reply): JsonObject {
  const { reason, raw } = reply.finish;
  return omitUndefined({
    unified: reasons[reply.complete ? reason : 'error'],
    raw: raw === undefined ? undefined : String(raw),
  });
}

export function writeUsage(usage: Usage | undefined): object {
  const { input, output, cachedRead, cachedWrite, reasoning } = usage ?? {};
  const noCache = input === undefined ? undefined : input - (cachedRead ?? 0) - (cachedWrite ?? 0);
  const text = output === undefined ? undefined : output - (reasoning ?? 0);
  return {
    inputTokens: { total: input, noCache, cacheRead: cachedRead, cacheWrite: cachedWrite },
    outputTokens: { total: output, text, reasoning },
  };
}
