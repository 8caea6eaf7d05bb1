import assert from 'node:assert/strict';
import { test } from 'node:test';

import { APICallError, RetryError, generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai';
import { MockLanguageModelV3, MockLanguageModelV4, simulateReadableStream } from 'ai/test';

import type { Model, ModelEvent, ModelRequest, Reply } from '../../base/message/model.ts';
import type { JsonObject } from '../../base/json/value.ts';
import { anthropic, modelNamed } from '../../wire/index.ts';
import { mockModel } from '../../wire/mock/model.ts';
import { mock } from '../../wire/mock/server.ts';
import { fromAiSdk, toAiSdk } from './ai-sdk.ts';
import type { AiSdkModel } from './ai-sdk.ts';

const weather = tool({
  description: 'Weather',
  inputSchema: jsonSchema<{ city: string }>({ type: 'object', properties: { city: { type: 'string' } } }),
  execute: ({ city }) => `rain in ${city}`,
});

const script = [
  {
    reasoning: 'hm',
    text: 'I look.',
    calls: [
      { name: 'weather', arguments: { city: 'Oslo' } },
      { name: 'weather', arguments: { city: 'Bergen' } },
    ],
  },
  'It rains.',
];

for (const version of ['v3', 'v4'] as const) {
  const face = (model: Model) => (version === 'v3' ? toAiSdk(model, 'v3') : toAiSdk(model, 'v4'));

  test(`the ai package runs tools with one of our models in its face of ${version}`, async () => {
    const model = mockModel(script);
    const { text, steps, usage } = await generateText({
      model: face(model),
      tools: { weather },
      stopWhen: stepCountIs(3),
      prompt: 'Rain?',
    });
    assert.equal(text, 'It rains.');
    assert.deepEqual(
      steps[0]!.toolResults.map(({ output }) => output),
      ['rain in Oslo', 'rain in Bergen'],
    );
    assert.equal(steps[0]!.finishReason, 'tool-calls');
    assert.ok((usage.inputTokens ?? 0) > 0);
    const history = model.asked[1]!.request.messages;
    assert.deepEqual(
      history.map(({ role }) => role),
      ['user', 'assistant', 'tool'],
    );
    assert.equal(model.asked[0]!.request.tools?.[0]?.name, 'weather');
  });

  test(`the ai package streams one of our models in its face of ${version}`, async () => {
    const result = streamText({
      model: face(mockModel(script)),
      tools: { weather },
      stopWhen: stepCountIs(3),
      prompt: 'Rain?',
    });
    const types = new Set<string>();
    for await (const part of result.fullStream) types.add(part.type);
    assert.equal(await result.text, 'It rains.');
    for (const type of [
      'text-delta',
      'reasoning-delta',
      'tool-input-delta',
      'tool-call',
      'tool-result',
      'finish',
    ])
      assert.ok(types.has(type), type);
  });

  test(`a call that was cut does not run behind the face of ${version}`, async () => {
    let runs = 0;
    const counting = tool({ ...weather, execute: () => `${runs++}` });
    const cut = mockModel([
      { calls: [{ name: 'weather', arguments: { city: 'Oslo' } }], fault: { lengthInCall: true } },
    ]);
    const result = streamText({ model: face(cut), tools: { weather: counting }, prompt: 'Rain?' });
    await result.consumeStream();
    assert.equal(await result.finishReason, 'length');
    assert.equal(runs, 0);
  });
}

test('a failure of our model is an APICallError, and the ai package alone decides how often to ask again', async () => {
  await using provider = await mock(
    [429, 429, 400].map((status) => ({ fault: { status, message: 'Broken.', retryAfter: 0 } })),
  );
  const model = toAiSdk(anthropic('claude-test', { baseUrl: provider.url }));
  const once = await generateText({ model, prompt: 'x', maxRetries: 0 }).catch((error: unknown) => error);
  assert.ok(APICallError.isInstance(once));
  assert.deepEqual([once.statusCode, once.isRetryable, once.message], [429, true, 'Broken.']);
  assert.equal(provider.asked.length, 1);
  const errors: unknown[] = [];
  const result = streamText({
    model,
    prompt: 'x',
    maxRetries: 1,
    onError: ({ error }) => void errors.push(error),
  });
  await result.consumeStream();
  assert.ok(RetryError.isInstance(errors[0]));
  const last = errors[0].lastError;
  assert.ok(APICallError.isInstance(last));
  assert.deepEqual([last.statusCode, last.isRetryable], [400, false]);
  assert.equal(provider.asked.length, 3);
});

test('providerOptions in the words of the AI SDK reach the body in the words of each provider', async () => {
  const providerOptions = {
    anthropic: {
      thinking: { type: 'enabled', budgetTokens: 2000 },
      metadata: { userId: 'u' },
      disableParallelToolUse: true,
      sendReasoning: true,
    },
    openai: {
      reasoningEffort: 'low',
      reasoningSummary: 'auto',
      textVerbosity: 'low',
      parallelToolCalls: false,
      metadata: { myKey: 'x' },
      strictJsonSchema: true,
    },
    google: { thinkingConfig: { thinkingBudget: 5 }, safetySettings: [], structuredOutputs: true },
    groq: { serviceTier: 'flex' },
  };
  const cacheControl = { type: 'ephemeral' };
  const bodyFor = async (model: string): Promise<JsonObject> => {
    await using provider = await mock(['Yes.']);
    await generateText({
      model: toAiSdk(modelNamed(model, { baseUrl: provider.url, apiKey: 'k' })),
      tools: { weather },
      instructions: {
        role: 'system',
        content: 'Be brief.',
        providerOptions: { anthropic: { cacheControl } },
      },
      prompt: 'Rain?',
      providerOptions,
    });
    return provider.asked[0]!.body as JsonObject;
  };
  const claude = await bodyFor('anthropic/claude-sonnet-4-5');
  assert.deepEqual(claude['thinking'], { type: 'enabled', budget_tokens: 2000 });
  assert.deepEqual(claude['metadata'], { user_id: 'u' });
  assert.deepEqual(claude['tool_choice'], { type: 'auto', disable_parallel_tool_use: true });
  assert.deepEqual(claude['system'], [{ type: 'text', text: 'Be brief.', cache_control: cacheControl }]);
  assert.ok(!Object.keys(claude).some((name) => /[A-Z]|send|reasoning/.test(name)));
  const responses = await bodyFor('openai-responses/gpt-5');
  assert.deepEqual(responses['reasoning'], { effort: 'low', summary: 'auto' });
  assert.deepEqual((responses['text'] as JsonObject)['verbosity'], 'low');
  assert.deepEqual([responses['parallel_tool_calls'], responses['metadata']], [false, { myKey: 'x' }]);
  const chat = await bodyFor('openai/gpt-5');
  assert.deepEqual(
    [chat['reasoning_effort'], chat['verbosity'], chat['parallel_tool_calls']],
    ['low', 'low', false],
  );
  const gemini = await bodyFor('google/gemini-3');
  assert.deepEqual((gemini['generationConfig'] as JsonObject)['thinkingConfig'], { thinkingBudget: 5 });
  assert.deepEqual([gemini['safetySettings'], gemini['structuredOutputs']], [[], undefined]);
  const groq = await bodyFor('groq/m');
  assert.deepEqual([groq['service_tier'], groq['thinking']], ['flex', undefined]);
});

const flat = { inputTokens: 3, outputTokens: 4, totalTokens: 7 };
const nested = {
  inputTokens: { total: 3, noCache: 3, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 4, text: 4, reasoning: undefined },
};
const parts = (finish: object) => [
  { type: 'stream-start', warnings: [] },
  { type: 'response-metadata', id: 'r1', modelId: 'm' },
  { type: 'reasoning-start', id: '0' },
  { type: 'reasoning-delta', id: '0', delta: 'hm' },
  { type: 'reasoning-end', id: '0', providerMetadata: { acme: { signature: 's' } } },
  { type: 'tool-input-start', id: 'c1', toolName: 'weather' },
  { type: 'tool-input-delta', id: 'c1', delta: '{"city":' },
  { type: 'tool-input-delta', id: 'c1', delta: '"Oslo"}' },
  { type: 'tool-input-end', id: 'c1' },
  { type: 'tool-call', toolCallId: 'c1', toolName: 'weather', input: '{"city":"Oslo"}' },
  finish,
];

/** The same model in each version of the interface. */
function theirs(cut = false): readonly AiSdkModel[] {
  const stream = (finish: object) => {
    const chunks = parts(finish) as never[];
    return Promise.resolve({ stream: simulateReadableStream({ chunks: cut ? chunks.slice(0, 8) : chunks }) });
  };
  const v2 = { type: 'finish', finishReason: 'tool-calls', usage: flat };
  const later = { type: 'finish', finishReason: { unified: 'tool-calls', raw: 'tool_use' }, usage: nested };
  return [
    secondVersion(() => stream(v2)),
    new MockLanguageModelV3({ doStream: () => stream(later) }),
    new MockLanguageModelV4({ doStream: () => stream(later) }),
  ];
}

/** The package has no mock of version 2 any more. */
function secondVersion(doStream: () => Promise<{ stream: ReadableStream<never> }>): AiSdkModel {
  const doStreamCalls: unknown[] = [];
  const model = {
    specificationVersion: 'v2' as const,
    provider: 'acme',
    modelId: 'm',
    supportedUrls: {},
    doStreamCalls,
    doGenerate: () => Promise.reject(new Error('not asked for here')),
    doStream(options: unknown) {
      doStreamCalls.push(options);
      return doStream();
    },
  };
  return model;
}

const question: ModelRequest = {
  messages: [{ role: 'user', content: 'Rain?' }],
  tools: [
    {
      kind: 'function',
      name: 'weather',
      input: { type: 'object', properties: { city: { type: 'string' } } },
    },
  ],
};

async function replyOf(model: Model, request = question): Promise<Reply> {
  let last: ModelEvent | undefined;
  for await (const event of model.stream(request)) last = event;
  assert.ok(last?.type === 'finish');
  return last.reply;
}

test('a model of the AI SDK of any version is one of ours, and gets back what it wants to have back', async () => {
  for (const model of theirs()) {
    const reply = await replyOf(fromAiSdk(model));
    const [thought, call] = reply.message.content;
    assert.equal(thought?.type, 'reasoning');
    assert.ok(call?.type === 'call');
    assert.deepEqual([call.name, call.arguments, call.invalid], ['weather', '{"city":"Oslo"}', undefined]);
    assert.deepEqual(
      [reply.finish.reason, reply.usage?.input, reply.usage?.output, reply.complete],
      ['calls', 3, 4, true],
    );
    const results = [{ callId: call.id, name: 'weather', content: [{ type: 'text' as const, text: 'wet' }] }];
    await replyOf(fromAiSdk(model), {
      ...question,
      messages: [...question.messages, reply.message, { role: 'tool', results }],
    });
    const [, again] = (model as MockLanguageModelV4).doStreamCalls;
    const [, assistant, answer] = again!.prompt;
    assert.ok(Array.isArray(assistant?.content));
    assert.deepEqual(assistant.content[0], {
      type: 'reasoning',
      text: 'hm',
      providerOptions: { acme: { signature: 's' } },
    });
    assert.deepEqual(answer?.content[0], {
      type: 'tool-result',
      toolCallId: 'c1',
      toolName: 'weather',
      output: { type: 'text', value: 'wet' },
    });
  }
});

test('a stream of theirs that breaks off inside a call leaves it cut', async () => {
  for (const model of theirs(true)) {
    const reply = await replyOf(fromAiSdk(model));
    const call = reply.message.content.find((part) => part.type === 'call');
    assert.equal(call?.type === 'call' && call.invalid?.reason, 'truncated');
    assert.deepEqual([reply.complete, reply.error?.kind], [false, 'network']);
  }
});

test('what they throw is an error of one shape', async () => {
  const refused = Object.assign(new Error('no'), {
    statusCode: 429,
    responseBody: '{"error":{"message":"Slow down."}}',
  });
  const model = fromAiSdk(
    new MockLanguageModelV4({
      doStream: () => Promise.reject(refused),
      doGenerate: () => Promise.reject(refused),
    }),
  );
  for (const reply of [await replyOf(model), await model.generate(question)])
    assert.deepEqual(
      [reply.error?.kind, reply.error?.message, reply.complete],
      ['rate_limit', 'Slow down.', false],
    );
});

test('there and back again is the same model, also over the wire', async () => {
  await using provider = await mock([script[0]!, script[0]!]);
  const plain = anthropic('claude-test', { baseUrl: provider.url });
  const [direct, twice] = [await replyOf(plain), await replyOf(fromAiSdk(toAiSdk(plain)))];
  const content = (reply: Reply) =>
    reply.message.content.map((part) => (part.type === 'call' ? [part.name, part.arguments] : part.type));
  assert.deepEqual(content(twice), content(direct));
  assert.deepEqual([twice.finish.reason, twice.usage?.input], [direct.finish.reason, direct.usage?.input]);
});
