import assert from 'node:assert/strict';
import { test } from 'node:test';

import type OpenAI from 'openai';

import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import { adapterOf } from '../catalog.ts';
import { decodeRecord, readEvents } from '../recording.ts';
import type { DecodedReply } from '../recording.ts';

// What the recordings do not hold: the official types first, then what compatible servers make of them.

type Delta = OpenAI.Chat.ChatCompletionChunk.Choice.Delta;

function chunk(delta: Delta | object, finish_reason: string | null = null, more: object = {}): JsonObject {
  return {
    id: 'c1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'gpt-test',
    choices: [{ index: 0, delta: delta as JsonObject, finish_reason }],
    ...more,
  };
}

function decoded(chunks: readonly JsonValue[], done = true): DecodedReply {
  const raw = chunks.map((data) => `data: ${JSON.stringify(data)}\n\n`).join('');
  return rawDecoded(raw + (done ? 'data: [DONE]\n\n' : ''));
}

function rawDecoded(raw: string): DecodedReply {
  return decodeRecord({ id: 's', api: 'openai-chat', status: 200, raw });
}

function wholeDecoded(response: JsonObject): DecodedReply {
  return decodeRecord({ id: 's', api: 'openai-chat', status: 200, response });
}

function callsOf(reply: DecodedReply): unknown {
  return reply.calls.map(({ id, name, arguments: given, rawArguments, server }) => [
    id,
    name,
    given ?? rawArguments,
    server,
  ]);
}

const calls = (...tool_calls: readonly object[]): object => ({ tool_calls });
const begun = (index: number | undefined, id: string | null, name: string, given: unknown = '') => ({
  ...(index === undefined ? {} : { index }),
  id,
  type: 'function',
  function: { name, arguments: given },
});
const more = (index: number | undefined, given: string | null): object => ({
  ...(index === undefined ? {} : { index }),
  function: { arguments: given },
});

test('a custom tool streams free text, which is not read as JSON', () => {
  const reply = decoded([
    chunk(calls({ index: 0, id: 'c', type: 'custom', custom: { name: 'sql', input: '' } })),
    chunk(calls({ index: 0, custom: { input: '{"not": ' } })),
    chunk(calls({ index: 0, custom: { input: 'json' } })),
    chunk({}, 'tool_calls'),
  ]);
  assert.deepEqual(callsOf(reply), [['c', 'sql', '{"not": json', false]]);
});

test('a refusal is not text, and audio is neither', () => {
  const reply = decoded([
    chunk({ role: 'assistant', refusal: 'I ' }),
    chunk({ refusal: 'will not.' }),
    chunk({ audio: { id: 'a', data: 'AAAA', transcript: 'la' } }),
    chunk({}, 'stop'),
  ]);
  assert.deepEqual([reply.text, reply.finish, reply.error], ['', 'stop', null]);
});

