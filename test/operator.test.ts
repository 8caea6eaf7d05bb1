import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import {
  Agent,
  MaxTurnsExceededError,
  OpenAIChatCompletionsModel,
  Runner,
  setTracingDisabled,
  tool as openAITool,
} from '@openai/agents';
import { jsonSchema, tool as aiTool, ToolLoopAgent } from 'ai';
import OpenAI from 'openai';
import { callsOf, textOf } from '../src/base/message/message.ts';
import { resultText } from '../src/base/message/result.ts';
import { findScenario, loadCatalog } from '../src/grade/scenario/load/catalog.ts';
import { buildTask } from '../src/grade/scenario/build-task.ts';
import { openStore } from '../src/grade/store/open-store.ts';
import { toAiSdk } from '../src/run/bridge/ai-sdk.ts';
import {
  operator,
  type Heard,
  type Operator,
  type Play,
  type RunAgent,
} from '../src/run/bridge/operator/index.ts';
import { run } from '../src/run/loop/run.ts';
import { connect } from '../src/serve/client/client.ts';
import { playEpisode } from '../src/serve/client/play-episode.ts';
import { startServer } from '../src/serve/server/server.ts';
import { mock, mockModel } from '../src/wire/mock/index.ts';

setTracingDisabled(true);
const catalog = loadCatalog(fileURLToPath(new URL('../scenarios', import.meta.url)));
const store = await openStore(':memory:');
const server = await startServer({ store, catalog, open: true });
after(async () => {
  await server[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
});
const client = connect({ url: server.url });
const place = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } as const;

/** Their model, with the official client underneath. */
function openAIModel(url: string): OpenAIChatCompletionsModel {
  // Their package has a client of its own version, whose type has other private fields.
  return new OpenAIChatCompletionsModel(
    new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none' }) as never,
    'gpt-x',
  );
}

/** Plays, and keeps what the operator recorded. */
async function played(player: Operator, slug = 'case-management/lumbar-strain') {
  const [collection_slug = '', scenario_slug = ''] = slug.split('/');
  let play: Play | undefined;
  const episode = await playEpisode(
    client,
    { collection_slug, scenario_slug },
    { player: (begun) => (play = player(begun)) },
  );
  return { episode, play: play! };
}

/** The newest episode, where the play has thrown. */
async function newest() {
  const { episodes } = await client.episodes({ limit: 1 });
  return client.episode(episodes[0]!.episode_id);
}

function goldOf(collection: string, scenario: string) {
  return buildTask(findScenario(catalog, collection, scenario), 0, 0).gold;
}

/** What a model says that plays the gold path: each turn's calls, then its words; first, a tool of its own. */
function goldScript() {
  const turns = goldOf('case-management', 'lumbar-strain').flatMap(({ say, calls = [] }) => [
    ...(calls.length === 0
      ? []
      : [{ calls: calls.map(({ name, input }) => ({ name, arguments: input as never })) }]),
    { text: say! },
  ]);
  const own = { calls: [{ name: 'write_down', arguments: { text: 'a new claim' } }] };
  return [own, ...turns].map((reply) => ({ ...reply, usage: { input: 5, output: 2 } }));
}

function goldIsRecorded({ episode, play }: Awaited<ReturnType<typeof played>>, noted: readonly string[]) {
  const gold = goldOf('case-management', 'lumbar-strain');
  assert.equal(episode.status, 'complete');
  assert.equal(episode.grade?.reward, 1);
  assert.deepEqual(
    episode.turns.map(({ messages }) => messages[0]!.content),
    gold.map(({ say }) => say),
  );
  assert.deepEqual(
    episode.turns.flatMap(({ messages }) => messages[0]!.tool_calls ?? []).map(({ name }) => name),
    ['medical_assessment', 'claim_status'],
  );
  assert.deepEqual(noted, ['a new claim']);
  const calls = play.steps.flatMap(({ message }) => callsOf(message).map(({ name }) => name));
  assert.deepEqual(calls, ['write_down', 'medical_assessment', 'claim_status']);
  assert.deepEqual(
    play.steps.flatMap(({ results }) => results.map(resultText)),
    ['Noted.', 'Received.', 'Received.'],
  );
  assert.equal(play.steps.length, goldScript().length);
  assert.deepEqual(
    play.steps.map(({ message }) => textOf(message)).filter((text) => text !== ''),
    gold.map(({ say }) => say),
  );
  assert.deepEqual([play.usage?.input, play.usage?.output], [5 * play.steps.length, 2 * play.steps.length]);
}

