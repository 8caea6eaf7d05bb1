import type { Call } from '../src/base/message/call.ts';
import type { Model, ModelEvent } from '../src/base/message/model.ts';
import { run } from '../src/run/loop/run.ts';
import { tool } from '../src/run/tool/define-tool.ts';
import { type Claim, type Contender, median, peer, round, timeInTurn } from './harness.ts';

/** Plays one run of `steps` replies with `parallel` calls each, against a model that answers at once. */
type Play = (steps: number, parallel: number) => Promise<void>;

export const claim: Claim = {
  name: 'loop',
  title: 'a step of the loop costs microseconds, and the same at step 200 as at the first',
  async measure({ rounds }) {
    const players = await loadPlayers();
    for (const [name, play] of Object.entries(players)) await mustDoTheWork(name, play);
    const one = await time(players, 10, 1, rounds);
    const ten = await time(players, 10, 10, rounds);
    const rows = Object.keys(players).map((loop) => ({
      loop,
      'µs a step, one call': round(one[loop]!),
      'µs a step, ten parallel calls': round(ten[loop]!),
      'times the floor': round(one[loop]! / one['a loop by hand']!),
    }));
    const growth = await growthOf(rounds);
    return {
      rows,
      limits: [
        { says: 'µs a step with one call', measured: round(one['whetstone']!), atMost: 10 },
        { says: 'µs a step with ten parallel calls', measured: round(ten['whetstone']!), atMost: 50 },
        { says: 'a step at 200 / a step at the beginning', measured: round(growth), atMost: 1.2 },
      ],
      notes: [
        'The whole run divided by its ten steps: what a run costs to begin and to end is in it.',
        'Every loop parses and checks the arguments with the same Zod schema and runs the same function; models answer in the process, at once.',
        'Peers stream where their own loop does; LangChain runs createAgent, Mastra agent.generate, Agents JS has tracing off.',
      ],
    };
  },
};

async function time(
  players: Readonly<Record<string, Play>>,
  steps: number,
  parallel: number,
  rounds: number,
): Promise<Record<string, number>> {
  const contenders = Object.entries(players).map(([name, play]): [string, Contender] => [
    name,
    async (times) => {
      for (let i = 0; i < times; i++) await play(steps, parallel);
    },
  ]);
  const timings = await timeInTurn(Object.fromEntries(contenders), { rounds, warmMs: 400, batchMs: 60 });
  return Object.fromEntries(
    Object.entries(timings).map(([name, timing]) => [name, (timing.median * 1000) / steps]),
  );
}

const answer = 'r'.repeat(200);
let ran = 0;
const execute = async ({ query, limit }: { query: string; limit: number }) => {
  ran++;
  return { ok: true, query, limit, text: answer };
};

async function mustDoTheWork(name: string, play: Play): Promise<void> {
  ran = 0;
  await play(3, 2);
  if (ran !== 6) throw new Error(`${name} ran ${ran} tools where 6 were called.`);
}

/** The time between two questions to the model, late in a long run, over the same early in it. */
async function growthOf(rounds: number): Promise<number> {
  const ratios: number[] = [];
  for (let each = 0; each < rounds * 4; each++) {
    const marks: number[] = [];
    await playOurs(200, 1, marks);
    const gaps = marks.slice(1).map((mark, index) => mark - marks[index]!);
    ratios.push(median(gaps.slice(180)) / median(gaps.slice(0, 20)));
  }
  return median(ratios);
}

interface Asked {
  readonly id: string;
  readonly arguments: { readonly query: string; readonly limit: number };
}

/** What the model says in step `step`: calls, or nothing more. */
function callsAt(step: number, steps: number, parallel: number): readonly Asked[] | undefined {
  if (step >= steps) return undefined;
  return Array.from({ length: parallel }, (_, limit) => ({
    id: `c${step}_${limit}`,
    arguments: { query: `item ${step}`, limit },
  }));
}

let playOurs: (steps: number, parallel: number, marks?: number[]) => Promise<void>;

async function loadPlayers(): Promise<Record<string, Play>> {
  const { z } = await peer<typeof import('zod')>('zod');
  const schema = z.object({ query: z.string(), limit: z.number().int() });
  const lookup = tool({ name: 'lookup', description: 'Looks something up', input: schema, run: execute });
  playOurs = async (steps, parallel, marks) => {
    await run({
      model: instantModel(steps, parallel, marks),
      tools: [lookup],
      prompt: 'go',
      limits: { steps: steps + 5 },
    });
  };
  return {
    'a loop by hand': byHand(schema),
    whetstone: (steps, parallel) => playOurs(steps, parallel),
    'ai generateText': await aiSdk(schema),
    '@tanstack/ai chat': await tanstack(schema),
    '@openai/agents run': await agents(schema),
    'langchain createAgent': await langchain(schema),
    '@mastra/core generate': await mastra(schema),
  };
}

