import assert from 'node:assert/strict';
import { test } from 'node:test';

import { seededRandom } from '../../base/host/random.ts';
import { rounds, seed } from '../../../test/rounds.ts';
import { Wordings } from './wording.ts';

const phrases = [
  '^(?:and )*tell\\b',
  'tell me(?: now)?',
  '\\bme now',
  '(?<=me )(?:now|and) tell',
  'and .*now$',
  ', please',
];
const together = new Wordings(phrases);

test('many phrases are taken away as one expression with all of them would', () => {
  const one = new RegExp(phrases.join('|'), 'g');
  const random = seededRandom(seed('together'));
  const pieces = ['tell ', 'me ', 'now ', 'and ', 'now', 'me', ', please ', 'x '];
  for (let round = 0; round < rounds(2000); round++) {
    let text = '';
    for (let count = Math.floor(random() * 12); count > 0; count--)
      text += pieces[Math.floor(random() * pieces.length)]!;
    assert.equal(together.cutFrom(text), text.replace(one, ' '), text);
    assert.equal(together.isIn(text), text.search(one) >= 0, text);
  }
});
