import assert from 'node:assert/strict';
import { test } from 'node:test';

import { checkHistory, mendHistory } from '../../../base/message/check-history.ts';
import type { Call } from '../../../base/message/call.ts';
import type { Message } from '../../../base/message/message.ts';
import { textOf } from '../../../base/message/message.ts';
import { mockModel } from '../../../wire/mock/model.ts';
import { run } from '../../loop/run.ts';
import { tool } from '../../tool/define-tool.ts';
import { toolOutput } from '../../tool/output.ts';
import {
  fromLangChainMessages,
  fromLangChainTools,
  langchainModel,
  toLangChainMessages,
  toLangChainTools,
} from './index.ts';
import type { LangChainChatModel, LangChainTool } from './index.ts';

const call = (id: string, more: Partial<Call> = {}): Call => ({
  type: 'call',
  id,
  name: 'weather',
  arguments: { city: 'Oslo' },
  kind: 'function',
  requiresLocalExecution: true,
  ...more,
});

const history: readonly Message[] = [
  { role: 'system', content: 'Be brief.' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'Look.' },
      { type: 'image', source: { kind: 'base64', data: 'AAAA', mediaType: 'image/png' } },
      {
        type: 'document',
        source: { kind: 'base64', data: 'BBBB', mediaType: 'application/pdf' },
        title: 'a.pdf',
      },
    ],
  },
  {
    role: 'assistant',
    content: [
      { type: 'text', text: 'I look it up.' },
      call('a'),
      call('b', { arguments: '{"city": "Os', invalid: { reason: 'not-json', message: 'It breaks off.' } }),
    ],
  },
  {
    role: 'tool',
    results: [
      { callId: 'a', name: 'weather', content: [{ type: 'text', text: 'Rain' }], artifact: { mm: 3 } },
      { callId: 'b', name: 'weather', content: [{ type: 'text', text: 'Not JSON' }], isError: true },
    ],
  },
  { role: 'assistant', content: [{ type: 'text', text: 'Rain.' }] },
];

test('a history goes to LangChain and comes back as it was', () => {
  assert.deepEqual(fromLangChainMessages(toLangChainMessages(history)), history);
});

test('messages are read whichever way LangChain holds them', () => {
  const expected = [{ role: 'user', content: 'Hi' }];
  for (const message of [
    'Hi',
    ['human', 'Hi'],
    { role: 'user', content: 'Hi' },
    { type: 'human', data: { content: 'Hi', additional_kwargs: {} } },
    {
      lc: 1,
      type: 'constructor',
      id: ['langchain_core', 'messages', 'HumanMessage'],
      kwargs: { content: 'Hi' },
    },
    { _getType: () => 'human', content: 'Hi' },
  ])
    assert.deepEqual(fromLangChainMessages([message]), expected);
  for (const message of [null, 5, { type: 'remove', id: 'x' }, { content: 'x' }])
    assert.throws(() => fromLangChainMessages([message]), { code: 'message_invalid' });
});

test('calls have the place of their blocks, invalid ones never run, and unanswered ones stay so', () => {
  const messages = fromLangChainMessages([
    {
      type: 'ai',
      content: [
        { type: 'thinking', thinking: 'Hm.', signature: 'sig' },
        { type: 'tool_use', id: 'a', name: 'weather', input: {} },
        { type: 'text', text: 'One moment.' },
        { type: 'odd', x: 1 },
      ],
      tool_calls: [{ type: 'tool_call', id: 'a', name: 'weather', args: { city: 'Oslo' } }],
      invalid_tool_calls: [{ id: 'b', name: 'weather', args: '{"ci', error: 'Malformed' }],
    },
    { type: 'tool', tool_call_id: 'a', content: 'Rain' },
  ]);
  const [said, answered] = messages;
  assert.deepEqual(said?.role === 'assistant' && said.content.map(({ type }) => type), [
    'reasoning',
    'call',
    'text',
    'other',
    'call',
  ]);
  assert.equal(answered?.role === 'tool' && answered.results[0]?.name, 'weather');
  assert.deepEqual(
    checkHistory(messages).map(({ kind, callId }) => [kind, callId]),
    [['unanswered', 'b']],
  );
  assert.deepEqual(checkHistory(mendHistory(messages).messages), []);
  const [back] = toLangChainMessages(messages) as unknown as readonly { readonly content: unknown }[];
  assert.deepEqual(back?.content, [
    { type: 'thinking', thinking: 'Hm.', signature: 'sig' },
    { type: 'text', text: 'One moment.' },
    { type: 'odd', x: 1 },
  ]);
});

