import type {
  LanguageModelV2,
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV4,
  LanguageModelV4CallOptions,
} from '@ai-sdk/provider';

import { isJsonObject } from '../../base/json/value.ts';
import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import type {
  Model,
  ModelCallOptions,
  ModelError,
  ModelEvent,
  ModelRequest,
  Reply,
  ToolChoice,
} from '../../base/message/model.ts';
import { ReplyAssembler } from '../../wire/reply/assemble-reply.ts';
import type { BoundTool, ToolBinding } from '../../wire/request/bind-tools.ts';
import { readError } from '../../wire/reply/error.ts';
import { readyHistory } from '../../wire/request/ready-history.ts';
import { omitUndefined, numberOf, objectOf, parseJson, textOf } from '../../wire/json-fields.ts';
import { offerTools } from '../../wire/request/offer-tools.ts';
import { apiCallError } from './ai-sdk-error.ts';
import { readPartOptions, readProviderOptions } from './ai-sdk-options.ts';
import { api, readPrompt, writePrompt } from './ai-sdk-prompt.ts';
import { readPart, readWhole } from './ai-sdk-read.ts';
import { finishReason, writeContent, writeParts, writeUsage } from './ai-sdk-write.ts';

/** A model of the AI SDK, whichever version it speaks. */
export type AiSdkModel = LanguageModelV2 | LanguageModelV3 | LanguageModelV4;

/**
 * A model of the AI SDK as one of ours.
 * @example const model = fromAiSdk(createGroq()('llama-…'));
 */
export function fromAiSdk(theirs: AiSdkModel): Model {
  const name = `${theirs.provider}/${theirs.modelId}`;
  const model: Model = {
    name,
    api,
    capabilities: { images: true, tools: true, parallelCalls: true, strict: false },
    generate: (request, { signal } = {}) => generate(theirs, name, request, signal),
    stream: (request, { signal } = {}) => stream(theirs, name, request, signal),
  };
  return model;
}

/** How their two methods look to us: the versions differ only in what we read field by field. */
interface Loose {
  doGenerate(options: object): PromiseLike<object>;
  doStream(options: object): PromiseLike<{ readonly stream: ReadableStream<object> }>;
}

async function generate(
  theirs: AiSdkModel,
  name: string,
  request: ModelRequest,
  signal?: AbortSignal,
): Promise<Reply> {
  const { options, assembler } = ask(theirs, name, request, signal);
  try {
    readWhole(assembler, (await (theirs as unknown as Loose).doGenerate(options)) as JsonObject);
    return assembler.close();
  } catch (error) {
    assembler.error(errorOf(error, signal));
    return assembler.close(false);
  }
}

async function* stream(
  theirs: AiSdkModel,
  name: string,
  request: ModelRequest,
  signal?: AbortSignal,
): AsyncGenerator<ModelEvent, void, undefined> {
  const { options, assembler } = ask(theirs, name, request, signal);
  try {
    const { stream: parts } = await (theirs as unknown as Loose).doStream(options);
    for await (const part of parts) {
      readPart(assembler, part as JsonObject);
      yield* assembler.take();
    }
    if (assembler.finish === undefined) assembler.error(endless);
  } catch (error) {
    assembler.error(errorOf(error, signal));
  }
  assembler.close(assembler.finish !== undefined && !assembler.hasError);
  yield* assembler.take();
}

const endless: ModelError = {
  kind: 'network',
  message: 'The reply broke off before its provider had finished it.',
};

function ask(theirs: AiSdkModel, name: string, request: ModelRequest, signal: AbortSignal | undefined) {
  const can = { none: true, required: true, named: true, allowed: false };
  const { tools, hasTools, choice } = offerTools(request, { unfitTools: 'leave-out' }, { api, can });
  const options = omitUndefined({
    prompt: writePrompt(readyHistory(request.messages, api).messages, theirs.specificationVersion),
    tools: hasTools ? tools.tools.map(writeTool) : undefined,
    toolChoice: hasTools && choice ? writeToolChoice(choice, tools) : undefined,
    maxOutputTokens: request.maxOutputTokens,
    temperature: request.temperature,
    topP: request.topP,
    seed: request.seed,
    stopSequences: request.stop,
    responseFormat: request.output && {
      type: 'json',
      name: request.output.name,
      schema: request.output.schema,
    },
    providerOptions: request.providerOptions?.[api],
    abortSignal: signal,
  });
  return { options, assembler: new ReplyAssembler(api, { model: name, tools }) };
}

function writeTool({ spec, wireName: name, schema: inputSchema }: BoundTool): object {
  if (spec.kind === 'hosted') return spec.entry;
  const strict = spec.kind === 'function' ? spec.strict : undefined;
  return omitUndefined({ type: 'function', name, description: spec.description, inputSchema, strict });
}

function writeToolChoice(choice: ToolChoice, tools: ToolBinding): object {
  if (typeof choice === 'string') return { type: choice };
  return { type: 'tool', toolName: 'name' in choice ? tools.wireName(choice.name) : '' };
}