test('calls arrive whole, in pieces, mixed, numbered oddly, or not at all numbered', () => {
  const one = ['a', 'f', { x: 1 }, false];
  const two = ['b', 'g', { y: 2 }, false];
  const streams: readonly (readonly [string, ...(readonly object[])])[] = [
    [
      'numbered from one',
      calls(begun(1, 'a', 'f')),
      calls(more(1, '{"x":1}')),
      calls(begun(2, 'b', 'g', '{"y":2}')),
    ],
    ['one index for all', calls(begun(0, 'a', 'f', '{"x":1}')), calls(begun(0, 'b', 'g', '{"y":2}'))],
    [
      'no index, id repeated',
      calls({ id: 'a', function: { name: 'f', arguments: '{"x"' } }),
      calls({ id: 'a', function: { name: null, arguments: ':1}' } }),
      calls(begun(undefined, 'b', 'g', '{"y":2}')),
    ],
    [
      'no index, no id in the continuation',
      calls(begun(undefined, 'a', 'f', '{"x"')),
      calls(more(undefined, ':1}')),
      calls(begun(undefined, 'b', 'g', null)),
      calls(more(undefined, '{"y":2}')),
    ],
    [
      'no index, several in one list',
      calls(begun(undefined, 'a', 'f'), begun(undefined, 'b', 'g')),
      calls(more(undefined, '{"x":'), more(undefined, '{"y"')),
      calls(more(undefined, '1}'), more(undefined, ':2}')),
    ],
    [
      'interleaved',
      calls(begun(0, 'a', 'f'), begun(1, 'b', 'g')),
      calls(more(1, '{"y"'), more(0, '{"x":')),
      calls(more(0, '1}'), more(1, ':2}')),
    ],
    [
      'name and id in every chunk',
      calls(begun(0, 'a', 'f', '{"x"')),
      calls(begun(0, 'a', 'f', ':1}')),
      calls(begun(1, 'b', 'g', '{"y":2}')),
    ],
    ['objects for arguments', calls(begun(0, 'a', 'f', { x: 1 })), calls(begun(1, 'b', 'g', { y: 2 }))],
    [
      'one call outside a list',
      { tool_calls: begun(0, 'a', 'f', '{"x":1}') },
      calls(begun(1, 'b', 'g', '{"y":2}')),
    ],
    [
      'id after the name',
      calls({ index: 0, function: { name: 'f', arguments: '' } }),
      calls({ index: 0, id: 'a', function: { arguments: '{"x":1}' } }),
      calls(begun(1, 'b', 'g', '{"y":2}')),
    ],
    [
      'an index that is text',
      calls({ ...begun(undefined, 'a', 'f'), index: '0' }),
      calls({ index: '0', function: { arguments: '{"x":1}' } }),
      calls({ ...begun(undefined, 'b', 'g'), index: '1' }),
      calls({ index: '1', function: { arguments: '{"y":2}' } }),
    ],
  ];
  for (const [name, ...deltas] of streams) {
    const reply = decoded([...deltas.map((delta) => chunk(delta)), chunk({}, 'tool_calls')]);
    assert.deepEqual(callsOf(reply), [one, two], name);
  }
});

test('calls without ids, with empty ones, or with the same one stay as many as they are', () => {
  for (const [first, second] of [
    [null, null],
    ['', ''],
    ['a', 'a'],
  ] as const) {
    const reply = decoded([
      chunk(calls(begun(0, first, 'f', '{"x":1}'), begun(1, second, 'f', '{"x":2}'))),
      chunk({}, 'tool_calls'),
    ]);
    assert.deepEqual(
      reply.calls.map((call) => [call.id, call.arguments]),
      [
        [first || null, { x: 1 }],
        [second || null, { x: 2 }],
      ],
    );
  }
});

test('arguments that say nothing are not arguments', () => {
  for (const given of ['', null, 'null', undefined]) {
    const reply = decoded([chunk(calls(begun(0, 'a', 'f', given))), chunk({}, 'tool_calls')]);
    assert.deepEqual(callsOf(reply), [['a', 'f', {}, false]], String(given));
  }
});

test('content in parts, whole and streamed', () => {
  const content = [
    { type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }], signature: 's', closed: true },
    { type: 'text', text: 'Cats' },
    { type: 'reference', reference_ids: [1] },
    { type: 'text', text: '.' },
  ];
  assert.equal(decoded([chunk({ content }), chunk({}, 'stop')]).text, 'Cats.');
  assert.equal(
    wholeDecoded({ choices: [{ message: { role: 'assistant', content }, finish_reason: 'stop' }] }).text,
    'Cats.',
  );
});

test('the first choice is the reply', () => {
  const other = { index: 1, delta: { content: 'no' }, finish_reason: 'stop' };
  const reply = decoded([
    chunk({}, null, { choices: [other] }),
    chunk({}, null, { choices: [other, { index: 0, delta: { content: 'yes' }, finish_reason: 'length' }] }),
  ]);
  assert.deepEqual([reply.text, reply.finish], ['yes', 'length']);
  const whole = wholeDecoded({
    choices: [
      { index: 1, message: { content: 'no' }, finish_reason: 'stop' },
      { index: 0, message: { content: 'yes' }, finish_reason: 'length' },
    ],
  });
  assert.deepEqual([whole.text, whole.finish], ['yes', 'length']);
});

