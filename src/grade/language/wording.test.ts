import assert from 'node:assert/strict';
import { test } from 'node:test';

import { seededRandom } from '../../base/host/random.ts';
import { rounds, seed } from '../../../test/rounds.ts';
import { courtesiesOf } from './small-talk.ts';
import { withoutPoliteness } from './framing.ts';
import { Wording, Wordings, wordings } from './wording.ts';
import { signsIn, wordsIn } from './words.ts';

const asking = new Wording(/\b(?:could|would) you (?:please )?(?:tell|show)|\bi wonder\b/);

test('a wording is looked for only where its words are, and found as the expression finds it', () => {
  for (const text of [
    'could you tell me',
    'would you please showcase it',
    'so i wonder',
    'i tell you',
    'wonders',
  ])
    assert.equal(asking.isIn(text, signsIn(text, wordsIn(text))), asking.expression.test(text), text);
  // No word of it stands in these signs.
  assert.equal(
    asking.isIn('could you tell me', signsIn('when did it begin', wordsIn('when did it begin'))),
    false,
  );
});

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
    const signs = signsIn(text, wordsIn(text));
    assert.equal(together.cutFrom(text, signs), text.replace(one, ' '), text);
    assert.equal(together.isIn(text, signs), text.search(one) >= 0, text);
  }
});

test('no wording of the engine is overlooked, whatever its words stand among', () => {
  assert.ok(courtesiesOf('thank you').includes('thanks') && withoutPoliteness('a', signsIn('', [])) === 'a');
  const random = seededRandom(seed('wordings'));
  const next = (below: number) => Math.floor(random() * below);
  const between = [' ', ' ', ' ', ' ', ', ', ' you ', ' i ', '', '-', "'s "];
  let found = 0;
  for (const wording of wordings) {
    const { expression } = wording;
    const phrases = expression.source.replaceAll(/\\[bwsS]/g, ' ').match(/[a-z]+(?: [a-z]+)*/g) ?? [];
    for (let round = 0; round < rounds(200); round++) {
      let text = '';
      for (let count = 1 + next(8); count > 0; count--)
        text += phrases[next(phrases.length)]! + between[next(between.length)]!;
      const matches = text.search(expression) >= 0;
      if (matches) found++;
      if (matches)
        assert.notEqual(
          wording.mayBeIn(signsIn(text, wordsIn(text))),
          false,
          `${expression.source.slice(0, 60)} in ${text}`,
        );
    }
  }
  assert.ok(found > 500, String(found));
});
