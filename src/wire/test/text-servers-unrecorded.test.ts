import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import { decodeRecord } from '../recording.ts';
import type { DecodedReply } from '../recording.ts';

// What the recordings of Cohere and Ollama do not hold.

function callsOf(reply: DecodedReply): unknown {
  return reply.calls.map(({ id, name, arguments: given, server }) => [id, name, given, server]);
}

function cohere(events: readonly JsonObject[]): DecodedReply {
  const told = events.map((data) => ({ event: data['type'] ?? null, data }));
  return decodeRecord({ id: 's', api: 'cohere', status: 200, events: told });
}

function said(type: string, message: JsonValue, index?: number): JsonObject {
  return { type, ...(index === undefined ? {} : { index }), delta: { message } };
}

const begun: JsonObject = { id: 'c1', type: 'message-start', delta: { message: { role: 'assistant' } } };

function ended(finish_reason: string, more: JsonObject = {}): JsonObject {
  return { type: 'message-end', delta: { finish_reason, ...more } };
}

test('Cohere: a plan, thoughts, words with citations, and calls with and without arguments', () => {
  const reply = cohere([
    begun,
    said('tool-plan-delta', { tool_plan: 'I will ' }),
    said('tool-plan-delta', { tool_plan: 'look.' }),
    said(
      'tool-call-start',
      { tool_calls: { id: 'a', type: 'function', function: { name: 'f', arguments: '' } } },
      0,
    ),
    said('tool-call-delta', { tool_calls: { function: { arguments: '{"x":1}' } } }, 0),
    { type: 'tool-call-end', index: 0 },
    said(
      'tool-call-start',
      { tool_calls: [{ id: 'b', type: 'function', function: { name: 'g', arguments: '' } }] },
      1,
    ),
    { type: 'tool-call-end', index: 1 },
    said(
      'tool-call-start',
      { tool_calls: { id: 'c', type: 'function', function: { name: 'g', arguments: '' } } },
      2,
    ),
    said('tool-call-delta', { tool_calls: { function: { arguments: 'null' } } }, 2),
    { type: 'tool-call-end', index: 2 },
    ended('TOOL_CALL', { usage: { billed_units: { input_tokens: 3, output_tokens: 4 } } }),
  ]);
  assert.deepEqual(callsOf(reply), [
    ['a', 'f', { x: 1 }, false],
    ['b', 'g', {}, false],
    ['c', 'g', {}, false],
  ]);
  assert.deepEqual([reply.text, reply.finish, reply.usage], ['', 'TOOL_CALL', { input: 3, output: 4 }]);
  const words = cohere([
    begun,
    said('content-start', { content: { type: 'thinking', thinking: 'H' } }, 0),
    said('content-delta', { content: { thinking: 'm' } }, 0),
    { type: 'content-end', index: 0 },
    said('content-start', { content: { type: 'text', text: '' } }, 1),
    said('content-delta', { content: { text: 'Cats.' } }, 1),
    said(
      'citation-start',
      { citations: { start: 0, end: 4, text: 'Cats', content_index: 1, sources: [] } },
      0,
    ),
    { type: 'citation-end', index: 0 },
    { type: 'content-end', index: 1 },
    ended('COMPLETE', { usage: { tokens: { input_tokens: 5, output_tokens: 7 } } }),
  ]);
  assert.deepEqual(
    [words.text, words.finish, words.usage, words.truncated],
    ['Cats.', 'COMPLETE', { input: 5, output: 7 }, false],
  );
});

test('Cohere: an end that is none, and an error in the stream', () => {
  const call = said(
    'tool-call-start',
    { tool_calls: { id: 'a', function: { name: 'f', arguments: '{' } } },
    0,
  );
  const cut = cohere([begun, call, ended('MAX_TOKENS')]);
  assert.deepEqual([cut.finish, callsOf(cut)], ['MAX_TOKENS', [['a', 'f', null, false]]]);
  const failed = cohere([begun, call, ended('ERROR', { error: 'It broke.' })]);
  assert.deepEqual([failed.error, failed.calls, failed.truncated], ['It broke.', [], false]);
  const broken = cohere([begun, call]);
  assert.deepEqual([broken.truncated, broken.calls, broken.cut?.length], [true, [], 1]);
});

function ollama(raw: string): DecodedReply {
  return decodeRecord({ id: 's', api: 'ollama', status: 200, raw });
}

function line(message: JsonObject, more: JsonObject = { done: false }): string {
  return JSON.stringify({
    model: 'm',
    created_at: 'now',
    message: { role: 'assistant', ...message },
    ...more,
  });
}

const last = line(
  { content: '' },
  { done: true, done_reason: 'stop', prompt_eval_count: 5, eval_count: 7, total_duration: 1 },
);
const call = (name: string, given: JsonValue, more: JsonObject = {}): JsonObject => ({
  ...more,
  function: { name, arguments: given },
});

test('Ollama: thoughts, words, and calls in several lines, whatever ends the lines', () => {
  const lines = [
    line({ content: '', thinking: 'H' }),
    line({ content: '', thinking: 'm' }),
    line({ content: 'Ca' }),
    line({ content: 'ts' }),
    line({ content: '', tool_calls: [call('f', { x: 1 }), call('g', {})] }),
    line({ content: '', tool_calls: [call('f', '{"x":2}', { id: 'call_1' })] }),
    last,
  ];
  const texts = [
    `${lines.join('\n')}\n`,
    lines.join('\n'),
    `\uFEFF${lines.join('\r\n')}\r\n`,
    `\n${lines.join('\n\n')}\n\n`,
  ];
  for (const text of texts) {
    const reply = ollama(text);
    assert.deepEqual(callsOf(reply), [
      [null, 'f', { x: 1 }, false],
      [null, 'g', {}, false],
      ['call_1', 'f', { x: 2 }, false],
    ]);
    assert.deepEqual(
      [reply.text, reply.finish, reply.usage, reply.truncated, reply.error],
      ['Cats', 'stop', { input: 5, output: 7 }, false, null],
    );
  }
});

test('Ollama: an old server, a cut, an error, and what is not a stream', () => {
  const old = ollama(`${line({ content: 'Hi' })}\n${line({ content: '' }, { done: true })}\n`);
  assert.deepEqual([old.text, old.finish, old.truncated, old.usage], ['Hi', null, false, null]);
  const length = ollama(line({ content: 'Hi' }, { done: true, done_reason: 'length' }));
  assert.equal(length.finish, 'length');
  assert.equal(ollama(`${line({ content: 'Hi' })}\n`).truncated, true);
  const failed = ollama(`${line({ content: 'Hi' })}\n{"error":"It broke."}\n`);
  assert.deepEqual([failed.error, failed.text, failed.truncated], ['It broke.', 'Hi', false]);
  assert.equal(ollama('{"error":"No such model."}').error, 'No such model.');
  assert.match(String(ollama('<html><title>502</title></html>').error), /HTML page \(502\)/);
  assert.equal(ollama('').truncated, true);
});