function errorOf(error: unknown, signal: AbortSignal | undefined): ModelError {
  if (signal?.aborted) return { kind: 'aborted', message: 'The request was aborted.' };
  const { statusCode, responseBody, message } = error as {
    statusCode?: unknown;
    responseBody?: unknown;
    message?: unknown;
  };
  const body = textOf(responseBody);
  const status = numberOf(statusCode);
  if (status !== undefined && body !== undefined) return readError(status, parseJson(body) ?? body);
  return {
    kind: 'other',
    message: textOf(message) ?? String(error),
    ...(status === undefined ? {} : { status }),
  };
}

/**
 * One of our models as a model of the AI SDK.
 * @example const { text } = await generateText({ model: toAiSdk(anthropic('claude-…')), prompt });
 */
export function toAiSdk(model: Model): LanguageModelV4;
export function toAiSdk(model: Model, version: 'v4'): LanguageModelV4;
export function toAiSdk(model: Model, version: 'v3'): LanguageModelV3;
export function toAiSdk(model: Model, version: 'v3' | 'v4' = 'v4'): LanguageModelV3 | LanguageModelV4 {
  const face = {
    specificationVersion: version,
    provider: model.name.split('/')[0] ?? model.api,
    modelId: model.name.split('/').slice(1).join('/'),
    supportedUrls: { '*/*': [/^https?:/] },
    doGenerate: async (options: LanguageModelV3CallOptions | LanguageModelV4CallOptions) => {
      const reply = await model.generate(readOptions(options, model), callOptions(options));
      if (reply.error !== undefined) throw apiCallError(reply.error);
      return {
        content: writeContent(reply),
        finishReason: finishReason(reply),
        usage: writeUsage(reply.usage),
        warnings: warningsOf(reply),
        response: omitUndefined({ id: reply.id, modelId: reply.message.from?.model }),
      };
    },
    doStream: async (options: LanguageModelV3CallOptions | LanguageModelV4CallOptions) => ({
      stream: await streamOf(model, options),
    }),
  };
  // Both versions take the parts that we write; only the types of what we never write differ.
  return face as unknown as LanguageModelV3 | LanguageModelV4;
}

async function streamOf(
  model: Model,
  options: LanguageModelV3CallOptions | LanguageModelV4CallOptions,
): Promise<ReadableStream<object>> {
  const gone = new AbortController();
  const { signal, ...call } = callOptions(options);
  const events = model.stream(readOptions(options, model), {
    ...call,
    signal: signal === undefined ? gone.signal : AbortSignal.any([signal, gone.signal]),
  });
  const parts = writeParts(await begun(events))[Symbol.asyncIterator]();
  return new ReadableStream<object>({
    async pull(controller) {
      const { done, value } = await parts.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: () => gone.abort(),
  });
}

/** Events whose first was waited for: an exchange that failed before anything came is thrown, and can be made again. */
async function begun(events: AsyncIterable<ModelEvent>): Promise<AsyncIterable<ModelEvent>> {
  const iterator = events[Symbol.asyncIterator]();
  const held: ModelEvent[] = [];
  for (;;) {
    const { done, value } = await iterator.next();
    if (done) break;
    if (value.type === 'error') throw apiCallError(value.error);
    held.push(value);
    if (value.type !== 'start' && value.type !== 'usage' && value.type !== 'retry') break;
  }
  return (async function* () {
    yield* held;
    for (;;) {
      const { done, value } = await iterator.next();
      if (done) return;
      yield value;
    }
  })();
}

/** Who uses the AI SDK says there how often to ask again: were we to ask again too, waits would multiply. */
function callOptions(options: { readonly abortSignal?: AbortSignal | undefined }): ModelCallOptions {
  return omitUndefined({ signal: options.abortSignal, retry: false as const });
}

/** Their call options → our request. */
function readOptions(
  given: LanguageModelV3CallOptions | LanguageModelV4CallOptions,
  { api: spoken, name }: Model,
): ModelRequest {
  const options = given as unknown as JsonObject;
  const choice = objectOf(options['toolChoice']);
  const format = objectOf(options['responseFormat']);
  return omitUndefined({
    messages: readPrompt(options['prompt']),
    tools: given.tools?.map((tool) =>
      tool.type === 'function'
        ? omitUndefined({
            kind: 'function' as const,
            name: tool.name,
            description: tool.description,
            input: tool.inputSchema as JsonObject,
            strict: tool.strict,
            providerOptions: readPartOptions(tool.providerOptions as JsonObject | undefined),
          })
        : {
            kind: 'hosted' as const,
            name: tool.name,
            api: tool.id.split('.')[0] ?? '',
            entry: tool.args as JsonObject,
          },
    ),
    toolChoice:
      choice['type'] === 'tool'
        ? { name: textOf(choice['toolName']) ?? '' }
        : (textOf(choice['type']) as 'auto' | 'none' | 'required' | undefined),
    maxOutputTokens: given.maxOutputTokens,
    temperature: given.temperature,
    topP: given.topP,
    seed: given.seed,
    stop: given.stopSequences,
    output: isJsonObject(format['schema'])
      ? { name: textOf(format['name']) ?? 'answer', schema: format['schema'] }
      : undefined,
    ...readProviderOptions(options['providerOptions'], { api: spoken, provider: name.split('/')[0] ?? '' }),
  });
}

function warningsOf(reply: Reply): readonly object[] {
  return (reply.reports ?? []).map((report) => ({
    type: 'other',
    message: (report['message'] as JsonValue) ?? '',
  }));
}
