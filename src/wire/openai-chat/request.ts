import type { JsonObject } from '../../base/json/value.ts';
import { localCallsOf } from '../../base/message/message.ts';
import type { ModelRequest } from '../../base/message/model.ts';
import type { OtherPart } from '../../base/message/part.ts';
import type { RequestReport, WriteOptions, WrittenRequest } from '../adapter.ts';
import { omitUndefined } from '../json-fields.ts';
import type { BoundTool, ToolBinding } from '../request/bind-tools.ts';
import { offerTools } from '../request/offer-tools.ts';
import { toolWriter } from '../request/tool-writer.ts';
import { unsupportedOptions } from '../request/unsupported-options.ts';
import type { Lack } from '../request/unsupported-options.ts';
import { writeHistory } from '../request/written-history.ts';
import type { Items } from '../request/written-history.ts';
import { writeLogprobs } from '../tokens.ts';
import type { ChatHost } from './hosts.ts';
import { isLegacy, writeMessage } from './messages.ts';
import type { ChatRequest, WireMessage, WireTool, WireToolChoice } from './types.ts';

/** Our request → the body of `POST /chat/completions`, as this host wants it. */
export function writeRequest(request: ModelRequest, options: WriteOptions, host: ChatHost): WrittenRequest {
  const offered = offerTools(request, options, {
    api: host.api,
    can: { none: true, required: true, named: host.namedChoice, allowed: host.allowedChoice },
    strict: host.strict,
    strictByItself: host.strictByItself,
    freeText: host.customTools,
  });
  const { tools, hasTools, choice } = offered;
  // Of OpenAI's own models only those that are named for it hear.
  const isDeaf = host.name === 'openai' && !/audio|realtime/.test(options.model);
  const { items, reports } = writeHistory(request.messages, {
    api: host.api,
    checkOwnIds: host.strictIds,
    by: [tools, host, isDeaf],
    refusePart: isDeaf ? refuseAudio : undefined,
    begin: () => new Set<string>(),
    write(message, legacy, written: Items<WireMessage>) {
      for (const call of localCallsOf(message)) if (isLegacy(call, host)) legacy.add(call.id);
      written.push(...writeMessage(message, tools, host, legacy));
    },
  });
  const body: ChatRequest = omitUndefined({
    model: options.model,
    messages: items,
    tools: writeTools(tools, host),
    tool_choice: hasTools && choice ? writeToolChoice(choice, tools, host) : undefined,
    parallel_tool_calls: hasTools && host.parallelFlag ? request.parallelCalls : undefined,
    [host.maxTokens]: request.maxOutputTokens,
    temperature: request.temperature,
    top_p: request.topP,
    [host.seed]: request.seed,
    stop: request.stop,
    response_format: host.output ? writeOutput(request.output) : undefined,
    ...writeReasoning(request.reasoning, host),
    ...writeTokens(request.tokens, host),
    stream: options.stream || undefined,
    stream_options: options.stream && host.usageOnRequest ? { include_usage: true } : undefined,
  });
  return {
    body: { ...(body as unknown as JsonObject), ...request.providerOptions?.[host.api] },
    reports: [
      ...offered.reports,
      ...reports,
      ...unsaidOutput(request, host),
      ...unsupportedOptions(request, host.name, lacksOf(host)),
    ],
    tools,
  };
}

function unsaidOutput({ output }: ModelRequest, host: ChatHost): readonly RequestReport[] {
  if (output === undefined || host.output) return [];
  return [{ field: 'output', message: `${host.name} takes no schema for its answer; it is not sent.` }];
}

function lacksOf({ parallelFlag, tokenIds, logprobs }: ChatHost): readonly Lack[] {
  const ofTokens = logprobs ? 'tokenIds' : 'tokens';
  return [...(parallelFlag ? [] : ['parallelCalls' as const]), ...(tokenIds ? [] : ([ofTokens] as const))];
}

function writeTokens(tokens: ModelRequest['tokens'], host: ChatHost): JsonObject {
  return omitUndefined({
    ...(host.logprobs ? writeLogprobs(tokens?.logprobs) : {}),
    return_token_ids: (host.tokenIds && tokens?.ids) || undefined,
    prompt_logprobs: host.tokenIds ? tokens?.promptLogprobs : undefined,
  });
}

function refuseAudio({ raw }: OtherPart): string | undefined {
  return raw['type'] === 'input_audio' ? 'audio for a model that cannot hear' : undefined;
}

const writeTools = toolWriter((tools, host: ChatHost) => tools.map((tool) => writeTool(tool, host)));

function writeTool(tool: BoundTool, host: ChatHost): WireTool {
  const { spec } = tool;
  if (spec.kind === 'hosted') return spec.entry as unknown as WireTool;
  if (spec.kind === 'custom')
    return {
      type: 'custom',
      custom: omitUndefined({
        name: tool.wireName,
        description: spec.description,
        format: spec.format && { type: 'grammar' as const, grammar: spec.format },
      }),
      ...spec.providerOptions?.[host.api],
    };
  return {
    type: 'function',
    function: omitUndefined({
      name: tool.wireName,
      description: spec.description,
      parameters: tool.schema as JsonObject,
      strict: host.strict ? tool.strict : undefined,
    }),
    ...spec.providerOptions?.[host.api],
  };
}

function writeToolChoice(
  choice: NonNullable<ModelRequest['toolChoice']>,
  tools: ToolBinding,
  host: ChatHost,
): WireToolChoice {
  if (choice === 'required') return host.requiredChoice as 'required';
  if (typeof choice === 'string') return choice;
  if ('name' in choice) return naming(choice.name, tools);
  return {
    type: 'allowed_tools',
    allowed_tools: {
      mode: choice.mode,
      tools: choice.allowed.map((name) => naming(name, tools) as unknown as JsonObject),
    },
  };
}

function naming(name: string, tools: ToolBinding): Extract<WireToolChoice, { type: 'function' | 'custom' }> {
  const wireName = tools.wireName(name);
  if (tools.ours(wireName)?.kind === 'custom') return { type: 'custom', custom: { name: wireName } };
  return { type: 'function', function: { name: wireName } };
}

function writeOutput(output: ModelRequest['output']): ChatRequest['response_format'] {
  if (output === undefined) return undefined;
  return { type: 'json_schema', json_schema: { name: output.name, schema: output.schema as JsonObject } };
}

function writeReasoning(reasoning: ModelRequest['reasoning'], host: ChatHost): JsonObject {
  if (reasoning === undefined || host.reasoning === undefined) return {};
  if (host.reasoning === 'reasoning_effort')
    return reasoning.effort === undefined ? {} : { reasoning_effort: reasoning.effort };
  return { reasoning: omitUndefined({ effort: reasoning.effort, max_tokens: reasoning.budgetTokens }) };
}
