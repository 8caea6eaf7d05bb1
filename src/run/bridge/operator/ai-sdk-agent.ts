import type { JsonObject, JsonValue } from '../../../base/json/value.ts';
import type { Call } from '../../../base/message/call.ts';
import { assistantMessage } from '../../../base/message/message.ts';
import type { AssistantPart } from '../../../base/message/part.ts';
import { errorResult, textResult, type Result } from '../../../base/message/result.ts';
import type { Usage } from '../../../base/message/usage.ts';
import type { OperatorStep, Seat, Seated, SeatTool } from './episode.ts';
import { expectOtherNames } from './tool-names.ts';

/** An agent of the AI SDK by its shape: `ToolLoopAgent`, or an object with `generate` or `stream`. */
export type AiSdkAgent = { readonly tools?: object } & (
  | { generate(options: never): PromiseLike<object> }
  | { stream(options: never): PromiseLike<object> }
);

export function isAiSdkAgent(agent: unknown): agent is AiSdkAgent {
  const { generate, stream } = (agent ?? {}) as { readonly generate?: unknown; readonly stream?: unknown };
  return typeof generate === 'function' || typeof stream === 'function';
}

/** What we read of their results and steps; of a stream each may be a promise. */
interface TheirResult {
  readonly text?: string | PromiseLike<string>;
  readonly steps?: readonly TheirStep[] | PromiseLike<readonly TheirStep[]>;
  readonly responseMessages?: readonly object[] | PromiseLike<readonly object[]>;
}

interface TheirStep {
  readonly text?: string;
  readonly content?: readonly TheirPart[];
  readonly usage?: {
    readonly inputTokens?: number | undefined;
    readonly outputTokens?: number | undefined;
    readonly totalTokens?: number | undefined;
  };
}

interface TheirPart {
  readonly type: string;
  readonly text?: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly input?: JsonValue;
  readonly output?: unknown;
  readonly error?: unknown;
  readonly providerExecuted?: boolean;
}

type Ask = (options: object) => PromiseLike<TheirResult>;

/**
 * `ToolLoopAgent` lets what a call gives override its settings, `tools` too, so that the episode's tools reach it
 * without a change to the agent; the test holds the installed version to it.
 */
export function seatAiSdkAgent(agent: AiSdkAgent, { tools, signal, record }: Seat): Seated {
  const own = agent.tools ?? {};
  expectOtherNames(Object.keys(own), tools);
  const all = { ...own, ...Object.fromEntries(tools.map((tool) => [tool.name, writeTool(tool)])) };
  const ask: Ask =
    'generate' in agent
      ? (options) => agent.generate(options as never) as PromiseLike<TheirResult>
      : (options) => agent.stream(options as never) as PromiseLike<TheirResult>;
  const messages: object[] = [];
  return async (words) => {
    messages.push({ role: 'user', content: words });
    let heard = 0;
    const result = await ask({
      messages: [...messages],
      tools: all,
      abortSignal: signal,
      onStepEnd: (step: TheirStep) => {
        heard++;
        record(readStep(step));
      },
    });
    const steps = (await result.steps) ?? [{ text: (await result.text) ?? '' }];
    for (const step of steps.slice(heard)) record(readStep(step));
    const said = steps.flatMap(({ text }) => (text ? [text] : [])).join('\n\n');
    messages.push(...((await result.responseMessages) ?? [{ role: 'assistant', content: said }]));
    return said;
  };
}

function writeTool({ description, input, call }: SeatTool): object {
  return {
    description,
    // What the AI SDK's `jsonSchema()` makes. Without `validate`, a call goes as the model wrote it, to be graded.
    inputSchema: {
      [Symbol.for('vercel.ai.schema')]: true,
      _type: undefined,
      jsonSchema: input,
      validate: undefined,
    },
    execute: (given: JsonValue) => call(given),
  };
}

function readStep({ content, text = '', usage }: TheirStep): OperatorStep {
  const parts = content ?? (text === '' ? [] : [{ type: 'text', text }]);
  const calls = new Map(
    parts.filter(({ type }) => type === 'tool-call').map((part) => [part.toolCallId, readCall(part)]),
  );
  return {
    message: assistantMessage(parts.flatMap((part) => readPart(part, calls))),
    results: parts.flatMap((part) => readResult(part, calls)),
    ...(usage && { usage: readUsage(usage) }),
  };
}

function readCall({ toolCallId = '', toolName = '', input, providerExecuted }: TheirPart): Call {
  return {
    type: 'call',
    id: toolCallId,
    name: toolName,
    arguments: typeof input === 'string' ? input : ((input ?? {}) as JsonObject),
    kind: 'function',
    requiresLocalExecution: providerExecuted !== true,
  };
}

function readPart(
  { type, text = '', toolCallId }: TheirPart,
  calls: ReadonlyMap<string | undefined, Call>,
): readonly AssistantPart[] {
  if (type === 'text' || type === 'reasoning') return [{ type, text }];
  const call = type === 'tool-call' ? calls.get(toolCallId) : undefined;
  return call === undefined ? [] : [call];
}

function readResult(
  { type, toolCallId, output, error }: TheirPart,
  calls: ReadonlyMap<string | undefined, Call>,
): readonly Result[] {
  const call = calls.get(toolCallId);
  if (call === undefined) return [];
  if (type === 'tool-result') return [textResult(call, asText(output))];
  if (type !== 'tool-error') return [];
  return [errorResult(call, 'tool_failed', error instanceof Error ? error.message : asText(error))];
}

function readUsage({
  inputTokens = 0,
  outputTokens = 0,
  totalTokens,
}: NonNullable<TheirStep['usage']>): Usage {
  return { input: inputTokens, output: outputTokens, total: totalTokens ?? inputTokens + outputTokens };
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
