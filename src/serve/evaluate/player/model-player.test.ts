import assert from 'node:assert/strict';
import { test } from 'node:test';

import { checkHistory } from '../../../base/message/check-history.ts';
import { callsOf, type Message, textOf } from '../../../base/message/message.ts';
import type { Model } from '../../../base/message/model.ts';
import { modelNamed } from '../../../wire/index.ts';
import { mock, mockModel } from '../../../wire/mock/index.ts';
import { heardFetch, listenTo } from './exchanges.ts';
import { modelPlayer } from './model-player.ts';

/** A model that says this, and what it was sent last. */
function listening(says: string): { readonly model: Model; readonly seen: () => readonly Message[] } {
  const mocked = mockModel([{ text: says }]);
  let seen: readonly Message[] = [];
  const model: Model = {
    ...mocked,
    name: mocked.name,
    stream: (request) => {
      seen = request.messages;
      return mocked.stream(request);
    },
  };
  return { model, seen: () => seen };
}

test('a model sees the pictures of an opening, each behind its title', async () => {
  const { model, seen } = listening('It reads 41.');
  const image = { title: 'The meter', media_type: 'image/png', data: 'aGk=' };
  const player = modelPlayer(model, {
    request_id: 'req_1',
    episode_id: 'ep_1',
    initial_observation: { role: 'assistant', content: 'Read the meter.', images: [image] },
    tools: [],
    max_turns: 9,
  });
  await player.next(1, undefined);
  assert.deepEqual(seen()[0], {
    role: 'user',
    content: [
      { type: 'text', text: 'The meter:' },
      { type: 'image', source: { kind: 'base64', data: 'aGk=', mediaType: 'image/png' } },
      { type: 'text', text: 'Read the meter.' },
    ],
  });
});

test('whoever takes an episode up is told its turns as if they had played them', async () => {
  const { model, seen } = listening('And the refund?');
  const observation = (content: string) => ({ role: 'assistant' as const, content });
  const at = '2026-01-01T00:00:00.000Z';
  const outcome = { reward: 0, episode_complete: false };
  const input = { order_id: 'E-1' };
  const turns = [
    {
      ...outcome,
      at,
      turn: 1,
      messages: [{ content: 'One moment.', tool_calls: [{ name: 'look_up', input }] }],
      results: [{ name: 'look_up', output: 'found' }],
      observation: observation('Please hurry.'),
    },
    { ...outcome, at, turn: 2, messages: [{ content: 'Is it E-1?' }], observation: observation('Yes.') },
  ];
  const player = modelPlayer(model, {
    request_id: 'req_1',
    episode_id: 'ep_1',
    initial_observation: observation('Where is my parcel?'),
    tools: [],
    max_turns: 9,
    turns,
  });
  assert.deepEqual(await player.next(3, { ...turns[1]!, request_id: 'req_2' }), [
    { role: 'assistant', content: 'And the refund?' },
  ]);
  assert.deepEqual(
    seen().map((message) => [message.role, message.role === 'tool' ? 'found' : textOf(message)]),
    [
      ['user', 'Where is my parcel?'],
      ['assistant', 'One moment.'],
      ['tool', 'found'],
      ['user', 'Please hurry.'],
      ['assistant', 'Is it E-1?'],
      ['user', 'Yes.'],
    ],
  );
  assert.deepEqual(
    callsOf(seen()[1]!).map(({ name, arguments: given }) => [name, given]),
    [['look_up', input]],
  );
  assert.deepEqual(checkHistory([...seen()]), []);
});

test('what goes over the wire is kept with the turn it went for, without a key, and cut where it is too long', async () => {
  await using provider = await mock([{ text: `Long: ${'w'.repeat(70_000)} end` }, 'Short.']);
  const model = modelNamed('openai/mock', {
    baseUrl: `${provider.url}/v1`,
    apiKey: 'hidden-in-header',
    fetch: heardFetch,
  });
  const player = modelPlayer(model, {
    request_id: 'req_1',
    episode_id: 'ep_1',
    initial_observation: { role: 'assistant', content: 'Hello, sk-of-a-person.' },
    tools: [],
    max_turns: 9,
  });
  await player.next(1, undefined);
  const [long, ...more] = player.took?.()?.exchanges ?? [];
  assert.equal(more.length, 0);
  assert.equal(long?.status, 200);
  assert.match(long?.request ?? '', /^\{.*Hello, sk-of-a-person/);
  assert.ok(long!.reply.length <= 60_000 && /^data: /.test(long!.reply), long?.reply.slice(0, 50));
  assert.match(long!.reply, /characters are left out here[^]*\[DONE\]\s*$/);
  const observation = { role: 'assistant', content: 'Go on.' } as const;
  await player.next(2, { request_id: 'req_2', turn: 1, observation, reward: 0, episode_complete: false });
  const kept = player.took?.()?.exchanges ?? [];
  assert.match(kept[0]?.reply ?? '', /Short/);
  const address = `${provider.url}/v1/models/none:ask?alt=sse&key=hidden-in-address`;
  const { exchanges } = await listenTo(() => heardFetch(address, { method: 'POST', body: '{}' }));
  assert.match(exchanges[0]?.url ?? '', /none:ask\?alt=sse&key=\*\*\*$/);
  assert.doesNotMatch(JSON.stringify([long, kept, exchanges]), /hidden-in/);
});
