import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Recent } from './recent.ts';

test('keeps what is asked for, whatever else comes by, and forgets the rest', () => {
  const recent = new Recent<string, number>(10);
  recent.set('often', 1);
  recent.set('once', 2);
  for (let index = 0; index < 1000; index++) {
    recent.set(`stranger ${index}`, index);
    if (index % 5 === 0) assert.equal(recent.get('often'), 1);
  }
  assert.equal(recent.get('once'), undefined);
  const kept = Array.from({ length: 1000 }, (_, index) => recent.get(`stranger ${index}`));
  assert.ok(kept.filter((value) => value !== undefined).length < 20);
});