test('an error in a stream ends it, in the shape of whoever sent it', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['{"error":{"message":"Bad.","type":"server_error"}}', 'Bad.'],
    ['{"error":"Bad."}', 'Bad.'],
    ['{"object":"error","message":"Bad.","type":"BadRequestError","code":400}', 'Bad.'],
    [
      '{"id":"c1","error":{"code":502,"message":"Bad."},"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]}',
      'Bad.',
    ],
    ['{"error":{"object":"error","message":"Bad.","type":"invalid_request_error"}}', 'Bad.'],
    ['{"detail":"Bad."}', 'Bad.'],
  ];
  const start = `data: ${JSON.stringify(chunk(calls(begun(0, 'a', 'f', '{"x":1}'))))}\n\n`;
  for (const [data, message] of cases)
    for (const event of ['', 'event: error\n']) {
      const reply = rawDecoded(`${start}${event}data: ${data}\n\ndata: [DONE]\n\n`);
      assert.deepEqual([reply.error, reply.truncated], [message, false], data);
    }
  const choice = { index: 0, delta: {}, finish_reason: 'error', error: { code: 502, message: 'Bad.' } };
  assert.equal(decoded([chunk({ content: 'x' }), chunk({}, null, { choices: [choice] })]).error, 'Bad.');
  assert.equal(wholeDecoded({ choices: [{ ...choice, message: { content: 'x' } }] }).error, 'Bad.');
  const named = rawDecoded(`${start}event: error\ndata: {"message":"Bad."}\n\n`);
  assert.deepEqual([named.error, named.calls], ['Bad.', []]);
  const text = rawDecoded(`${start}event: error\ndata: upstream went away\n\n`);
  assert.match(String(text.error), /upstream went away/);
});

test('the framing may be anything that the rules of the format allow', () => {
  const lines = [chunk({ content: 'a\u2028é' }), chunk({ content: '"b' }), chunk({}, 'stop')].map((data) =>
    JSON.stringify(data),
  );
  const framings: Readonly<Record<string, string>> = {
    'carriage returns': lines.map((line) => `data: ${line}\r\n\r\n`).join(''),
    'lone carriage returns': lines.map((line) => `data: ${line}\r\r`).join(''),
    'a byte order mark': `\uFEFF${lines.map((line) => `data: ${line}\n\n`).join('')}`,
    comments: lines.map((line) => `: ping\n\n:\ndata: ${line}\n: x\n\n`).join(''),
    'no space': lines.map((line) => `data:${line}\n\n`).join(''),
    'other fields': lines.map((line) => `id: 1\nretry: 5\nevent: message\ndata: ${line}\n\n`).join(''),
    'several lines of data': lines
      .map((line) => `data: ${line.slice(0, 1)}\ndata: ${line.slice(1)}\n\n`)
      .join(''),
    'no blank line at the end': lines.map((line) => `data: ${line}`).join('\n\n'),
    'blank lines everywhere': `\n\n\n${lines.map((line) => `data: ${line}\n\n\n\n`).join('')}`,
    'no sign of the end': lines.map((line) => `data: ${line}\n\n`).join(''),
    'a space before the first line': ` \n${lines.map((line) => `data: ${line}\n\n`).join('')}`,
  };
  for (const [name, raw] of Object.entries(framings)) {
    const reply = rawDecoded(raw);
    assert.deepEqual([reply.text, reply.finish, reply.truncated], ['a\u2028é"b', 'stop', false], name);
  }
});

test('what is not a stream says what it is', () => {
  const empty = rawDecoded('');
  assert.deepEqual([empty.truncated, empty.error, empty.finish], [true, null, null]);
  assert.match(
    String(rawDecoded('<!doctype html><title>502 Bad Gateway</title>').error),
    /HTML page \(502 Bad/,
  );
  assert.equal(rawDecoded('{"error":{"message":"No."}}').error, 'No.');
  assert.equal(rawDecoded('{"choices":[{"message":{"content":"Hi"},"finish_reason":"stop"}]}').text, 'Hi');
  assert.equal(wholeDecoded({ error: { message: 'No.', code: 402 } }).error, 'No.');
});

test('what a stream says of the reply as a whole is kept, as of a message that comes whole', () => {
  const moderation = { input: { type: 'moderation_results', results: [{ flagged: false }] } };
  const rest = { choices: [], usage: null, obfuscation: 'abc', service_tier: null };
  const chunks = [chunk({ content: 'Hi' }), chunk({}, 'stop'), { id: 'c1', ...rest, moderation }];
  const adapter = adapterOf('openai-chat');
  const last = readEvents(
    adapter,
    chunks.map((data) => ({ data: data as JsonObject })),
  ).at(-1);
  assert.ok(last?.type === 'finish');
  assert.deepEqual(last.reply.providerData, { moderation });
  const message = { role: 'assistant', content: 'Hi' };
  const whole = adapter.readReply({ id: 'c1', choices: [{ message, finish_reason: 'stop' }], moderation });
  assert.deepEqual(whole.providerData, { moderation });
});
