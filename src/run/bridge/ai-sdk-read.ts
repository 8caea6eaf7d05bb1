import { isJsonObject } from '../../base/json/value.ts';
import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import type { Finish, Usage } from '../../base/message/usage.ts';
import type { ReplyAssembler } from '../../wire/reply/assemble-reply.ts';
import { omitUndefined, filledText, numberOf, objectOf, objectsOf, textOf } from '../../wire/json-fields.ts';
import { readFinish } from '../../wire/reply/finish.ts';
import { api, readMetadata } from './ai-sdk-prompt.ts';

/** One part of their stream, told to the reply that is being put together. */
export function readPart(reply: ReplyAssembler, part: JsonObject): void {
  const id = textOf(part['id']) ?? '';
  const data = readMetadata(part['providerMetadata']);
  switch (textOf(part['type'])) {
    case 'response-metadata':
      return reply.start(textOf(part['id']), textOf(part['modelId']));
    case 'text-start':
    case 'text-delta':
      reply.text(`text ${id}`, textOf(part['delta']) ?? '');
      return reply.remember(`text ${id}`, data);
    case 'text-end':
      reply.remember(`text ${id}`, data);
      return reply.end(`text ${id}`);
    case 'reasoning-start':
    case 'reasoning-delta':
      reply.reasoning(`reasoning ${id}`, textOf(part['delta']) ?? '');
      return reply.remember(`reasoning ${id}`, data);
    case 'reasoning-end':
      reply.remember(`reasoning ${id}`, data);
      return reply.end(`reasoning ${id}`);
    case 'tool-input-start':
      return reply.call(`call ${id}`, {
        id,
        name: textOf(part['toolName']),
        requiresLocalExecution: part['providerExecuted'] !== true,
      });
    case 'tool-input-delta':
      return reply.arguments(`call ${id}`, textOf(part['delta']) ?? '');
    case 'finish':
      return readEnd(reply, part);
    case 'error': {
      const { error } = part;
      const message = isJsonObject(error) ? textOf(error['message']) : undefined;
      return reply.error({ kind: 'other', message: message ?? String(error) });
    }
    default:
      return readContentPart(reply, part, data);
  }
}

/** An unstreamed answer of theirs. */
export function readWhole(reply: ReplyAssembler, result: JsonObject): void {
  const response = objectOf(result['response']);
  reply.start(textOf(response['id']), textOf(response['modelId']));
  for (const [index, part] of objectsOf(result['content']).entries()) {
    const data = readMetadata(part['providerMetadata']);
    const type = part['type'];
    if (type === 'text' || type === 'reasoning') {
      reply[type](`${type} ${index}`, textOf(part['text']) ?? '');
      reply.remember(`${type} ${index}`, data);
      reply.end(`${type} ${index}`);
    } else readContentPart(reply, part, data);
  }
  readEnd(reply, result);
}

/** What comes whole also in a stream: calls, results of hosted calls, files, sources. */
function readContentPart(reply: ReplyAssembler, part: JsonObject, data: JsonObject | undefined): void {
  const id = textOf(part['toolCallId']) ?? '';
  switch (textOf(part['type'])) {
    case 'tool-call': {
      const key = `call ${id}`;
      reply.call(key, {
        id,
        name: textOf(part['toolName']),
        requiresLocalExecution: part['providerExecuted'] !== true,
        data,
      });
      const { input } = part;
      reply.wholeArguments(key, isJsonObject(input) ? input : (textOf(input) ?? ''));
      return reply.end(key);
    }
    case 'tool-result':
      return reply.part(`result ${id}`, {
        type: 'hosted-result',
        callId: id,
        name: textOf(part['toolName']) ?? '',
        content: part['result'] ?? null,
        ...(part['isError'] === true ? { isError: true } : {}),
        ...(data === undefined ? {} : { providerData: { [api]: data } }),
      });
    case 'file':
    case 'source':
    case 'custom':
    case 'reasoning-file':
      return reply.part('other', { type: 'other', api, raw: part });
    default:
      return;
  }
}

const finishTable = {
  stop: 'stop',
  'tool-calls': 'calls',
  length: 'length',
  'content-filter': 'filter',
  error: 'error',
  interrupted: 'pause',
} as const satisfies Record<string, Finish['reason']>;

/** Version 2 has the reason as text and flat counters; later ones have both in parts. */
function readEnd(reply: ReplyAssembler, part: JsonObject): void {
  const given = part['finishReason'];
  const reason = isJsonObject(given) ? textOf(given['unified']) : textOf(given);
  const finish = readFinish(reason, finishTable);
  const raw = isJsonObject(given) ? filledText(given['raw']) : undefined;
  const usage = readUsage(objectOf(part['usage']));
  if (usage !== undefined) reply.usage(usage);
  reply.stop(raw === undefined ? finish : { reason: finish.reason, raw });
}

function readUsage(raw: JsonObject): Usage | undefined {
  const input = counter(raw['inputTokens']);
  const output = counter(raw['outputTokens']);
  if (input === undefined && output === undefined) return undefined;
  const read = objectOf(raw['inputTokens']);
  return omitUndefined({
    input: input ?? 0,
    output: output ?? 0,
    cachedRead: numberOf(read['cacheRead']) ?? numberOf(raw['cachedInputTokens']),
    cachedWrite: numberOf(read['cacheWrite']),
    reasoning: numberOf(objectOf(raw['outputTokens'])['reasoning']) ?? numberOf(raw['reasoningTokens']),
    total: (input ?? 0) + (output ?? 0),
  });
}

function counter(value: JsonValue | undefined): number | undefined {
  return isJsonObject(value) ? numberOf(value['total']) : numberOf(value);
}
