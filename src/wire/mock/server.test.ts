import assert from 'node:assert/strict';
import { test } from 'node:test';

import Anthropic, { APIError as AnthropicError } from '@anthropic-ai/sdk';
import OpenAI from 'openai';

import { mock } from './server.ts';
import type { MockReply } from './script.ts';

const calling: MockReply = {
  text: 'I will look.',
  calls: [
    { name: 'weather', arguments: { city: 'Oslo', days: [1, 2], note: 'ähm "quoted" 🌧' } },
    { name: 'time', arguments: {} },
  ],
  usage: { input: 100, output: 20 },
};

const city = { type: 'object' as const, properties: { city: { type: 'string' } } };

test("OpenAI's own client reads what the mock answers, streamed and not, tools included", async () => {
  await using provider = await mock([calling, calling, 'Rain.', { fault: { status: 401, message: 'no' } }]);
  const client = new OpenAI({ baseURL: `${provider.url}/v1`, apiKey: 'none', maxRetries: 0 });
  const request = {
    model: 'gpt-test',
    messages: [{ role: 'user' as const, content: 'Rain in Oslo?' }],
    tools: [{ type: 'function' as const, function: { name: 'weather', parameters: city } }],
  };
  const whole = await client.chat.completions.create(request);
  const streamed = await client.chat.completions
    .stream({ ...request, stream_options: { include_usage: true } })
    .finalChatCompletion();
  for (const { choices, usage } of [whole, streamed]) {
    const message = choices[0]!.message;
    assert.equal(message.content, 'I will look.');
    assert.equal(choices[0]!.finish_reason, 'tool_calls');
    const calls = message.tool_calls!.map(
      (call) => call.type === 'function' && [call.function.name, JSON.parse(call.function.arguments)],
    );
    assert.deepEqual(calls, [
      ['weather', { city: 'Oslo', days: [1, 2], note: 'ähm "quoted" 🌧' }],
      ['time', {}],
    ]);
    assert.deepEqual([usage?.prompt_tokens, usage?.completion_tokens], [100, 20]);
  }
  const { tool_calls } = whole.choices[0]!.message;
  await client.chat.completions.create({
    ...request,
    messages: [
      ...request.messages,
      whole.choices[0]!.message,
      ...tool_calls!.map(({ id }) => ({ role: 'tool' as const, tool_call_id: id, content: 'wet' })),
    ],
  });
  const last = provider.asked[2]!.request.messages;
  assert.deepEqual(
    last.map(({ role }) => role),
    ['user', 'assistant', 'tool', 'tool'],
  );
  assert.equal(provider.asked[0]!.request.tools?.[0]?.name, 'weather');
  await assert.rejects(client.chat.completions.create(request), OpenAI.AuthenticationError);
  assert.equal(provider.unconsumed.length, 0);
});

test("Anthropic's own client reads what the mock answers, streamed and not, tools included", async () => {
  await using provider = await mock([
    calling,
    calling,
    { reasoning: 'hm', text: 'Rain.' },
    { fault: { status: 529 } },
  ]);
  const client = new Anthropic({ baseURL: provider.url, apiKey: 'none', maxRetries: 0 });
  const request = {
    model: 'claude-test',
    max_tokens: 100,
    messages: [{ role: 'user' as const, content: 'Rain in Oslo?' }],
    tools: [{ name: 'weather', input_schema: city }],
  };
  const whole = await client.messages.create(request);
  const streamed = await client.messages.stream(request).finalMessage();
  for (const { content, stop_reason, usage } of [whole, streamed]) {
    assert.equal(stop_reason, 'tool_use');
    assert.deepEqual(
      content.map((block) =>
        block.type === 'tool_use' ? [block.name, block.input] : block.type === 'text' && block.text,
      ),
      ['I will look.', ['weather', { city: 'Oslo', days: [1, 2], note: 'ähm "quoted" 🌧' }], ['time', {}]],
    );
    assert.equal(usage.output_tokens, 20);
  }
  const third = await client.messages.stream(request).finalMessage();
  assert.deepEqual(
    third.content.map(({ type }) => type),
    ['thinking', 'text'],
  );
  await assert.rejects(
    client.messages.create(request),
    (error) => error instanceof AnthropicError && error.status === 529,
  );
});

test('the clients of both providers read a reply that comes byte by byte', async () => {
  await using provider = await mock([{ ...(calling as object), fault: { oneBytePerChunk: true }, times: 2 }]);
  const openai = new OpenAI({ baseURL: `${provider.url}/v1`, apiKey: 'none', maxRetries: 0 });
  const chat = await openai.chat.completions
    .stream({ model: 'm', messages: [{ role: 'user', content: 'x' }] })
    .finalChatCompletion();
  assert.equal(chat.choices[0]!.message.tool_calls?.length, 2);
  const anthropic = new Anthropic({ baseURL: provider.url, apiKey: 'none', maxRetries: 0 });
  const message = await anthropic.messages
    .stream({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'x' }] })
    .finalMessage();
  assert.equal(message.content.length, 3);
});

test('says what it cannot do: a door it does not have, a body that is no JSON, a script that is used up', async () => {
  await using provider = await mock([]);
  const post = async (path: string, body: string) => {
    const response = await fetch(provider.url + path, { method: 'POST', body });
    return [response.status, JSON.stringify(await response.json())] as const;
  };
  const [missing, text] = await post('/v1/nothing', '{}');
  assert.equal(missing, 404);
  assert.match(text, /no door POST \/v1\/nothing.*\/v1\/messages/);
  assert.match((await post('/v1/messages', 'nope'))[1], /no JSON object/);
  const [status, exhausted] = await post(
    '/v1/chat/completions',
    '{"model":"m","messages":[{"role":"user","content":"hi"}]}',
  );
  assert.equal(status, 400);
  assert.match(exhausted, /no reply for request 1: \\"hi\\"/);
});

test('says that its port is taken (mock_port_taken)', async () => {
  await using first = await mock([]);
  await assert.rejects(mock([], { port: first.port }), { code: 'mock_port_taken' });
});
