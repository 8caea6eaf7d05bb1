import assert from 'node:assert/strict';
import { test } from 'node:test';

import { seededRandom } from '../../../base/host/random.ts';
import { rounds, seed } from '../../../../test/rounds.ts';
import { readExpression } from './expression.ts';

const written = [
  '^wc-\\d+$',
  'a|b|^$',
  '(?:ab|a)*b',
  '(a*)*c',
  'colou?r',
  '\\bno\\b',
  '\\Bx',
  'a{2}',
  'a{2,}b',
  '(?<year>a{1,3})b?',
  '[^a-c]+',
  '[\\]x-]',
  '\\p{L}\\u{61}',
  '^.b.$',
  '\\u0062\\x61',
  '()a',
  'a??b+?',
  'ß|é',
  'straße',
  '(a|b(a|c{0,2})+)?$',
];

test('an expression finds what the language itself finds', () => {
  const random = seededRandom(seed('expressions'));
  const letters = ['a', 'b', 'c', 'A', 'x', 'ß', 'é', '1', '-', ' ', '\n', '😀', ']', 'o', 'n', '_'];
  const texts = ['', 'WC-17', 'Colour', 'oh, no!', 'none', 'STRASSE', 'Straße', 'É', '2024'];
  for (let count = 0; count < rounds(300); count++)
    texts.push(
      Array.from({ length: Math.floor(random() * 8) }, () => letters[Math.floor(random() * 16)]).join(''),
    );
  for (const source of written)
    for (const text of texts)
      assert.equal(
        readExpression(source).test(text),
        new RegExp(source, 'iu').test(text),
        `/${source}/ on ${JSON.stringify(text)}`,
      );
});

test('expressions that would take for ever come to an end', () => {
  const long = `${'a'.repeat(20_000)}!`;
  for (const source of ['^(a+)+$', '^(a|a)*$', '^(a*)*b', 'a*a*a*a*b', '(a{0,30}){0,30}b'])
    assert.equal(readExpression(source).test(source.includes('{') ? long.slice(-900) : long), false, source);
});

test('what is not an expression, looks around or is too large is refused', () => {
  for (const source of ['(', 'a{2', '[b-a]', '(?=a)b', '(?<!a)b', '(a)\\1', '(?<n>a)\\k<n>', '(a{99}){99}'])
    assert.throws(() => readExpression(source), SyntaxError, source);
});
