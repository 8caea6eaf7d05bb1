import assert from 'node:assert/strict';
import { test } from 'node:test';

import { wordsNeeded } from './words-needed.ts';

/** The rarer of two words is the longer one. */
function needs(expression: RegExp): readonly string[] {
  return wordsNeeded(expression.source, (word) => 10 / word.length).map((groups) =>
    groups.map((words) => [...words].join('|')).join(' & '),
  );
}

test('each alternative needs the words that no match can do without', () => {
  assert.deepEqual(needs(/\b(?:may|might) (?:i|we) (?:also |please )*(?:ask|know)\b/), [
    'may|might & ask|know & i|we',
  ]);
  assert.deepEqual(needs(/\b(?:of course|by any chance)\b|\bso\b/), [
    'course & of',
    'chance & any & by',
    'so',
  ]);
  assert.deepEqual(needs(/\bsummari[sz]e it\b/), ['summarise|summarize']);
});

test('a word counts as whole only where no letter can stand beside it', () => {
  assert.deepEqual(needs(/would you say/), ['*would & say* & you']);
  assert.deepEqual(needs(/\btell\w* me(?: first)?\b/), ['tell* & me']);
  assert.deepEqual(needs(/\brecords?\b/), ['record|records']);
  assert.deepEqual(needs(/(?:under)?stand\b/), ['*stand|*understand']);
});

test('what may be left out, or must not stand there, is not needed', () => {
  assert.deepEqual(needs(/\b(?:please )?(?!ask)tell\b/), ['tell']);
  assert.deepEqual(needs(/\bread (?=(?:it|them)\b)/), ['read & *it|*them']);
  assert.deepEqual(needs(/\w+ (?:now)*/), ['']);
});
