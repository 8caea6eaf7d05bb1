import assert from 'node:assert/strict';
import { test } from 'node:test';

import { imagePart, textPart } from '../../base/message/part.ts';
import { anthropic } from '../index.ts';

test('a model that cannot see says so, and is sent no images', async () => {
  const sent: string[] = [];
  const model = anthropic('claude-blind', {
    apiKey: 'test',
    images: false,
    retry: { retries: 0 },
    fetch: (_url, init) => {
      sent.push(String(init?.body));
      return Promise.resolve(new Response('{"error":{"type":"x","message":"no"}}', { status: 400 }));
    },
  });
  assert.equal(model.capabilities.images, false);
  const content = [
    textPart('What is this?'),
    imagePart('https://example.org/cat.png'),
    { ...textPart('(a cat)'), linkedToImage: true },
  ];
  await model.generate({ messages: [{ role: 'user', content }] });
  assert.equal(sent.length, 1);
  assert.match(sent[0] ?? '', /What is this\?/);
  assert.doesNotMatch(sent[0] ?? '', /cat\.png|\(a cat\)/);
});
