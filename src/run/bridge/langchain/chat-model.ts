import { isJsonObject } from '../../../base/json/value.ts';
import type { JsonObject } from '../../../base/json/value.ts';
import type { Model, ModelError, ModelEvent, ModelRequest, Reply } from '../../../base/message/model.ts';
import type { Finish, Usage } from '../../../base/message/usage.ts';
import {
  filledText,
  numberOf,
  objectOf,
  objectsOf,
  omitUndefined,
  textOf,
} from '../../../wire/json-fields.ts';
import { ReplyAssembler } from '../../../wire/reply/assemble-reply.ts';
import { readFinish } from '../../../wire/reply/finish.ts';
import { offerTools } from '../../../wire/request/offer-tools.ts';
import { readyHistory } from '../../../wire/request/ready-history.ts';
import { blocksOf } from './content-block.ts';
import { api } from './message-fields.ts';
import { toLangChainMessages } from './write-messages.ts';

/** A `BaseChatModel` by its shape. */
export interface LangChainChatModel {
  // Methods, so that the parameters of theirs, whatever they are, fit.
  stream(messages: never, options?: never): Promise<AsyncIterable<unknown>>;
  bindTools?(tools: never, options?: never): object;
  getName?(): string;
}

/**
 * A chat model of LangChain as one of ours. It streams, and a call runs only after its reply has ended.
 * @example const model = langchainModel(new ChatOllama({ model: 'qwen3' }));
 */
export function langchainModel(theirs: LangChainChatModel, options: { readonly name?: string } = {}): Model {
  const name = options.name ?? `langchain/${theirs.getName?.() ?? theirs.constructor.name}`;
  const stream: Model['stream'] = (request, { signal } = {}) => streamOf(theirs, name, request, signal);
  return {
    name,
    api,
    capabilities: { images: true, tools: true, parallelCalls: true, strict: false },
    stream,
    async generate(request, given) {
      let reply: Reply | undefined;
      for await (const event of stream(request, given)) if (event.type === 'finish') ({ reply } = event);
      return reply!;
    },
  };
}

async function* streamOf(
  theirs: LangChainChatModel,
  name: string,
  request: ModelRequest,
  signal: AbortSignal | undefined,
): AsyncGenerator<ModelEvent, void, undefined> {
  const can = { none: false, required: true, named: true, allowed: false };
  const { tools, hasTools, choice } = offerTools(request, { unfitTools: 'leave-out' }, { api, can });
  const reply = new ReplyAssembler(api, { model: name, tools });
  try {
    const bound =
      hasTools && theirs.bindTools
        ? theirs.bindTools(
            tools.tools.map(({ spec, wireName, schema }) => ({
              type: 'function',
              function: omitUndefined({
                name: wireName,
                description: spec.kind === 'hosted' ? undefined : spec.description,
                parameters: schema,
              }),
            })) as never,
            omitUndefined({
              tool_choice:
                choice === undefined || typeof choice === 'string'
                  ? choice
                  : 'name' in choice
                    ? tools.wireName(choice.name)
                    : undefined,
            }) as never,
          )
        : theirs;
    const messages = toLangChainMessages(readyHistory(request.messages, api).messages);
    const chunks = await (bound as LangChainChatModel).stream(
      messages as never,
      omitUndefined({ ...objectOf(request.providerOptions?.[api]), stop: request.stop, signal }) as never,
    );
    const end = new End();
    for await (const chunk of chunks) {
      readChunk(reply, chunk as JsonObject, end);
      yield* reply.take();
    }
    end.tell(reply);
  } catch (error) {
    reply.error(errorOf(error, signal));
  }
  reply.close(reply.finish !== undefined && !reply.hasError);
  yield* reply.take();
}

/** What chunks say of the end; some say it in several. */
class End {
  reason: string | undefined;
  usage: Usage | undefined;

  tell(reply: ReplyAssembler): void {
    if (this.usage !== undefined) reply.usage(this.usage);
    // A stream of theirs that broke throws; one that ended without a reason has ended.
    reply.stop(this.reason === undefined ? { reason: 'stop' } : readFinish(this.reason, finishTable));
  }
}

