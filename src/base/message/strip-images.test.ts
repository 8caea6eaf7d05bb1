import assert from 'node:assert/strict';
import { test } from 'node:test';

import { stripImages } from './strip-images.ts';
import { checkHistory } from './check-history.ts';
import { assistantMessage, systemMessage, toolMessage, userMessage } from './message.ts';
import { imagePart, textPart } from './part.ts';

const call = {
  ...({
    type: 'call',
    id: 'a',
    name: 'look',
    arguments: {},
    kind: 'function',
    requiresLocalExecution: true,
  } as const),
};
const picture = imagePart({ data: 'AAAA', mediaType: 'image/png' });
const caption = { ...textPart('(on the left: a cat)'), linkedToImage: true };

test('a model that cannot see is sent no images, and no words about them', () => {
  const history = [
    systemMessage('Be kind.'),
    userMessage([textPart('What is this?'), picture, caption]),
    assistantMessage([textPart('I look.'), call]),
    toolMessage([{ callId: 'a', name: 'look', content: [picture] }]),
    userMessage([picture]),
  ];
  const blind = stripImages(history);
  assert.deepEqual(blind[1], userMessage([textPart('What is this?')]));
  const note = textPart('[An image was left out: this model cannot see.]');
  assert.deepEqual(blind[3], toolMessage([{ callId: 'a', name: 'look', content: [note] }]));
  assert.deepEqual(blind[4], userMessage([note]));
  assert.equal(blind[0], history[0]);
  assert.equal(blind[2], history[2]);
  assert.deepEqual(checkHistory(blind), []);
  assert.ok(!JSON.stringify(blind).includes('AAAA'));
  // Again, each message is the same object: what was made of it can be kept.
  for (const [index, message] of stripImages([...history]).entries()) assert.equal(message, blind[index]);
});

test('a history without images is the same history', () => {
  const history = [userMessage('Hi'), assistantMessage('Hello'), userMessage([textPart('a')])];
  assert.equal(stripImages(history), history);
});
