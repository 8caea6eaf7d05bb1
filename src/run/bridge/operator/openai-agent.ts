import { WhetstoneError } from '../../../base/host/errors.ts';
import { parseJson } from '../../../base/json/parse.ts';
import type { JsonValue } from '../../../base/json/value.ts';
import type { Call } from '../../../base/message/call.ts';
import { assistantMessage, callsOf, textOf } from '../../../base/message/message.ts';
import type { AssistantPart } from '../../../base/message/part.ts';
import { textResult, type Result } from '../../../base/message/result.ts';
import type { OperatorStep, Seat, Seated, SeatTool } from './episode.ts';
import { expectOtherNames } from './tool-names.ts';

/** An `Agent` of `@openai/agents` by its shape. */
export interface OpenAIAgent {
  readonly name: string;
  readonly tools: readonly object[];
  readonly handoffs: readonly unknown[];
  clone(config: never): object;
}

/** How an agent is run: `run` of `@openai/agents`, or a runner's, with any further options. */
export type RunAgent = (
  agent: never,
  input: never,
  options: { readonly signal: AbortSignal },
) => Promise<object>;

export function isOpenAIAgent(agent: unknown): agent is OpenAIAgent {
  const { clone, tools, handoffs } = (agent ?? {}) as Partial<OpenAIAgent>;
  return typeof clone === 'function' && Array.isArray(tools) && Array.isArray(handoffs);
}

interface TheirResult {
  readonly history: readonly object[];
  readonly newItems: readonly { readonly rawItem?: TheirItem }[];
  readonly rawResponses: readonly TheirResponse[];
}

interface TheirResponse {
  readonly output: readonly TheirItem[];
  readonly usage: {
    readonly inputTokens: number;
    readonly outputTokens: number;
    readonly totalTokens: number;
  };
}

interface TheirItem {
  readonly type?: string;
  readonly content?: readonly { readonly type: string; readonly text?: string; readonly refusal?: string }[];
  readonly callId?: string;
  readonly name?: string;
  readonly arguments?: string;
  readonly output?: unknown;
}

type Emitter = {
  on(type: string, listener: (...values: unknown[]) => void): unknown;
  emit(type: string, ...values: unknown[]): unknown;
};

/** A copy of the agent gets the episode's tools; the agent itself hears what its copy does, and is not touched. */
export function seatOpenAIAgent(
  agent: OpenAIAgent,
  { tools, signal, record }: Seat,
  givenRun?: RunAgent,
): Seated {
  expectOtherNames(
    agent.tools.map((own) => (own as { readonly name?: string }).name ?? ''),
    tools,
  );
  const copy = agent.clone({ tools: [...agent.tools, ...tools.map(writeTool)] } as never);
  for (const type of ['agent_start', 'agent_end', 'agent_handoff', 'agent_tool_start', 'agent_tool_end'])
    (copy as Emitter).on(type, (...values) => (agent as unknown as Emitter).emit(type, ...values));
  let history: readonly object[] = [];
  return async (words) => {
    const run = givenRun ?? (await loadRun());
    const input = [...history, { role: 'user', content: words }];
    const result = (await run(copy as never, input as never, { signal })) as TheirResult;
    ({ history } = result);
    const steps = readSteps(result);
    steps.forEach(record);
    return steps
      .map(({ message }) => textOf(message))
      .filter((text) => text !== '')
      .join('\n\n');
  };
}

async function loadRun(): Promise<RunAgent> {
  try {
    const { run } = await import('@openai/agents');
    return run as RunAgent;
  } catch (cause) {
    throw new WhetstoneError(
      'peer_missing',
      'An OpenAI agent needs the package `@openai/agents`: npm install @openai/agents',
      { details: { peer: '@openai/agents' }, cause },
    );
  }
}

function writeTool({ name, description, input, call }: SeatTool): object {
  return {
    type: 'function',
    name,
    description,
    parameters: input,
    strict: false,
    needsApproval: async () => false,
    isEnabled: async () => true,
    // What is not JSON goes as the model wrote it, to be graded.
    invoke: (_context: unknown, text: string) => call(readInput(text)),
  };
}

function readInput(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

function readSteps({ rawResponses, newItems }: TheirResult): readonly OperatorStep[] {
  const outputs = new Map(
    newItems
      .filter(({ rawItem }) => rawItem?.type === 'function_call_result')
      .map(({ rawItem }) => [rawItem?.callId, asText(rawItem?.output)]),
  );
  return rawResponses.map(({ output, usage }) => {
    const message = assistantMessage(output.flatMap(readItem));
    const results = callsOf(message).flatMap((call): readonly Result[] => {
      const text = outputs.get(call.id);
      return text === undefined ? [] : [textResult(call, text)];
    });
    const { inputTokens, outputTokens, totalTokens } = usage;
    return { message, results, usage: { input: inputTokens, output: outputTokens, total: totalTokens } };
  });
}

function readItem(item: TheirItem): readonly AssistantPart[] {
  switch (item.type) {
    case 'message':
    case undefined:
      return (item.content ?? []).flatMap(({ type, text, refusal }): readonly AssistantPart[] => {
        if (type === 'refusal') return [{ type: 'refusal', text: refusal ?? '' }];
        return type === 'output_text' ? [{ type: 'text', text: text ?? '' }] : [];
      });
    case 'reasoning':
      return [{ type: 'reasoning', text: (item.content ?? []).map(({ text }) => text ?? '').join('\n') }];
    case 'function_call':
      return [readCall(item)];
    default:
      return [];
  }
}

function readCall({ callId = '', name = '', arguments: text = '' }: TheirItem): Call {
  return {
    type: 'call',
    id: callId,
    name,
    arguments: text,
    kind: 'function',
    requiresLocalExecution: true,
  };
}

function asText(output: unknown): string {
  if (typeof output === 'string') return output;
  const { text } = (output ?? {}) as { readonly text?: unknown };
  return typeof text === 'string' ? text : (JSON.stringify(output) ?? '');
}
