import assert from 'node:assert/strict';
import { test } from 'node:test';

import { BrokenHistories } from '../../../test/broken-history.ts';
import { refusalsOf } from '../../../test/known-refusals.ts';
import { rounds, seed } from '../../../test/rounds.ts';
import { faultsOf } from '../../../test/wire-rules.ts';
import { seededRandom } from '../../base/host/random.ts';
import type { JsonObject } from '../../base/json/value.ts';
import { checkHistory, mendHistory } from '../../base/message/check-history.ts';
import type { Message } from '../../base/message/message.ts';
import { readMessages } from '../../base/message/read-message.ts';
import { adapterOf, apiNames } from '../catalog.ts';
import { bodyText, wellFormed } from '../request/body-text.ts';

const write = (api: string, messages: readonly Message[]): JsonObject =>
  adapterOf(api).writeRequest({ messages }, { model: 'm' }).body;

test('whatever a session left behind, every API takes it', (t) => {
  const histories = new BrokenHistories(seededRandom(seed('broken sessions')), apiNames);
  const found = new Map<string, string>();
  for (let round = rounds(100); round > 0; round--) {
    const messages = readMessages(histories.next());
    const mended = mendHistory(messages).messages;
    assert.ok(checkHistory(mended).every(({ kind }) => kind === 'repeated-id'));
    const written = (all: readonly Message[]): readonly Message[] =>
      all.filter(({ role }) => role !== 'tool');
    assert.deepEqual(written(mended), written(messages));
    for (const api of apiNames)
      for (const fault of refusalsOf(api, wellFormed(bodyText(write(api, messages)))))
        found.set(`${api}: ${fault.replaceAll(/\d+/g, 'N')}`, `${fault} in ${JSON.stringify(messages)}`);
  }
  t.diagnostic(JSON.stringify(Object.fromEntries(histories.faults)));
  assert.deepEqual([...found].slice(0, 5), []);
  assert.equal(histories.faults.size, 9);
});

const ask: Message = { role: 'user', content: 'Look.' };
const picture = {
  type: 'image',
  source: { kind: 'base64', data: 'iVBORw0KGgoAAAANSUhEUg==', mediaType: 'image/png' },
} as const;

function look(id: string): Extract<Message, { role: 'assistant' }>['content'][number] {
  return { type: 'call', id, name: 'look', arguments: {}, kind: 'function', requiresLocalExecution: true };
}

test('results with pictures in several tool messages stand together, the pictures behind them all', () => {
  const result = (callId: string): Extract<Message, { role: 'tool' }> => ({
    role: 'tool',
    results: [{ callId, name: 'look', content: [{ type: 'text', text: `saw ${callId}` }, picture] }],
  });
  const history = [
    ask,
    { role: 'assistant', content: [look('a'), look('b')] } as const,
    result('a'),
    result('b'),
  ];
  for (const api of apiNames) {
    const body = write(api, history);
    assert.deepEqual(faultsOf(api, body), [], api);
    const text = JSON.stringify(body);
    assert.match(text, /saw a.*saw b/s, api);
    assert.equal(text.split(picture.source.data).length, 3, api);
  }
});

test('a reply that broke off before it said anything is left out where it would be refused', () => {
  const thought: Message = { role: 'assistant', content: [{ type: 'reasoning', text: 'Hm.' }] };
  for (const api of apiNames)
    for (const reply of [thought, { ...thought, from: { api, model: 'm' } }, { ...thought, content: [] }]) {
      const body = write(api, [ask, reply, ask]);
      assert.deepEqual(faultsOf(api, body), [], api);
      assert.equal(JSON.stringify(body).split('Look.').length, 3, api);
    }
});

test('what a provider ran is told in words where nobody says whose it was', () => {
  const call = {
    ...look('ws_1'),
    name: 'web_search',
    arguments: { q: 'oslo' },
    requiresLocalExecution: false,
  };
  const found = { type: 'hosted-result', callId: 'ws_1', name: 'web_search', content: 'rain' } as const;
  for (const api of apiNames)
    for (const content of [[call, found], [call]] as const) {
      const body = write(api, [ask, { role: 'assistant', content } as Message, ask]);
      assert.deepEqual(faultsOf(api, body), [], api);
      assert.match(JSON.stringify(body), /web_search was called.*oslo/s, api);
    }
});

test('an id that was made up for a call that broke off is one that Mistral takes', () => {
  const from = { api: 'mistral', model: 'm' };
  const history = [ask, { role: 'assistant', content: [look('call_nwgd2kt1k3s31swmmynk')], from } as const];
  assert.deepEqual(faultsOf('mistral', write('mistral', history)), []);
});