function instantModel(steps: number, parallel: number, marks: number[] = []): Model {
  let step = 0;
  const usage = { input: 1, output: 1, total: 2 };
  async function* stream(): AsyncGenerator<ModelEvent> {
    marks.push(performance.now());
    const asked = callsAt(step++, steps, parallel);
    if (asked === undefined) {
      const message = { role: 'assistant', content: [{ type: 'text', text: 'done' }] } as const;
      yield { type: 'finish', reply: { message, finish: { reason: 'stop' }, usage, complete: true } };
      return;
    }
    const content: Call[] = [];
    for (const each of asked) {
      const call: Call = {
        type: 'call',
        id: each.id,
        name: 'lookup',
        arguments: JSON.stringify(each.arguments),
        kind: 'function',
        requiresLocalExecution: true,
      };
      content.push(call);
      yield { type: 'call-end', slot: content.length - 1, call };
    }
    const message = { role: 'assistant', content } as const;
    yield { type: 'finish', reply: { message, finish: { reason: 'calls' }, usage, complete: true } };
  }
  const capabilities = { images: true, tools: true, parallelCalls: true, strict: true };
  return {
    name: 'bench/instant',
    api: 'bench',
    capabilities,
    stream,
    generate: () => Promise.reject(new Error('unused')),
  };
}

type Schema = { parse(value: unknown): { query: string; limit: number } };

/** The least that any loop must do: parse, check, run, append. */
function byHand(schema: Schema): Play {
  return async (steps, parallel) => {
    const messages: unknown[] = [{ role: 'user', content: 'go' }];
    for (let step = 0; ; step++) {
      const asked = await Promise.resolve(callsAt(step, steps, parallel));
      const calls = asked?.map((each) => ({ id: each.id, arguments: JSON.stringify(each.arguments) }));
      messages.push({ role: 'assistant', calls });
      if (calls === undefined) return;
      const results = await Promise.all(
        calls.map(async (call) => ({
          role: 'tool',
          id: call.id,
          content: JSON.stringify(await execute(schema.parse(JSON.parse(call.arguments)))),
        })),
      );
      messages.push(...results);
    }
  };
}

/* Peers: their types are not at hand where they are not installed, so each is used as what it is at run time. */
const loose = async (name: string): Promise<Record<string, never>> => peer<Record<string, never>>(name);

const aiUsage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

async function aiSdk(schema: Schema): Promise<Play> {
  const ai = (await loose('ai')) as unknown as Record<
    'generateText' | 'tool' | 'isStepCount' | 'stepCountIs',
    (given: unknown) => unknown
  >;
  const { MockLanguageModelV4 } = (await loose('ai/test')) as unknown as Record<
    string,
    new (given: unknown) => unknown
  >;
  const stop = ai.isStepCount ?? ai.stepCountIs;
  const lookup = ai.tool({ description: 'Looks something up', inputSchema: schema, execute });
  return async (steps, parallel) => {
    let step = 0;
    const model = new MockLanguageModelV4!({
      doGenerate: async () => {
        const asked = callsAt(step++, steps, parallel);
        return {
          warnings: [],
          usage: aiUsage,
          finishReason: { unified: asked ? 'tool-calls' : 'stop', raw: undefined },
          content: asked?.map((each) => ({
            type: 'tool-call',
            toolCallId: each.id,
            toolName: 'lookup',
            input: JSON.stringify(each.arguments),
          })) ?? [{ type: 'text', text: 'done' }],
        };
      },
    });
    await ai.generateText({ model, tools: { lookup }, prompt: 'go', stopWhen: stop(steps + 5) as never });
  };
}