/** What a chat model of theirs streams: chunks that merge by index, and calls made of what has half arrived. */
function chatModel(
  ...replies: readonly (readonly object[])[]
): LangChainChatModel & { readonly asked: unknown[] } {
  const asked: unknown[] = [];
  const left = [...replies];
  return {
    asked,
    bindTools(tools: never, options: never) {
      asked.push({ tools, options });
      return this;
    },
    async stream(messages: never) {
      asked.push(messages);
      const chunks = left.shift() ?? [];
      return (async function* () {
        yield* chunks;
      })();
    },
  };
}
const piece = (args: string, more: object = {}) => ({
  content: '',
  tool_calls: [{ name: 'weather', args: { city: 'O' }, id: 'a' }],
  tool_call_chunks: [{ type: 'tool_call_chunk', index: 0, args, ...more }],
});
const weather = tool({
  name: 'weather',
  description: 'Weather of a city',
  input: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  },
  run: ({ city }) => toolOutput(`Rain in ${String(city)}`, { artifact: { mm: 3 } }),
});

test('a chat model of LangChain plays a run', async () => {
  const theirs = chatModel(
    [
      { content: 'I look.', id: 'run-1' },
      piece('{"city": ', { id: 'a', name: 'weather' }),
      piece('"Oslo"}'),
      { content: '', response_metadata: { finish_reason: 'tool_calls' } },
      { content: '', usage_metadata: { input_tokens: 5, output_tokens: 7, total_tokens: 12 } },
    ],
    [
      {
        content: [{ type: 'text', text: 'Rain.', index: 0 }],
        response_metadata: { stop_reason: 'end_turn' },
      },
    ],
  );
  const { text, calls, usage } = await run({
    model: langchainModel(theirs),
    tools: [weather],
    prompt: 'Oslo?',
  });
  assert.equal(text, 'Rain.');
  assert.deepEqual(
    calls.map(({ input, success }) => [input, success]),
    [[{ city: 'Oslo' }, true]],
  );
  assert.equal(usage.total, 12);
  assert.match(JSON.stringify(theirs.asked[0]), /"name":"weather".*"parameters"/);
});

test('a call that was cut by the length limit does not run, whatever LangChain made of it', async () => {
  const theirs = chatModel([
    piece('{"city": "O', { id: 'a', name: 'weather' }),
    { content: '', response_metadata: { finish_reason: 'length' } },
  ]);
  const { calls } = await run({
    model: langchainModel(theirs),
    tools: [weather],
    prompt: 'Oslo?',
    limits: { steps: 1 },
  });
  assert.deepEqual(
    calls.map(({ success, result }) => [success, result.errorCode]),
    [[false, 'truncated']],
  );
});

test('what a chat model throws is the error of its reply', async () => {
  const theirs: LangChainChatModel = {
    stream: () => Promise.reject(Object.assign(new Error('Too many'), { status: 429 })),
  };
  const { error, complete } = await langchainModel(theirs).generate({ messages: history });
  assert.deepEqual([error?.kind, error?.status, complete], ['rate_limit', 429, false]);
});

test('a tool of LangChain runs as ours, with its artifact, and its errors are told', async () => {
  const heard: unknown[] = [];
  const lookup = (answer: () => object): LangChainTool => ({
    name: 'lookup',
    description: 'Looks up',
    schema: { type: 'object', properties: { id: { type: 'number' } }, required: ['id'] },
    invoke: async (given: never) => {
      heard.push(given);
      return answer();
    },
  });
  const message = {
    type: 'tool',
    tool_call_id: 'x',
    content: 'found',
    artifact: { row: 1 },
    status: 'success',
  };
  const play = (theirs: LangChainTool) =>
    run({
      model: mockModel([
        { calls: [{ name: 'lookup', arguments: { id: 'x' } }] },
        { calls: [{ name: 'lookup', arguments: { id: 7 } }] },
        { text: 'Done.' },
      ]),
      tools: fromLangChainTools([theirs]),
      prompt: 'Look it up',
    });
  const { calls } = await play(lookup(() => message));
  assert.deepEqual(
    calls.map(({ result }) => [result.errorCode, result.artifact]),
    [
      ['invalid_arguments', undefined],
      [undefined, { row: 1 }],
    ],
  );
  assert.equal(heard.length, 1);
  const failed = await play(lookup(() => ({ ...message, status: 'error', content: 'no such row' })));
  assert.match(textOf({ role: 'tool', results: [failed.calls[1]!.result] }), /no such row/);
  assert.equal(failed.calls[1]?.result.isError, true);
});

test('a provider’s own tool cannot become a tool of LangChain, and is named', () => {
  const hosted = {
    name: 'search',
    description: 'Searches',
    spec: { kind: 'hosted', name: 'search', api: 'anthropic', entry: { type: 'web_search' } },
  } as const;
  const classes = { DynamicStructuredTool: Map, ToolMessage: Map };
  assert.throws(() => toLangChainTools([hosted], classes), { code: 'tool_unfit', message: /"search"/ });
});
