import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import type { JsonObject } from '../../base/json/value.ts';
import { findScenario, loadCatalog } from '../scenario/load/catalog.ts';
import { playThrough } from '../play/play-through.ts';
import { buildTask } from '../scenario/build-task.ts';
import { gradeTranscript } from '../score/grade-transcript.ts';

const catalog = loadCatalog(fileURLToPath(new URL('../../../scenarios', import.meta.url)));

type Turn = readonly [says: string, ...calls: readonly (readonly [name: string, input: JsonObject])[]];

/** What an operator earns who does all that the briefing asks for, in other ways than the gold path. */
function earned(slug: string, variant: number, turns: readonly Turn[]) {
  const task = buildTask(findScenario(catalog, 'customer-support', slug), variant);
  const played = turns.map(([content, ...calls]) => [
    { role: 'assistant' as const, content, toolCalls: calls.map(([name, input]) => ({ name, input })) },
  ]);
  return gradeTranscript(task, playThrough(task, played));
}

test('an order that is found by the e-mail address is looked up', () => {
  const { success, progress } = earned('cancel-order', 0, [
    [
      'Hello Nora. What is the order number or, if you do not have it at hand, the e-mail address? And why do you want to cancel?',
    ],
    ['Thank you, I am looking for it.', ['find_orders', { email: 'nora.lind@example.com' }]],
    ['Is anything special about the delivery? And who is it for?'],
    ['I am cancelling it.', ['cancel_order', { order_id: 'E-5120' }]],
    [
      'You get your money back.',
      ['case_note', { cause: 'better_price', flags: [], back: 189 }],
      ['resolution', { value: 'cancelled' }],
    ],
  ]);
  assert.equal(success, 1);
  assert.ok(progress > 0.6);
});

test('what the record shows need not be asked for', () => {
  const { reward } = earned('late-parcel', 0, [
    ['Hello Nora, I am sorry. What is the order number, and since when is the parcel due?'],
    [
      'Thank you. Have you asked your neighbours, and is your address right?',
      ['look_up_order', { order_id: 'E-5120' }],
    ],
    ['Do you still want it?'],
    ['I am sending it again.', ['replace_order', { order_id: 'E-5120' }]],
    [
      'It is on its way.',
      ['case_note', { cause: 'lost', flags: ['over_a_week'], back: 0 }],
      ['resolution', { value: 'replaced' }],
    ],
  ]);
  assert.equal(reward, 1);
});

test('a part that turns up closes the case, and what the customer would have liked is for the file alone', () => {
  const { success } = earned('missing-part', 0, [
    ['Hello, I am sorry. What is the order number, and which part is missing?'],
    ['Please look through the packing once more.', ['look_up_order', { order_id: 'K-3120' }]],
    [
      'Good that it is there. In what state was the box? And what would you have liked, a refund or a replacement?',
    ],
    ['I only ask because it goes into the file. Have you altered anything on it?'],
    [
      'Enjoy it!',
      ['case_note', { cause: 'overlooked', flags: [], back: 0 }],
      ['resolution', { value: 'explained' }],
    ],
  ]);
  assert.equal(success, 1);
});

test('a letter may address the customer by the first name', () => {
  const { success } = earned('angry-letter', 403, [
    ['', ['look_up_order', { order_id: 'L-3391' }]],
    [
      'Dear Nora, I am sorry that it wore through. We answer for wear in the first year only, so I cannot send you a new one.',
      ['case_note', { cause: 'wear', flags: ['over_a_year_old'], back: 0 }],
      ['resolution', { value: 'explained' }],
    ],
  ]);
  assert.equal(success, 1);
});