test('a ToolLoopAgent of the AI SDK plays, unchanged, beside a tool of its own', async () => {
  const noted: string[] = [];
  const agent = new ToolLoopAgent({
    model: toAiSdk(mockModel(goldScript())),
    instructions: 'You are a case manager.',
    tools: {
      write_down: aiTool({
        description: 'Writes something down',
        inputSchema: jsonSchema<{ text: string }>(place),
        execute: ({ text }) => {
          noted.push(text);
          return 'Noted.';
        },
      }),
    },
  });
  goldIsRecorded(await played(operator(agent)), noted);
  assert.deepEqual(Object.keys(agent.tools), ['write_down'], 'the agent is as it was');
});

test('an agent of the AI SDK that only streams plays as well', async () => {
  const noted: string[] = [];
  const agent = new ToolLoopAgent({
    model: toAiSdk(mockModel(goldScript())),
    tools: {
      write_down: aiTool({
        inputSchema: jsonSchema<{ text: string }>(place),
        execute: ({ text }) => {
          noted.push(text);
          return 'Noted.';
        },
      }),
    },
  });
  const { tools } = agent;
  goldIsRecorded(await played(operator({ tools, stream: (options: never) => agent.stream(options) })), noted);
});

test('an Agent of OpenAI Agents plays, unchanged, over real HTTP', async () => {
  await using provider = await mock(goldScript());
  const noted: string[] = [];
  const started: string[] = [];
  const agent = new Agent({
    name: 'Case manager',
    instructions: 'You are a case manager.',
    model: openAIModel(provider.url),
    tools: [
      openAITool({
        name: 'write_down',
        description: 'Writes something down',
        parameters: { ...place, required: ['text'], additionalProperties: false } as never,
        strict: true,
        execute: (input: unknown) => {
          noted.push((input as { text: string }).text);
          return 'Noted.';
        },
      }),
    ],
  });
  agent.on('agent_tool_start', (_context, { name }) => started.push(name));
  goldIsRecorded(await played(operator(agent)), noted);
  assert.deepEqual(
    agent.tools.map(({ name }) => name),
    ['write_down'],
    'the agent is as it was',
  );
  assert.deepEqual(started, ['write_down', 'medical_assessment', 'claim_status'], 'it hears its own hooks');
});

test('a function plays by hand', async () => {
  const gold = goldOf('case-management', 'lumbar-strain');
  let turn = 0;
  const { episode, play } = await played(
    operator(async ({ call }) => {
      const { say, calls = [] } = gold[turn++]!;
      for (const { name, input } of calls) assert.equal(await call(name, input as never), 'Received.');
      return say;
    }),
  );
  assert.equal(episode.grade?.reward, 1);
  assert.equal(play.steps.length, gold.length);
  assert.equal(play.usage, undefined);
});

test('a function hands its conversation and the tools of the episode to run()', async () => {
  const model = mockModel(goldScript().slice(1));
  const lengths: number[] = [];
  const { episode, play } = await played(
    operator(({ messages, tools }) => {
      lengths.push(messages.length);
      return run({ model, tools, messages });
    }),
  );
  assert.equal(episode.grade?.reward, 1);
  assert.equal(play.steps.length, goldScript().length - 1);
  assert.deepEqual(lengths, [1, 3, 5, 7, 9, 11, 15]);
});

const lookups = [
  {
    text: 'Let me look.',
    calls: [
      { name: 'look_up_order', arguments: { order_id: 'A-1' } },
      { name: 'look_up_order', arguments: { order_id: 'A-2' } },
    ],
  },
  'I could not find it.',
];
const library = {
  'AI SDK': async (): Promise<Operator> =>
    operator(new ToolLoopAgent({ model: toAiSdk(mockModel(lookups)) })),
  'OpenAI Agents': async (): Promise<Operator> => {
    const provider = await mock(lookups);
    after(() => provider[Symbol.asyncDispose]());
    return operator(new Agent({ name: 'Clerk', model: openAIModel(provider.url) }));
  },
};

