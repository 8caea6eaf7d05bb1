import assert from 'node:assert/strict';
import { test } from 'node:test';

import { GoogleGenAI } from '@google/genai';
import OpenAI from 'openai';

import { mock } from './server.ts';
import type { MockReply } from './script.ts';

const args = { city: 'Oslo', days: [1, 2], note: 'ähm "quoted" 🌧' };

const calling: MockReply = {
  text: 'I will look.',
  calls: [
    { name: 'weather', arguments: args },
    { name: 'time', arguments: {} },
  ],
  usage: { input: 100, output: 20 },
};

const city = { type: 'object' as const, properties: { city: { type: 'string' } } };

test("OpenAI's own client reads Responses that the mock answers, streamed and not, tools included", async () => {
  await using provider = await mock([
    calling,
    calling,
    { reasoning: 'Hm.', text: 'Rain.' },
    { calls: [{ name: 'sql', arguments: 'SELECT 1', kind: 'custom' }] },
    { fault: { status: 429, retryAfter: 3, message: 'slow down' } },
  ]);
  const client = new OpenAI({ baseURL: `${provider.url}/v1`, apiKey: 'none', maxRetries: 0 });
  const request = {
    model: 'gpt-test',
    input: [{ role: 'user' as const, content: 'Rain in Oslo?' }],
    tools: [{ type: 'function' as const, name: 'weather', parameters: city, strict: false }],
  };
  const whole = await client.responses.create(request);
  const deltas: string[] = [];
  const stream = client.responses.stream(request).on('response.function_call_arguments.delta', (event) => {
    deltas.push(event.delta);
  });
  const streamed = await stream.finalResponse();
  for (const response of [whole, streamed]) {
    assert.equal(response.status, 'completed');
    assert.equal(response.output_text, 'I will look.');
    const calls = response.output.flatMap((item) =>
      item.type === 'function_call' ? [[item.name, JSON.parse(item.arguments) as unknown]] : [],
    );
    assert.deepEqual(calls, [
      ['weather', args],
      ['time', {}],
    ]);
    assert.deepEqual([response.usage?.input_tokens, response.usage?.output_tokens], [100, 20]);
  }
  assert.deepEqual(JSON.parse(deltas.join('').replace(/\}\{\}$/, '}')), args, 'arguments came by pieces');

  const answered = await client.responses.create({
    ...request,
    input: [
      { role: 'user', content: 'Rain in Oslo?' },
      ...(whole.output as OpenAI.Responses.ResponseInputItem[]),
      ...whole.output.flatMap((item): OpenAI.Responses.ResponseInputItem[] =>
        item.type === 'function_call'
          ? [{ type: 'function_call_output', call_id: item.call_id, output: 'wet' }]
          : [],
      ),
    ],
  });
  assert.equal(answered.output[0]?.type, 'reasoning');
  assert.equal(answered.output_text, 'Rain.');
  assert.deepEqual(
    provider.asked[2]!.request.messages.map(({ role }) => role),
    ['user', 'assistant', 'tool'],
  );
  const free = await client.responses.stream(request).finalResponse();
  const [custom] = free.output;
  assert.ok(custom?.type === 'custom_tool_call' && custom.input === 'SELECT 1');
  await assert.rejects(client.responses.create(request), OpenAI.RateLimitError);
});

test("Google's own client reads what the mock answers, streamed and not, tools included", async () => {
  await using provider = await mock([calling, calling, 'Rain.', { fault: { status: 503, message: 'full' } }]);
  const client = new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: provider.url } });
  const request = {
    model: 'gemini-test',
    contents: 'Rain in Oslo?',
    config: { tools: [{ functionDeclarations: [{ name: 'weather', parametersJsonSchema: city }] }] },
  };
  const whole = await client.models.generateContent(request);
  assert.equal(whole.text, 'I will look.');
  assert.deepEqual(
    whole.functionCalls?.map(({ name, args: given }) => [name, given]),
    [
      ['weather', args],
      ['time', {}],
    ],
  );
  assert.equal(whole.usageMetadata?.promptTokenCount, 100);
  let text = '';
  const names: unknown[] = [];
  for await (const chunk of await client.models.generateContentStream(request)) {
    text += chunk.candidates?.[0]?.content?.parts?.map((part) => part.text ?? '').join('') ?? '';
    names.push(...(chunk.functionCalls ?? []).map(({ name }) => name));
  }
  assert.equal(text, 'I will look.');
  assert.deepEqual(names, ['weather', 'time']);

  const answered = await client.models.generateContent({
    ...request,
    contents: [
      { role: 'user', parts: [{ text: 'Rain in Oslo?' }] },
      whole.candidates![0]!.content!,
      {
        role: 'user',
        parts: whole.functionCalls!.map(({ id, name }) => ({
          functionResponse: { ...(id && { id }), name: name!, response: { output: 'wet' } },
        })),
      },
    ],
  });
  assert.equal(answered.text, 'Rain.');
  assert.deepEqual(
    provider.asked[2]!.request.messages.map(({ role }) => role),
    ['user', 'assistant', 'tool'],
  );
  await assert.rejects(client.models.generateContent(request), /full/);
});