async function tanstack(schema: Schema): Promise<Play> {
  const { chat, toolDefinition, maxIterations } = (await loose('@tanstack/ai')) as unknown as {
    chat: (given: unknown) => AsyncIterable<unknown>;
    toolDefinition: (given: unknown) => { server: (run: unknown) => unknown };
    maxIterations: (most: number) => unknown;
  };
  const { BaseTextAdapter } = (await loose('@tanstack/ai/adapters')) as unknown as {
    BaseTextAdapter: new (options: object, name: string) => object;
  };
  const lookup = toolDefinition({
    name: 'lookup',
    description: 'Looks something up',
    inputSchema: schema,
  }).server(execute);
  return async (steps, parallel) => {
    let step = 0;
    class Instant extends BaseTextAdapter {
      name = 'instant';
      constructor() {
        super({}, 'instant');
      }
      async *chatStream() {
        const asked = callsAt(step++, steps, parallel);
        const about = { runId: 'r', threadId: 't', model: 'instant', timestamp: 0 };
        yield { type: 'RUN_STARTED', ...about };
        for (const each of asked ?? []) {
          const call = { toolCallId: each.id, toolCallName: 'lookup', toolName: 'lookup', ...about };
          yield { type: 'TOOL_CALL_START', ...call };
          yield { type: 'TOOL_CALL_ARGS', ...call, delta: JSON.stringify(each.arguments) };
          yield { type: 'TOOL_CALL_END', ...call, input: each.arguments };
        }
        if (asked === undefined) {
          yield { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant', ...about };
          yield { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'done', ...about };
          yield { type: 'TEXT_MESSAGE_END', messageId: 'm', ...about };
        }
        yield { type: 'RUN_FINISHED', ...about, finishReason: asked ? 'tool_calls' : 'stop' };
      }
    }
    const events = chat({
      adapter: new Instant(),
      messages: [{ role: 'user', content: 'go' }],
      tools: [lookup],
      agentLoopStrategy: maxIterations(steps + 5),
    });
    for await (const _ of events) void _;
  };
}

async function agents(schema: Schema): Promise<Play> {
  const {
    Agent,
    Runner,
    tool: agentTool,
    Usage,
    setTracingDisabled,
  } = (await loose('@openai/agents')) as unknown as {
    Agent: new (given: unknown) => unknown;
    Runner: new (given: unknown) => { run: (...given: unknown[]) => Promise<unknown> };
    tool: (given: unknown) => unknown;
    Usage: new (given: object) => unknown;
    setTracingDisabled: (off: boolean) => void;
  };
  setTracingDisabled(true);
  const lookup = agentTool({
    name: 'lookup',
    description: 'Looks something up',
    parameters: schema,
    execute,
  });
  return async (steps, parallel) => {
    let step = 0;
    const model = {
      async getResponse() {
        const asked = callsAt(step++, steps, parallel);
        const output = asked?.map((each) => ({
          type: 'function_call',
          id: `f${each.id}`,
          callId: each.id,
          name: 'lookup',
          status: 'completed',
          arguments: JSON.stringify(each.arguments),
        })) ?? [
          {
            type: 'message',
            id: 'm',
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'output_text', text: 'done' }],
          },
        ];
        return { usage: new Usage({}), output };
      },
    };
    const agent = new Agent({ name: 'a', instructions: 'x', model, tools: [lookup] });
    await new Runner({ tracingDisabled: true }).run(agent, 'go', { maxTurns: steps + 5 });
  };
}

async function langchain(schema: Schema): Promise<Play> {
  const {
    createAgent,
    tool: chainTool,
    AIMessage,
  } = (await loose('langchain')) as unknown as {
    createAgent: (given: unknown) => { invoke: (...given: unknown[]) => Promise<unknown> };
    tool: (run: unknown, about: unknown) => unknown;
    AIMessage: new (given: unknown) => unknown;
  };
  const { BaseChatModel } = (await loose('@langchain/core/language_models/chat_models')) as unknown as {
    BaseChatModel: new (given: object) => object;
  };
  const lookup = chainTool(async (given: never) => JSON.stringify(await execute(given)), {
    name: 'lookup',
    description: 'Looks something up',
    schema,
  });
  return async (steps, parallel) => {
    let step = 0;
    class Instant extends BaseChatModel {
      _llmType() {
        return 'instant';
      }
      bindTools() {
        return this;
      }
      async _generate() {
        const asked = callsAt(step++, steps, parallel);
        const calls = asked?.map((each) => ({
          id: each.id,
          name: 'lookup',
          args: each.arguments,
          type: 'tool_call',
        }));
        return {
          generations: [
            { text: '', message: new AIMessage(calls ? { content: '', tool_calls: calls } : 'done') },
          ],
        };
      }
    }
    const agent = createAgent({ model: new Instant({}), tools: [lookup] });
    await agent.invoke({ messages: [{ role: 'user', content: 'go' }] }, { recursionLimit: steps * 2 + 10 });
  };
}

async function mastra(schema: Schema): Promise<Play> {
  const { Agent } = (await loose('@mastra/core/agent')) as unknown as {
    Agent: new (given: unknown) => { generate: (...given: unknown[]) => Promise<unknown> };
  };
  const { createTool } = (await loose('@mastra/core/tools')) as unknown as {
    createTool: (given: unknown) => unknown;
  };
  const { MockLanguageModelV3 } = (await loose('ai/test')) as unknown as Record<
    string,
    new (given: unknown) => unknown
  >;
  const lookup = createTool({
    id: 'lookup',
    description: 'Looks something up',
    inputSchema: schema,
    execute,
  });
  return async (steps, parallel) => {
    let step = 0;
    const model = new MockLanguageModelV3!({
      doGenerate: async () => {
        const asked = callsAt(step++, steps, parallel);
        const content = asked?.map((each) => ({
          type: 'tool-call',
          toolCallId: each.id,
          toolName: 'lookup',
          input: JSON.stringify(each.arguments),
        })) ?? [{ type: 'text', text: 'done' }];
        const finishReason = { unified: asked ? 'tool-calls' : 'stop', raw: undefined };
        return { warnings: [], usage: aiUsage, finishReason, content };
      },
    });
    const agent = new Agent({ id: 'a', name: 'a', instructions: 'x', model, tools: { lookup } });
    await agent.generate('go', { maxSteps: steps + 5 });
  };
}
