import assert from 'node:assert/strict';
import { test } from 'node:test';

import { seededRandom } from '../../base/host/random.ts';
import { rounds, seed } from '../../../test/rounds.ts';
import { wordsOf } from './lexicon.ts';
import { wordsIn } from './words.ts';

test('words are the same whether they are cut out of a text or known by their letters', () => {
  const random = seededRandom(seed('words'));
  const letters = ['a', 'b', 'z', 'é', 'ɏ', '×', 'ɐ', '0', '7', "'", '-', '.', ',', ' ', '_', 'ß', '\ud83d'];
  const next = (below: number) => Math.floor(random() * below);
  for (let round = 0; round < rounds(2000); round++) {
    const text = Array.from({ length: next(30) }, () => letters[next(letters.length)]).join('');
    assert.deepEqual(
      wordsIn(text).map((word) => word.text),
      wordsOf(text),
      JSON.stringify(text),
    );
  }
});

test('a word that was met before is the same thing, and a text of one endless word is not kept', () => {
  const [first] = wordsIn('when did it happen');
  assert.equal(wordsIn('since when')[1], first);
  const [endless, again] = wordsIn(`${'x'.repeat(100_000)} ${'x'.repeat(100_000)}`);
  assert.notEqual(endless, again);
});