for (const [name, make] of Object.entries(library)) {
  test(`${name}: calls of function tools share one turn and get what the world answers`, async () => {
    const player = await make();
    const twice: Operator = (begun) => {
      const whole = player(begun);
      return { ...whole, next: async (turn, last) => (turn > 2 ? undefined : whole.next(turn, last)) };
    };
    const { episode, play } = await played(twice, 'customer-support/late-parcel');
    assert.deepEqual(
      episode.turns.map(({ messages: [message] }) => [message!.content, message!.tool_calls?.length]),
      [
        ['', 2],
        ['Let me look.\n\nI could not find it.', undefined],
      ],
    );
    const answers = episode.turns[0]!.results!.map(({ output }) => output);
    const [first] = play.steps;
    assert.equal(answers.length, 2);
    first!.results.forEach((result, index) => assert.ok(resultText(result).startsWith(answers[index]!)));
    assert.match(resultText(first!.results[1]!), /Meanwhile the person said: /);
    assert.equal(episode.terminal_reason, 'client_terminated');
  });
}

test('an agent that throws leaves an ended, graded episode, and the error is its own', async () => {
  const broken = new Error('out of ideas');
  let turn = 0;
  const agent = async ({ call }: Heard) => {
    if (turn++ === 0) return 'Can you tell me how it happened?';
    await call('claim_status', { value: 'approved' });
    throw broken;
  };
  await assert.rejects(played(operator(agent)), (error) => error === broken);
  const episode = await newest();
  assert.equal(episode.terminal_reason, 'client_terminated');
  assert.equal(episode.turn_count, 1);
  assert.ok(episode.grade !== undefined && episode.grade.reward > 0);
});

test('an OpenAI agent that its own runner stops leaves an ended, graded episode', async () => {
  await using provider = await mock(goldScript().slice(1));
  const agent = new Agent({
    name: 'Case manager',
    model: openAIModel(provider.url),
  });
  const runner = new Runner();
  // The step that calls is the one step a reply may have: its words would need another.
  const once: RunAgent = (given, input, options) => runner.run(given, input, { ...options, maxTurns: 1 });
  await assert.rejects(played(operator(agent, { run: once })), MaxTurnsExceededError);
  const episode = await newest();
  assert.equal(episode.terminal_reason, 'client_terminated');
  assert.equal(episode.turn_count, 5);
  assert.ok(episode.grade !== undefined && episode.grade.reward > 0);
});

test('an abort reaches the tools of an AI SDK agent, and the episode is graded as it stands', async () => {
  const stop = new AbortController();
  let reached: AbortSignal | undefined;
  const agent = new ToolLoopAgent({
    model: toAiSdk(mockModel(goldScript())),
    tools: {
      write_down: aiTool({
        inputSchema: jsonSchema<{ text: string }>(place),
        execute: (_input, { abortSignal }) => {
          reached = abortSignal;
          stop.abort(new Error('enough'));
          return 'Noted.';
        },
      }),
    },
  });
  await assert.rejects(played(operator(agent, { signal: stop.signal })), /enough/);
  assert.equal(reached?.aborted, true);
  const episode = await newest();
  assert.equal(episode.status, 'complete');
  assert.equal(episode.grade?.reward, 0);
});

test('an abort leaves even an agent behind that does not heed it', async () => {
  const stop = new AbortController();
  const agent = () => {
    stop.abort(new Error('enough'));
    return new Promise<string>(() => undefined);
  };
  await assert.rejects(played(operator(agent, { signal: stop.signal })), /enough/);
  const episode = await newest();
  assert.equal(episode.status, 'complete');
  assert.equal(episode.grade?.reward, 0);
});

test('a call in the middle of a reply hears that the episode is over', async () => {
  let left: Promise<string> | undefined;
  const agent = async ({ call, signal }: Heard) => {
    for (;;) {
      const answer = await call('look_up_order', { order_id: 'A-1' });
      if (!signal.aborted) continue;
      left = call('look_up_order', { order_id: 'A-1' });
      return answer;
    }
  };
  const { episode } = await played(operator(agent), 'customer-support/late-parcel');
  assert.equal(episode.terminal_reason, 'max_turns_reached');
  await new Promise(setImmediate);
  assert.equal(await left, 'The episode is over.');
});
