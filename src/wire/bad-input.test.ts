import assert from 'node:assert/strict';
import { test } from 'node:test';

import { decodeBytes, decodeBody, decodeRecord } from './recording.ts';
import { adapterOf } from './catalog.ts';

test('an API that does not exist is named, with those that do', () => {
  assert.throws(() => adapterOf('openai'), {
    code: 'api_unknown',
    message: /no API "openai".*openai-chat, .*openai-responses/,
  });
});

test('bytes that are no event stream say so, and do not wait for more', () => {
  const adapter = adapterOf('bedrock-converse');
  const page = new TextEncoder().encode('<html>Please sign in to the network</html>');
  assert.throws(() => decodeBytes(adapter, [page]), { code: 'event_stream_corrupt' });
});

test('a page of a proxy in place of a body is called what it is', () => {
  const page = new TextEncoder().encode('<html>502 Bad Gateway</html>');
  assert.throws(() => decodeBody(page, adapterOf('anthropic')), {
    code: 'recording_unreadable',
    message: /HTML page.*base URL/,
  });
});

test('a record without a stream and without a body is refused by its id', () => {
  assert.throws(() => decodeRecord({ id: 'r1', api: 'anthropic', status: 200 }), {
    code: 'recording_unreadable',
    message: /Record r1/,
  });
});

test('a tool choice that names no tool of the request is refused before anything is sent', () => {
  const request = {
    messages: [{ role: 'user' as const, content: 'Hi' }],
    tools: [{ kind: 'function' as const, name: 'weather', input: { type: 'object' } }],
    toolChoice: { name: 'wether' },
  };
  assert.throws(() => adapterOf('anthropic').writeRequest(request, { model: 'm' }), {
    code: 'tool_choice_unknown',
    message: /"wether".*weather/,
  });
});
