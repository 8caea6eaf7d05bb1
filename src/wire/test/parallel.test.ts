import assert from 'node:assert/strict';
import { test } from 'node:test';

import { faultsOf } from '../../../test/wire-rules.ts';
import type { JsonObject } from '../../base/json/value.ts';
import { callsOf } from '../../base/message/message.ts';
import type { ModelEvent, ModelRequest, Reply } from '../../base/message/model.ts';
import { adapterOf } from '../catalog.ts';
import { decodeRecord } from '../recording.ts';
import { objectsOf } from '../json-fields.ts';

const question: ModelRequest = {
  messages: [{ role: 'user', content: 'Rain in Oslo or Rome?' }],
  tools: [
    {
      kind: 'function',
      name: 'weather',
      input: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    },
    { kind: 'custom', name: 'sql' },
  ],
};

const use = (name: string, parameters: JsonObject): JsonObject => ({ recipient_name: name, parameters });
const wrapped = JSON.stringify({
  tool_uses: [
    use('functions.weather', { city: 'Oslo' }),
    use('weather', { city: 'Rome' }),
    use('functions.sql', { input: 'SELECT 1' }),
  ],
});
const inner = [
  ['weather', 'function', { city: 'Oslo' }],
  ['weather', 'function', { city: 'Rome' }],
  ['sql', 'custom', 'SELECT 1'],
];

/** One call of `name`, as the stream of each API says it. */
const streams: Readonly<Record<string, (name: string, given: string) => readonly JsonObject[]>> = {
  'openai-chat': (name, given) => [
    {
      choices: [
        {
          delta: {
            tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name, arguments: '' } }],
          },
        },
      ],
    },
    { choices: [{ delta: { tool_calls: [{ index: 0, function: { arguments: given.slice(0, 9) } }] } }] },
    { choices: [{ delta: { tool_calls: [{ index: 0, function: { arguments: given.slice(9) } }] } }] },
    { choices: [{ delta: {}, finish_reason: 'tool_calls' }] },
  ],
  'openai-responses': (name, given) => {
    const item = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name, status: 'completed' };
    return [
      { type: 'response.output_item.added', output_index: 0, item: { ...item, arguments: '' } },
      { type: 'response.function_call_arguments.delta', output_index: 0, delta: given },
      { type: 'response.output_item.done', output_index: 0, item: { ...item, arguments: given } },
      { type: 'response.completed', response: { status: 'completed' } },
    ];
  },
};

function read(api: string, name: string, given = wrapped, request = question): readonly ModelEvent[] {
  const adapter = adapterOf(api);
  const { tools } = adapter.writeRequest(request, { model: 'm' });
  let state = adapter.reader.begin({ tools });
  const events = streams[api]!(name, given).flatMap((data) => {
    const [next, told] = adapter.reader.read(state, { data });
    state = next;
    return told;
  });
  return [...events, ...adapter.reader.end(state)[1]];
}

function replyOf(events: readonly ModelEvent[]): Reply {
  const last = events.at(-1);
  assert.ok(last?.type === 'finish');
  return last.reply;
}

