import assert from 'node:assert/strict';
import { test } from 'node:test';

import { readNet, sumBy } from '../src/grade/person/asked-for.ts';
import type { Net } from '../src/grade/person/asked-for.ts';
import { learnNet, writeNet } from './learn-asked-for.ts';

/** Asked for where one of two signs speaks for it and not both: no sum of the signs can tell that. */
const rows = Array.from({ length: 4000 }, (_, index) => {
  const signs = [index % 2, Math.floor(index / 2) % 2, (index * 7919) % 13];
  return { signs, asked: signs[0] !== signs[1], weight: 1 };
});

test('a net learns what no sum can tell, and the same from the same rows', () => {
  const net = learnNet(rows);
  for (const { signs, asked } of rows.slice(0, 52)) assert.equal(sumBy(net, signs) > 0, asked, String(signs));
  assert.equal(writeNet(net), writeNet(learnNet(rows)));
});

test('a net is read as it was written, but for its caution', () => {
  const net = learnNet(rows);
  const read = JSON.parse(writeNet(net, 0.5)) as Net;
  assert.deepEqual(read.nodes, net.nodes);
  assert.ok(Math.abs(read.output - (net.output - 0.5)) < 0.001);
});

test('the nets that are kept have a weight for each sign', () => {
  assert.ok(readNet('asked-for').nodes.every(({ signs }) => signs.length === 27));
  assert.ok(readNet('asked-for-few').nodes.every(({ signs }) => signs.length === 28));
});
