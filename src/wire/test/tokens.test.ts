import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';

import type { JsonObject } from '../../base/json/value.ts';
import { wordSchema } from '../../base/message/message-schema.ts';
import type { ModelRequest, Reply } from '../../base/message/model.ts';
import { checkValue, loadChecker } from '../../base/schema/check/check.ts';
import { adapterOf } from '../catalog.ts';
import { modelNamed } from '../index.ts';
import { objectOf, objectsOf, parseJson } from '../json-fields.ts';

const question: ModelRequest = {
  messages: [{ role: 'user', content: 'Rain?' }],
  tokens: { ids: true, logprobs: 1, promptLogprobs: 0 },
};

const likely = (token: string, logprob: number): JsonObject => ({
  token,
  logprob,
  bytes: [...Buffer.from(token)],
  top_logprobs: [{ token, logprob, bytes: null }],
});

/** What vLLM answers when ids and log-probabilities are asked for, by its protocol. */
const promptLogprobs = [null, { 872: { logprob: -2.5, rank: 3, decoded_token: 'user' } }];
const common = { id: 'chatcmpl-1', created: 1, model: 'm' };
const call = {
  id: 'call_1',
  type: 'function',
  index: 0,
  function: { name: 'look', arguments: '{}' },
};
const whole: JsonObject = {
  ...common,
  object: 'chat.completion',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'It', reasoning: null, tool_calls: [call] },
      logprobs: { content: [likely('It', -0.1), likely(' rains', -0.2), likely('<|im_end|>', -0.3)] },
      finish_reason: 'tool_calls',
      stop_reason: null,
      token_ids: [2132, 62064, 151645],
    },
  ],
  usage: { prompt_tokens: 2, completion_tokens: 3, total_tokens: 5 },
  prompt_logprobs: promptLogprobs,
  prompt_token_ids: [151644, 872],
};

const piece = (choice: JsonObject, more: JsonObject = {}): JsonObject => ({
  ...common,
  object: 'chat.completion.chunk',
  choices: [{ index: 0, finish_reason: null, ...choice }],
  ...more,
});
const streamed: readonly JsonObject[] = [
  piece({ delta: { role: 'assistant', content: '' }, logprobs: null }, { prompt_token_ids: [151644, 872] }),
  piece({ delta: { content: 'It' }, logprobs: { content: [likely('It', -0.1)] }, token_ids: [2132] }),
  piece({
    delta: { tool_calls: [call] },
    logprobs: { content: [likely(' rains', -0.2)] },
    token_ids: [62064],
  }),
  piece({
    delta: { content: '' },
    logprobs: { content: [likely('<|im_end|>', -0.3)] },
    token_ids: [151645],
    finish_reason: 'tool_calls',
    stop_reason: null,
  }),
  { ...common, object: 'chat.completion.chunk', choices: [], usage: whole['usage']! },
];

