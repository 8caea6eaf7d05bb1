import assert from 'node:assert/strict';
import { test } from 'node:test';

import { hidden, inputs, weights } from '../src/grade/person/asked-for-weights.ts';
import { learnNet, writeNet } from './learn-asked-for.ts';

/** Asked for where one of two signs speaks for it and not both: no sum of the signs can tell that. */
const rows = Array.from({ length: 4000 }, (_, index) => {
  const signs = [index % 2, Math.floor(index / 2) % 2, (index * 7919) % 13];
  return { signs, asked: signs[0] !== signs[1], weight: 1 };
});

test('a net learns what no sum can tell, and the same from the same rows', () => {
  const net = learnNet(rows);
  for (const { signs, asked } of rows.slice(0, 52))
    assert.equal(chance(net, signs) > 0, asked, String(signs));
  assert.equal(writeNet(net), writeNet(learnNet(rows)));
});

test('the weights that are written have one for each sign and node', () => {
  assert.equal(weights.length, inputs * hidden.length);
  const text = writeNet(learnNet(rows));
  assert.match(text, /export const inputs = 3;/);
});

function chance({ weights: each, add, says, output }: ReturnType<typeof learnNet>, signs: readonly number[]) {
  let sum = output;
  for (let node = 0; node < add.length; node++) {
    let inner = add[node]!;
    for (let sign = 0; sign < signs.length; sign++) inner += each[node * signs.length + sign]! * signs[sign]!;
    if (inner > 0) sum += says[node]! * inner;
  }
  return sum;
}