for (const api of Object.keys(streams)) {
  test(`${api}: calls inside a call of "parallel" are calls of their own, and it is told (vercel/ai#2786)`, () => {
    for (const name of ['parallel', 'multi_tool_use.parallel', 'multi_tool_use_parallel']) {
      const events = read(api, name);
      const reply = replyOf(events);
      assert.deepEqual(
        callsOf(reply.message).map((call) => [call.name, call.kind, call.arguments]),
        inner,
      );
      assert.deepEqual(
        callsOf(reply.message).map(({ id }) => id),
        ['call_1_1', 'call_1_2', 'call_1_3'],
      );
      const order = events.flatMap((event) =>
        event.type === 'call-start'
          ? [`${event.slot} ${event.name}`]
          : event.type === 'call-end'
            ? [`${event.slot} end`]
            : [],
      );
      assert.deepEqual(order, ['0 weather', '0 end', '1 weather', '1 end', '2 sql', '2 end']);
      assert.match(JSON.stringify(reply.reports), new RegExp(`3 calls as one of \\\\"${name}\\\\"`));
      assert.equal(reply.complete, true);
    }
  });

  test(`${api}: to its own API the history goes as it was written, one call with one result; to others as what it meant`, () => {
    const { message } = replyOf(read(api, 'multi_tool_use.parallel'));
    const results = callsOf(message).map(({ id, name }, index) => ({
      callId: id,
      name,
      content: [{ type: 'text' as const, text: `answer ${index}` }],
      ...(index === 1 && { isError: true }),
    }));
    const history: ModelRequest = {
      ...question,
      messages: [...question.messages, message, { role: 'tool', results }],
    };
    const { body } = adapterOf(api).writeRequest(history, { model: 'm' });
    assert.deepEqual(faultsOf(api, body), []);
    const [, call, answer, ...rest] = objectsOf(body['messages'] ?? body['input']);
    assert.deepEqual(rest, []);
    assert.ok(JSON.stringify(call).includes(JSON.stringify(wrapped)), 'as the model wrote it');
    assert.match(JSON.stringify(call), /"multi_tool_use_parallel"/);
    assert.doesNotMatch(JSON.stringify(body), /wrapper/);
    assert.deepEqual(String(answer?.['content'] ?? answer?.['output']).split('\n'), [
      'functions.weather: answer 0',
      'functions.weather: {"error":"answer 1"}',
      'functions.sql: answer 2',
    ]);
    for (const other of ['anthropic', 'gemini', 'bedrock-converse', 'mistral', 'cohere', 'ollama']) {
      const sent = adapterOf(other).writeRequest(history, { model: 'm' });
      assert.deepEqual(faultsOf(other, sent.body), [], other);
      assert.doesNotMatch(JSON.stringify(sent.body), /tool_uses|wrapper/);
    }
  });
}

test('a wrapper that cannot be read, or was cut, is one call that says so; a tool of that name is a tool', () => {
  const calls = (given: string, request = question): readonly unknown[] =>
    callsOf(replyOf(read('openai-chat', 'parallel', given, request)).message).map((call) => [
      call.name,
      call.invalid?.reason,
    ]);
  assert.deepEqual(calls('{"tool_uses":[{"recipient'), [['parallel', 'not-json']]);
  assert.deepEqual(calls('{"tool_uses":[]}'), [['parallel', undefined]]);
  assert.deepEqual(calls('{"tool_uses":[{"city":"Oslo"}]}'), [['parallel', undefined]]);
  const tool = { kind: 'function', name: 'parallel', input: { type: 'object' } } as const;
  assert.deepEqual(calls(wrapped, { ...question, tools: [tool] }), [['parallel', undefined]]);
  const adapter = adapterOf('openai-chat');
  const { tools } = adapter.writeRequest(question, { model: 'm' });
  let state = adapter.reader.begin({ tools });
  for (const data of streams['openai-chat']!('parallel', wrapped).slice(0, 3))
    [state] = adapter.reader.read(state, { data });
  const cut = replyOf(adapter.reader.end(state)[1]);
  assert.deepEqual(
    callsOf(cut.message).map((call) => [call.name, call.invalid?.reason]),
    [['parallel', 'truncated']],
  );
});

test('a recording shows the call as the provider sent it, also where lines of it are damaged', () => {
  const lines = streams['openai-responses']!('parallel', wrapped).map(
    (event) => `data: ${JSON.stringify(event)}\n\n`,
  );
  const record = { api: 'openai-responses', id: 'x', status: 200 };
  const { calls, truncated, error } = decodeRecord({ ...record, raw: lines.join('') });
  assert.deepEqual(
    [calls.map(({ name, rawArguments }) => [name, rawArguments]), truncated, error],
    [[['parallel', wrapped]], false, null],
  );
  for (const damaged of [1, 3]) {
    const raw = lines.with(damaged, lines[damaged]!.replace(/\}\n/, '\n')).join('');
    const told = decodeRecord({ ...record, raw });
    assert.deepEqual(
      [told.calls.map(({ name }) => name), told.truncated, told.error],
      [['parallel'], true, null],
    );
  }
});