test('vLLM is asked for the ids of tokens and how likely they were, and all of it is with the reply', async () => {
  const bodies: JsonObject[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (more: string) => (text += more));
    request.on('end', () => {
      const body = objectOf(parseJson(text));
      bodies.push(body);
      const isStream = body['stream'] === true;
      response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' });
      if (!isStream) return response.end(JSON.stringify(whole));
      for (const chunk of streamed) response.write(`data: ${JSON.stringify(chunk)}\n\n`);
      return response.end('data: [DONE]\n\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const model = modelNamed('vllm/m', { baseUrl });
    const replies: Reply[] = [await model.generate(question)];
    for await (const event of model.stream(question)) if (event.type === 'finish') replies.push(event.reply);
    for (const body of bodies) {
      const { logprobs, top_logprobs, return_token_ids, prompt_logprobs } = body;
      assert.deepEqual([logprobs, top_logprobs, return_token_ids, prompt_logprobs], [true, 1, true, 0]);
    }
    await loadChecker();
    for (const reply of replies) {
      assert.deepEqual(reply.tokens?.ids, [2132, 62064, 151645]);
      assert.deepEqual(reply.tokens.promptIds, [151644, 872]);
      assert.deepEqual(reply.tokens.logprobs?.[1], {
        token: ' rains',
        logprob: -0.2,
        bytes: [...Buffer.from(' rains')],
        top: [{ token: ' rains', logprob: -0.2 }],
      });
      assert.equal(reply.tokens.logprobs.length, 3);
      assert.deepEqual(checkValue(wordSchema('Reply'), reply), []);
      assert.equal(reply.message.content.length, 2);
    }
    // Streams of vLLM do not tell how likely the prompt was.
    assert.deepEqual(replies[0]?.tokens?.promptLogprobs, promptLogprobs);
    assert.deepEqual(checkValue(wordSchema('ModelRequest'), question), []);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('ids in place of the text of a token are read as ids', () => {
  const choice = {
    ...objectsOf(whole['choices'])[0],
    logprobs: { content: [{ token: 'token_id:2132', logprob: -0.1, bytes: null, top_logprobs: [] }] },
  };
  const { tokens } = adapterOf('openai-chat-compat').readReply({ ...whole, choices: [choice] });
  assert.deepEqual(tokens?.logprobs, [{ token: 'token_id:2132', logprob: -0.1, id: 2132 }]);
});

test('a body that asks for tokens reads as such and is written again as it was', () => {
  const adapter = adapterOf('openai-chat-compat');
  const body = {
    model: 'm',
    messages: [{ role: 'user', content: 'Rain?' }],
    logprobs: true,
    top_logprobs: 2,
    return_token_ids: true,
    prompt_logprobs: 1,
  };
  const { request } = adapter.readRequest(body);
  assert.deepEqual(request.tokens, { ids: true, logprobs: 2, promptLogprobs: 1 });
  assert.deepEqual(adapter.writeRequest(request, { model: 'm' }).body, body);
});

test('Responses tells how likely the tokens of its words were, whole and streamed', () => {
  const adapter = adapterOf('openai-responses');
  const { body } = adapter.writeRequest(
    {
      ...question,
      providerOptions: { 'openai-responses': { include: ['reasoning.encrypted_content'] } },
    },
    { model: 'm' },
  );
  assert.deepEqual(
    [body['include'], body['top_logprobs']],
    [['reasoning.encrypted_content', 'message.output_text.logprobs'], 1],
  );
  const part = { type: 'output_text', text: 'It', annotations: [], logprobs: [likely('It', -0.1)] };
  const item = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: [part] };
  const response = { id: 'r', model: 'm', status: 'completed', output: [item] };
  const expected = [{ token: 'It', logprob: -0.1, bytes: [73, 116], top: [{ token: 'It', logprob: -0.1 }] }];
  assert.deepEqual(adapter.readReply(response).tokens?.logprobs, expected);
  const events: readonly JsonObject[] = [
    { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'It', logprobs: [] },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response },
  ];
  assert.deepEqual(streamedReply('openai-responses', events).tokens?.logprobs, expected);
});

test('Gemini tells chosen and other tokens apart, chunk by chunk; here they stand together', () => {
  const adapter = adapterOf('gemini');
  const { body } = adapter.writeRequest(question, { model: 'm' });
  assert.deepEqual(body['generationConfig'], { responseLogprobs: true, logprobs: 1 });
  const chunk = (text: string, tokenId: number, finishReason?: string): JsonObject => {
    const candidate = { token: text, tokenId, logProbability: -0.5 };
    const logprobsResult = {
      chosenCandidates: [candidate],
      topCandidates: [{ candidates: [candidate, { token: 'x', logProbability: -3 }] }],
    };
    return {
      candidates: [{ content: { parts: [{ text }] }, logprobsResult, ...(finishReason && { finishReason }) }],
    };
  };
  const reply = streamedReply('gemini', [chunk('It', 7), chunk(' rains', 8, 'STOP')]);
  assert.deepEqual(
    reply.tokens?.logprobs?.map(({ token, id, logprob, top }) => [token, id, logprob, top?.length]),
    [
      ['It', 7, -0.5, 2],
      [' rains', 8, -0.5, 2],
    ],
  );
});

test('Ollama tells how likely tokens are, line by line', () => {
  const { body } = adapterOf('ollama').writeRequest(question, { model: 'm' });
  assert.deepEqual([body['logprobs'], body['top_logprobs']], [true, 1]);
  const reply = streamedReply('ollama', [
    { message: { role: 'assistant', content: 'It' }, logprobs: [likely('It', -1)], done: false },
    { message: { role: 'assistant', content: '' }, done: true, done_reason: 'stop' },
  ]);
  assert.equal(reply.tokens?.logprobs?.[0]?.logprob, -1);
});

test('an API that tells nothing of tokens says so before it is asked', () => {
  const told = (api: string): string =>
    adapterOf(api)
      .writeRequest(question, { model: 'm' })
      .reports.map(({ message }) => message)
      .join();
  for (const api of ['anthropic', 'bedrock-converse', 'cohere', 'mistral', 'gemini-interactions'])
    assert.match(told(api), /tells nothing of single tokens; vllm does/, api);
  for (const api of ['openai-chat', 'openai-responses', 'gemini', 'ollama'])
    assert.match(told(api), /tells no ids of tokens/, api);
  assert.equal(told('openai-chat-compat'), '');
});

function streamedReply(api: string, chunks: readonly JsonObject[]): Reply {
  const { reader } = adapterOf(api);
  let state = reader.begin();
  for (const data of chunks) [state] = reader.read(state, { data });
  const last = reader.end(state)[1].at(-1);
  assert.ok(last?.type === 'finish');
  return last.reply;
}
