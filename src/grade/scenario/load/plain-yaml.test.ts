import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { rounds, seed } from '../../../../test/rounds.ts';
import { seededRandom } from '../../../base/host/random.ts';
import { readPlainYaml } from './plain-yaml.ts';
import { bytesOfText } from './text-bytes.ts';
import { readAnyYaml } from './yaml-library.ts';

const texts = globSync('*/**/*.yaml', {
  cwd: fileURLToPath(new URL('../../../../scenarios', import.meta.url)),
}).map((file) => readFileSync(new URL(`../../../scenarios/${file}`, import.meta.url), 'utf8'));

const readPlain = (text: string) => {
  const bytes = bytesOfText(text);
  return bytes && readPlainYaml(bytes);
};

/** The value, or undefined where the reading is left to the library; never anything else than the library reads. */
function readBoth(text: string): unknown {
  const plain = readPlain(text);
  if (!plain) return undefined;
  const { value, faults } = readAnyYaml(text, 'a.yaml');
  assert.deepEqual(faults, [], text);
  assert.deepEqual(plain.value, value, text);
  // The order of members, and -0, too.
  assert.equal(JSON.stringify(plain.value), JSON.stringify(value), text);
  return plain.value;
}

test('the bundled files are plain, and read as the library reads them', () => {
  const read = texts.filter((text) => readBoth(text) !== undefined);
  assert.ok(texts.length > 60);
  // One has pairs in brackets.
  assert.ok(read.length >= texts.length - 1, `${read.length} of ${texts.length}`);
});

test('what scenarios are written in is plain', () => {
  assert.deepEqual(
    readBoth(`# a head

name: A "case" of it's own # and a comment
'quoted key': yes
"1": 'it''s'
dotted.\${name}.path: -1.50
list:
- at the column of its name
- - nested
  - twice
- id: a
  deep: { "b": [1, 'two, three', {c: ~}], d:
    e }
-
  id: b
text: |
  two lines

    and a half

strip: |-
  one
folded: >
  one
  two
  # and three

  four


  five

folded and stripped: >-
      ¿Qué? –
      “yes…” 👍
named: &names # to be repeated
  - { id: a }
again:
  - *names
  - some: *names # the same
word: &word one
words: *word
ångström: [né, 'déjà vu', "naïve – …"] # œuvre
constructor: plain
nothing:
empty: [ ]
`),
    {
      name: `A "case" of it's own`,
      'quoted key': 'yes',
      '1': "it's",
      [`dotted.\${name}.path`]: -1.5,
      list: [
        'at the column of its name',
        ['nested', 'twice'],
        { id: 'a', deep: { b: [1, 'two, three', { c: null }], d: 'e' } },
        { id: 'b' },
      ],
      text: 'two lines\n\n  and a half\n',
      strip: 'one',
      folded: 'one two # and three\nfour\n\nfive\n',
      'folded and stripped': '¿Qué? – “yes…” 👍',
      named: [{ id: 'a' }],
      again: [[{ id: 'a' }], { some: [{ id: 'a' }] }],
      word: 'one',
      words: 'one',
      ångström: ['né', 'déjà vu', 'naïve – …'],
      constructor: 'plain',
      nothing: null,
      empty: [],
    },
  );
});

test('everything else is left to the library', () => {
  const others = [
    'a: &x 1\nb: 2',
    'a: *x\nb: &x 1',
    'a: &x\n  b: *x',
    'a: &x\nb: *x',
    'a: &x 1\nb: &x 2\nc: *x',
    '- &x 1\n- *x',
    'a: &x 1\nb: [*x]',
    'a: &x,y 1\nb: *x,y',
    `a: &x 1\n${Array.from({ length: 31 }, (_, index) => `b${index}: *x`).join('\n')}`,
    'a: !!str 1',
    '? a\n: b',
    'a: >\n  folded\n    deeper',
    'a: >-\n  a space at the end \n  b',
    'a: >+\n  kept\n\n',
    'a: >2\n  counted',
    'a: \u0085',
    'a: b\ufeff',
    'a: \u00a0b',
    'a: one\n  two',
    "a: 'one\n  two'",
    'a: "\\n"',
    'a: 0x1F',
    'a: .5',
    'a: 1e3',
    '---\na: 1',
    'a:\tb',
    'a: b\r\n',
    '\ufeffa: b',
    'a: 1\na: 2',
    '__proto__: 1',
    'a: b: c',
    'a: 1\n  b: 2',
    ' a: 1',
    'just words',
    '[1, 2]',
    '{ a: 1, b }',
    'a: { b, c }',
    'a: [b: c]',
    'a: {\nb: c }',
    '',
  ];
  for (const text of others) assert.equal(readPlain(text), undefined, text);
});

test('whatever a slip of the pen makes of a file, the two never differ', () => {
  const random = seededRandom(seed('plain yaml'));
  const below = (count: number) => Math.floor(random() * count);
  const pick = <T>(from: readonly T[]): T => from[below(from.length)]!;
  const bits = [
    ...[
      ' ',
      '  ',
      '\n',
      '\n\n',
      '- ',
      '-',
      ': ',
      ':',
      ' #',
      '#',
      "'",
      "''",
      '"',
      '[',
      ']',
      '{',
      '}',
      ',',
      '|',
      '|-',
    ],
    ...[
      '>',
      '&a',
      '*a',
      '!',
      '? ',
      '%',
      '@',
      '`',
      '~',
      'null',
      'True',
      'yes',
      '-1.5',
      '.5',
      '1e3',
      '007',
      '0x1F',
    ],
    ...['---\n', '...', '__proto__: 1\n', 'a: b\n', '- a\n', '\\n', '\u2028', '\u00a0', '\u00e9', '${a}'],
    ...['>-\n', ' >\n', '\n  folded\n', ' \n', '\u0085', '\u2026', '\ufeff', '\uffff', '👍', 'œ', '¿'],
  ];
  let plain = 0;
  for (let round = 0; round < rounds(600); round++) {
    const all = pick(texts).split('\n');
    const from = below(all.length);
    const cut = all.slice(from, from + 1 + below(25));
    const indent = Math.min(...cut.filter((line) => line.trim() !== '').map((line) => line.search(/\S/)), 99);
    const lines = cut.map((line) => line.slice(indent));
    for (let slips = below(4); slips > 0; slips--) {
      const at = below(lines.length);
      const line = lines[at]!;
      const within = below(line.length + 1);
      lines[at] = pick([
        ` ${line}`,
        line.replace(/^ {1,2}/, ''),
        line.slice(0, within) + pick(bits) + line.slice(within),
        line.slice(0, within) + line.slice(within + 1 + below(3)),
      ]);
    }
    if (readBoth(lines.join('\n')) !== undefined) plain++;
  }
  assert.ok(plain > 0);
});
