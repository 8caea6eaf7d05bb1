import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { rounds, seed } from '../../../test/rounds.ts';
import { seededRandom } from '../../base/host/random.ts';
import { loadCatalog } from '../scenario/catalog.ts';
import { earsOf } from '../scenario/ears.ts';
import { clausesOf, plainText } from '../scenario/language/clause.ts';
import { lexiconOf } from '../scenario/language/lexicon.ts';
import { phrasesIn } from '../scenario/language/pattern.ts';
import { taskOf } from '../scenario/task-of.ts';
import { WordsWanted } from './words-wanted.ts';

const catalog = loadCatalog(fileURLToPath(new URL('../../../scenarios', import.meta.url)));
const tasks = catalog.collections.flatMap(({ scenarios }) => scenarios.map((scenario) => taskOf(scenario)));

/** What stands between pieces of talk, and what the reading cuts out of it. */
const glue = [
  ' ',
  ', ',
  '. ',
  '? ',
  '\n',
  '-',
  "'",
  ' if any-',
  '-but not ',
  ' as well-',
  ' when ',
  ' and ',
  '’s ',
];

test('no word of a clause is lost where a message is looked through for words that are wanted', () => {
  const random = seededRandom(seed('words wanted'));
  const pick = <Item>(list: readonly Item[]): Item => list[Math.floor(random() * list.length)]!;
  let seen = 0;
  for (const task of tasks) {
    const { lexicon } = earsOf(task);
    const lists = [...task.facts, ...task.person.topics].map(({ ask }) => ask);
    const wanted = new WordsWanted(lists, lexicon);
    const keys = new Set(lists.flatMap((list) => wanted.patterns(list)).flatMap((one) => one.wanted.flat()));
    const talk = [
      ...task.gold.flatMap(({ say = '' }) => say.split(/(?<=[.?!,]) /)),
      ...task.facts.map(({ says }) => says),
      ...lists.flat().map((pattern) => pattern.replace(/[|=!?_]/g, ' ')),
    ];
    for (let round = 0; round < rounds(25); round++) {
      const message = `${pick(talk)}${pick(glue)}${pick(talk)}${pick(glue)}${pick(talk)}${pick(['', '.', '?'])}`;
      const plain = plainText(message);
      const held = wanted.heldIn(plain);
      if (held === 'all') continue;
      for (const { bag } of clausesOf(plain, lexicon))
        for (const key of bag.keys) {
          if (!keys.has(key)) continue;
          seen += 1;
          assert.ok(held.has(key), `${key} in: ${message}`);
        }
    }
  }
  assert.ok(seen > 1000);
});

test('a message may meet a pattern only with a word for each of its wishes', () => {
  const sources = ['=guarantee claim|=approve', 'at_work instead'];
  const lexicon = lexiconOf([['claim', 'case']], sources.flatMap(phrasesIn));
  const wanted = new WordsWanted([sources], lexicon);
  const may = (text: string) => wanted.mayMeet(sources, wanted.heldIn(plainText(text)));
  assert.equal(may('I guarantee it. They approve.'), true);
  assert.equal(may('We guarantee: cases are closed!'), true);
  assert.equal(may('I can guarantee nothing.'), false);
  assert.equal(may('Your claim is with us.'), false);
  assert.equal(may('Say instead that it happened at work.'), true);
  assert.equal(may('Thank you, that is all.'), false);
});

test('a message whose words cannot be told simply may meet anything', () => {
  const sources = ['=guarantee'];
  const wanted = new WordsWanted([sources], lexiconOf([]));
  assert.equal(wanted.mayMeet(sources, wanted.heldIn('café')), true);
  assert.equal(wanted.mayMeet(sources, wanted.heldIn('a-b-c-d-e-f-g')), true);
});
