import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';

import { decodeBytes, decodeBody, decodeRecord } from '../recording.ts';
import { adapterOf, placeModel } from '../catalog.ts';
import { modelNamed, openai } from '../index.ts';

test('an API that does not exist is named, with those that do', () => {
  assert.throws(() => adapterOf('openai'), {
    code: 'api_unknown',
    message: /no API "openai".*openai-chat, .*openai-responses/,
  });
});

test('a name that is nearly one is answered with the one that was meant', () => {
  assert.throws(() => adapterOf('antropic'), /no API "antropic"\. Did you mean "anthropic"\?/);
  const placed: readonly (readonly [string, RegExp])[] = [
    ['gpt-5', /serves the model "gpt-5"\? Did you mean "openai\/gpt-5"\?/],
    ['claude-opus-4-8', /Did you mean "anthropic\/claude-opus-4-8"\?/],
    ['gemini-3-pro', /Did you mean "google\/gemini-3-pro"\?/],
    ['antropic/claude', /Did you mean "anthropic"\?/],
    ['anthropic/', /"anthropic\/" names no model of anthropic\. Write it behind the slash/],
    ['qwen3', /serves the model "qwen3"\? Write provider\/model.*Providers: anthropic,/],
  ];
  for (const [name, message] of placed)
    assert.throws(() => placeModel(name), { code: 'model_unplaced', message });
});

test('a base URL that is not an address is refused before anything is sent (base_url_invalid)', () => {
  for (const baseUrl of ['nonsense', 'localhost:8000', 'file:///etc'])
    assert.throws(() => modelNamed('openai/m', { baseUrl }), {
      code: 'base_url_invalid',
      message: new RegExp(`The option baseUrl is "${baseUrl}", which is not an address\\. Write it in full`),
    });
});

test('a model name that is not set is told, and asks no model of the name "undefined"', () => {
  const unset = undefined as unknown as string;
  assert.throws(() => modelNamed(unset), {
    code: 'model_unplaced',
    message: /The name of a model is undefined\. Write provider\/model/,
  });
  assert.throws(() => openai(unset, { apiKey: 'x' }), {
    code: 'model_unplaced',
    message: /names no model of openai/,
  });
});

test('a key that no header can carry is refused before anything is sent, and not shown (header_invalid)', () => {
  for (const apiKey of ['sk-secret\nsk-other', 'sk-secret…', 'sk-secret\0'])
    assert.throws(
      () => modelNamed('anthropic/m', { apiKey }),
      (error: Error & { code?: string }) => {
        assert.equal(error.code, 'header_invalid');
        assert.match(error.message, /The header "x-api-key" .* Look at apiKey and at the option headers/);
        assert.doesNotMatch(inspect(error), /secret/);
        return true;
      },
    );
  const headers = { 'x-team': 'a\nb' };
  assert.throws(() => modelNamed('vllm/m', { headers }), /The header "x-team".*a line break/);
  assert.equal(modelNamed('openai/m', { apiKey: 'sk-key\n' }).name, 'openai/m');
});

test('an option that a model does not have is refused with the one that was meant (model_option_invalid)', () => {
  const refused: readonly (readonly [object, RegExp])[] = [
    [
      { baseURL: 'http://127.0.0.1:1' },
      /^A model has no option `baseURL`\. Did you mean `baseUrl`\? Known: apiKey, /,
    ],
    [{ apikey: 'x' }, /Did you mean `apiKey`\?/],
    [{ maxRetries: 5 }, /Did you mean `retry\.retries`\?/],
    [{ temperature: 0 }, /It belongs to each request, as in run\(\{ model, temperature \}\)/],
    [{ organisation: 'x' }, /no option `organisation`\. Known: /],
    [{ retry: { maxRetries: 5 } }, /^`retry` of a model has no option `maxRetries`/],
    [{ timeouts: { conect: 5 } }, /Did you mean `connect`\?/],
  ];
  for (const [options, message] of refused)
    assert.throws(() => modelNamed('openai/m', { apiKey: 'x', ...options }), {
      code: 'model_option_invalid',
      message,
    });
  const unset = { baseURL: undefined } as object;
  assert.equal(modelNamed('openai/m', { apiKey: 'x', ...unset }).name, 'openai/m');
});

test('bytes that are not an event stream say so, and do not wait for more', () => {
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

test('an empty body, and a record that does not say whose it is, are refused', () => {
  assert.throws(() => decodeBody(new Uint8Array(), adapterOf('anthropic')), /the input is empty/);
  assert.throws(() => decodeRecord({ id: 'r1' }), /The record r1 does not say in "api" whose it is/);
  const page = new TextEncoder().encode('<html><title>Log in</title></html>');
  assert.throws(() => decodeBody(page, adapterOf('bedrock-converse')), /HTML page \(Log in\)/);
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
