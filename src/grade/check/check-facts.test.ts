import assert from 'node:assert/strict';
import { test } from 'node:test';

import { sayMissed } from './check-facts.ts';

test('a missed question names the facts that were told in its place', () => {
  const missed = { text: 'How cold is it?', fact: 'tried' };
  assert.equal(sayMissed({ ...missed, told: [] }), '"How cold is it?" does not draw "tried" out.');
  assert.equal(
    sayMissed({ ...missed, told: ['cold', 'since'] }),
    '"How cold is it?" does not draw "tried" out, but "cold", "since".',
  );
});
