import assert from 'node:assert/strict';
import { test } from 'node:test';

import { stem } from './stem.ts';

test('forms of a word that follow no rule have its stem', () => {
  for (const forms of [
    'feed fed feeding feeds',
    'breed bred breeding breeds',
    'bleed bled bleeding',
    'spend spent spending',
    'teach taught teaching',
    'steal stole stolen stealing',
    'wear wore worn wearing',
    'freeze froze frozen freezing',
    'withdraw withdrew withdrawn',
    'understand understood',
  ])
    assert.equal(new Set(forms.split(' ').map(stem)).size, 1, forms);
});

test('a word that ends in "eed" is no past, unless it is', () => {
  for (const forms of ['proceed proceeded proceeding', 'speed speeds speeding', 'agree agreed', 'free freed'])
    assert.equal(new Set(forms.split(' ').map(stem)).size, 1, forms);
});

test('"likely" is not "like"', () => {
  assert.notEqual(stem('likely'), stem('like'));
});
