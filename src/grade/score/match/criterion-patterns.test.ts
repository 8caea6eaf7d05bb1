import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { rounds, seed } from '../../../../test/rounds.ts';
import { seededRandom } from '../../../base/host/random.ts';
import { loadCatalog } from '../../scenario/load/catalog.ts';
import { questionIndexOf } from '../../person/question-index.ts';
import { clausesOf } from '../../language/clause.ts';
import { plainText } from '../../language/plain-text.ts';
import { lexiconOf } from '../../language/lexicon.ts';
import { matchPattern, phrasesIn } from '../../language/pattern.ts';
import { buildTask } from '../../scenario/build-task.ts';
import { CriterionPatterns } from './criterion-patterns.ts';

const catalog = loadCatalog(fileURLToPath(new URL('../../../../scenarios', import.meta.url)));
const tasks = catalog.collections.flatMap(({ scenarios }) =>
  scenarios.map((scenario) => buildTask(scenario)),
);

/** What is between pieces of talk, and what the reading cuts out of it. */
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

test('a message that meets a pattern in some clause is never passed over', () => {
  const random = seededRandom(seed('words wanted'));
  const pick = <Item>(list: readonly Item[]): Item => list[Math.floor(random() * list.length)]!;
  let met = 0;
  for (const task of tasks) {
    const { lexicon } = questionIndexOf(task);
    const patterns = [...task.facts, ...task.person.topics].flatMap(({ ask }) => ask);
    const lists = patterns.map((pattern) => [pattern]);
    const wanted = new CriterionPatterns(lists, lexicon);
    const talk = [
      ...task.gold.flatMap(({ say = '' }) => say.split(/(?<=[.?!,]) /)),
      ...task.facts.map(({ says }) => says),
      ...patterns.map((pattern) => pattern.replace(/\S*!\S+|[|=?_]/g, ' ')),
    ];
    for (let round = 0; round < rounds(8); round++) {
      const message = `${pick(talk)}${pick(glue)}${pick(talk)}${pick(glue)}${pick(talk)}${pick(['', '.', '?'])}`;
      const plain = plainText(message);
      const hopeful = wanted.listsFor(plain);
      for (const { tokens } of clausesOf(plain, lexicon))
        for (const list of lists) {
          if (!wanted.patterns(list).some((pattern) => matchPattern(pattern, tokens))) continue;
          met += 1;
          assert.ok(hopeful.includes(list), `${list[0]} in: ${message}`);
        }
    }
  }
  assert.ok(met > 200, `${met}`);
});

test('a message may meet a pattern only with a word for each of its wishes', () => {
  const list = ['=guarantee claim|=approve', 'at_work instead'];
  const lexicon = lexiconOf([['claim', 'case']], list.flatMap(phrasesIn));
  const wanted = new CriterionPatterns([list], lexicon);
  const may = (text: string) => wanted.listsFor(plainText(text)).includes(list);
  assert.equal(may('I guarantee it. They approve.'), true);
  assert.equal(may('We guarantee: cases are closed!'), true);
  assert.equal(may('I can guarantee nothing.'), false);
  assert.equal(may('Your claim is with us.'), false);
  assert.equal(may('Say instead that it happened at work.'), true);
  assert.equal(may('Thank you, that is all.'), false);
});

test('a message whose words cannot be told simply may meet anything', () => {
  const list = ['=guarantee'];
  const wanted = new CriterionPatterns([list], lexiconOf([]));
  assert.deepEqual(wanted.listsFor('café'), [list]);
  assert.deepEqual(wanted.listsFor('a-b-c-d-e-f-g'), [list]);
});
