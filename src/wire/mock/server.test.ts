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

test('says what it cannot do: a door it does not have, a body that is not JSON, a script that is used up', async () => {
  await using provider = await mock([]);
  const post = async (path: string, body: string) => {
    const response = await fetch(provider.url + path, { method: 'POST', body });
    return [response.status, JSON.stringify(await response.json())] as const;
  };
  const [missing, text] = await post('/v1/nothing', '{}');
  assert.equal(missing, 404);
  assert.match(text, /no door POST \/v1\/nothing.*\/v1\/messages/);
  assert.match((await post('/v1/messages', 'nope'))[1], /not a JSON object/);
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

test('a mistake in a script is told before it answers, with the name that was meant (mock_script_invalid)', async () => {
  const mistakes: readonly (readonly [unknown, RegExp])[] = [
    [[{ txt: 'hi' }], /In the script, reply 1: it has no field "txt"\. Did you mean "text"\?/],
    [[{ calls: [{ nam: 'x' }] }], /reply 1, call 1: it has no field "nam"\. Did you mean "name"\?/],
    [[{ calls: [{ arguments: {} }] }], /call 1: it needs a name/],
    [[{ calls: [{ name: 'x', arguments: 5 }] }], /"arguments" must be an object or text, and is a number/],
    [[{ text: 'a', finish: 'tool_calls' }], /"finish" must be one of stop, calls, .*, and is "tool_calls"/],
    [
      ['a', { fault: { retry_after: 1 } }],
      /reply 2, fault: it has no field "retry_after"\. Did you mean "retryAfter"/,
    ],
    [[{ fault: { status: 42 } }], /fault: its status must be one of an error, 400 to 599, and is 42/],
    [[{ when: 'hello', text: 'a' }], /"when" must be an object, and is a text/],
    [[{ text: 'a', then: [{ whn: {} }] }], /reply 1, then 1: it has no field "whn"/],
    [[5], /reply 1: it must be a text or an object, and is a number/],
    [{ reply: ['a'] }, /it has no field "reply"/],
    ['hi', /it must be a list of replies/],
  ];
  for (const [script, message] of mistakes)
    await assert.rejects(mock(script as never), { code: 'mock_script_invalid', message });
});

test('a mistake in a function of the script is told to whoever asked', async () => {
  const answers = [
    () => {
      throw new Error('boom');
    },
    () => undefined,
    () => ({ txt: 'x' }),
    () => 'fine',
  ];
  await using provider = await mock(({ index }) => answers[index]!() as never);
  const client = new OpenAI({ baseURL: `${provider.url}/v1`, apiKey: 'none', maxRetries: 0 });
  const ask = (): Promise<unknown> =>
    client.chat.completions.create({ model: 'm', messages: [{ role: 'user', content: 'x' }] });
  await assert.rejects(ask(), /answer of the script's function to request 1: it threw: Error: boom/);
  await assert.rejects(ask(), /request 2: it must be a text or an object, and is missing/);
  await assert.rejects(ask(), /request 3: it has no field "txt"\. Did you mean "text"/);
  assert.match(JSON.stringify(await ask()), /fine/);
});

test('answers many at once, each by what it asked, and keeps what was asked of it', async () => {
  await using provider = await mock([
    { when: { contains: 'refund' }, calls: [{ name: 'refund' }], times: Infinity },
    { when: { contains: 'hello' }, text: 'hi', times: 20, fault: { oneBytePerChunk: true } },
    'never asked for',
  ]);
  const client = new OpenAI({ baseURL: `${provider.url}/v1`, apiKey: 'none', maxRetries: 0 });
  const words = Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? 'hello' : 'refund'));
  const replies = await Promise.all(
    words.map((content) =>
      client.chat.completions
        .stream({ model: content, messages: [{ role: 'user', content }] })
        .finalMessage(),
    ),
  );
  for (const [index, { content, tool_calls }] of replies.entries())
    assert.deepEqual(
      [content || null, tool_calls?.length],
      words[index] === 'hello' ? ['hi', undefined] : [null, 1],
    );
  const ids = replies.flatMap(({ tool_calls }) => tool_calls?.map(({ id }) => id) ?? []);
  assert.equal(new Set(ids).size, 20);
  assert.deepEqual(provider.asked.map(({ model }) => model).sort(), [...words].sort());
  assert.deepEqual(provider.unconsumed, ['never asked for']);
});

test('says what is left of the script, and what it waits for, where nothing of it fits', async () => {
  await using provider = await mock([
    { when: { contains: 'refund' }, text: 'Refunded.', times: Infinity },
    { when: { result: 'weather' }, calls: [{ name: 'pack' }] },
  ]);
  const client = new Anthropic({ baseURL: provider.url, apiKey: 'none', maxRetries: 0 });
  await assert.rejects(
    client.messages.create({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] }),
    /hi.*waits for something else: .*Refunded.* when .*refund.*; calls of pack when .*weather/,
  );
});

test('has its doors behind any prefix, as clouds and proxies put them', async () => {
  await using provider = await mock(['a', 'b', 'c']);
  const chat = new OpenAI({
    baseURL: `${provider.url}/openai/deployments/gpt-test`,
    apiKey: 'none',
    maxRetries: 0,
  });
  const request = { model: 'm', messages: [{ role: 'user' as const, content: 'x' }] };
  assert.equal((await chat.chat.completions.create(request)).choices[0]?.message.content, 'a');
  const messages = new Anthropic({ baseURL: `${provider.url}/anthropic`, apiKey: 'none', maxRetries: 0 });
  const { content } = await messages.messages.create({ ...request, max_tokens: 9 });
  assert.match(JSON.stringify(content), /"b"/);
  const response = await fetch(
    `${provider.url}/v1/projects/p/locations/l/publishers/google/models/gemini-x:generateContent`,
    { method: 'POST', body: '{"contents":[{"role":"user","parts":[{"text":"x"}]}]}' },
  );
  assert.match(await response.text(), /"c"/);
  assert.equal(provider.asked[2]?.model, 'gemini-x');
});