const finishTable: Readonly<Record<string, Finish['reason']>> = {
  ...{ stop: 'stop', end_turn: 'stop', stop_sequence: 'stop', STOP: 'stop', completed: 'stop' },
  ...{ tool_calls: 'calls', tool_use: 'calls', function_call: 'calls' },
  ...{ length: 'length', max_tokens: 'length', MAX_TOKENS: 'length', incomplete: 'length' },
  ...{ content_filter: 'filter', SAFETY: 'filter', guardrail_intervened: 'filter', refusal: 'refusal' },
  ...{ pause_turn: 'pause', error: 'error', MALFORMED_FUNCTION_CALL: 'error' },
};

function readChunk(reply: ReplyAssembler, chunk: JsonObject, end: End): void {
  reply.start(filledText(chunk['id']), undefined);
  for (const block of blocksOf(chunk['content'])) readBlock(reply, block);
  const pieces = objectsOf(chunk['tool_call_chunks']);
  for (const piece of pieces) {
    const key = `call ${numberOf(piece['index']) ?? textOf(piece['index']) ?? textOf(piece['id']) ?? 0}`;
    reply.call(key, { id: filledText(piece['id']), name: filledText(piece['name']) });
    reply.arguments(key, textOf(piece['args']) ?? '');
  }
  // Of chunks that merge, `tool_calls` is what LangChain made of half-arrived arguments: never read.
  if (pieces.length === 0)
    for (const [index, call] of objectsOf(chunk['tool_calls']).entries()) {
      const key = `call ${textOf(call['id']) ?? index}`;
      reply.call(key, { id: filledText(call['id']), name: filledText(call['name']) });
      reply.wholeArguments(key, isJsonObject(call['args']) ? call['args'] : '');
    }
  const about = objectOf(chunk['response_metadata']);
  for (const field of ['finish_reason', 'stop_reason', 'finishReason', 'done_reason', 'stopReason', 'status'])
    end.reason = filledText(about[field]) ?? end.reason;
  const stop = objectOf(chunk['additional_kwargs'])['stop_reason'];
  end.reason = filledText(stop) ?? end.reason;
  end.usage = readUsage(objectOf(chunk['usage_metadata']), end.usage);
}

function readBlock(reply: ReplyAssembler, block: JsonObject): void {
  const index = numberOf(block['index']) ?? 0;
  const thought = textOf(block['reasoning']) ?? textOf(block['thinking']);
  if (block['type'] === 'text' && typeof block['text'] === 'string')
    reply.text(`text ${index}`, block['text']);
  else if (thought !== undefined) reply.reasoning(`reasoning ${index}`, thought);
}

/** Later chunks add to earlier ones, as LangChain's own merge does. */
function readUsage(raw: JsonObject, before: Usage | undefined): Usage | undefined {
  const input = numberOf(raw['input_tokens']);
  const output = numberOf(raw['output_tokens']);
  if (input === undefined && output === undefined) return before;
  const sum = { input: (before?.input ?? 0) + (input ?? 0), output: (before?.output ?? 0) + (output ?? 0) };
  return omitUndefined({
    ...sum,
    total: sum.input + sum.output,
    cachedRead: numberOf(objectOf(raw['input_token_details'])['cache_read']) ?? before?.cachedRead,
    reasoning: numberOf(objectOf(raw['output_token_details'])['reasoning']) ?? before?.reasoning,
  });
}

function errorOf(error: unknown, signal: AbortSignal | undefined): ModelError {
  if (signal?.aborted) return { kind: 'aborted', message: 'The request was aborted.' };
  const { status, message } = (error ?? {}) as { readonly status?: unknown; readonly message?: unknown };
  const code = numberOf(status);
  const kind =
    code === 401
      ? 'authentication'
      : code === 429
        ? 'rate_limit'
        : code === 400
          ? 'invalid_request'
          : code !== undefined && code >= 500
            ? 'server'
            : 'other';
  return omitUndefined({ kind, message: textOf(message) ?? String(error), status: code } as const);
}
