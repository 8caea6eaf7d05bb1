import assert from 'node:assert/strict';
import { test } from 'node:test';

import { clausesOf } from './clause.ts';
import { plainText } from './plain-text.ts';
import type { Clause } from './clause.ts';
import { evidenceOf } from './evidence.ts';
import type { Evidence, Example } from './evidence.ts';
import { lexiconOf } from './lexicon.ts';
import { isUnseenFor, questionsFor } from './fact-scores.ts';

const lexicon = lexiconOf([]);
const examples = [
  ...['When did the pain begin?', 'Since when does it hurt?', 'Begin of the pain, please.'].map(
    asked('begin'),
  ),
  ...['When did you begin your job?', 'When does the practice open?'].map(not('begin')),
  ...['Do you smoke?', 'How many cigarettes do you smoke?', 'Cigarettes, ever?'].map(asked('smoking')),
  ...['Does your wife smoke?', 'Do you smoke fish?'].map(not('smoking')),
];
const evidence = evidenceOf(examples, lexicon);

function asked(fact: string): (text: string) => Example {
  return (text) => ({ fact, asked: true, text });
}

function not(fact: string): (text: string) => Example {
  return (text) => ({ fact, asked: false, text });
}

function clauseOf(text: string): Clause {
  return [...clausesOf(plainText(text), lexicon)][0]!;
}

function sumFor(fact: string, text: string): number {
  return evidence.weigh(clauseOf(text)).sums[placeOf(fact)]!;
}

function placeOf(fact: string, its: Evidence = evidence): number {
  return its.places.get(fact)!;
}

test('words speak for the fact whose questions hold them, and against the others', () => {
  assert.ok(sumFor('smoking', 'How many cigarettes are there?') > 1);
  assert.ok(sumFor('begin', 'How many cigarettes are there?') < 0);
});

test('what is in near misses speaks against the fact', () => {
  assert.ok(sumFor('smoking', 'Does she smoke fish?') < sumFor('smoking', 'Do you smoke?'));
  assert.ok(sumFor('begin', 'When does the practice close?') < 0);
});

test('words that nobody ever wrote say nothing, and are named', () => {
  const clause = clauseOf('zebra xylophone');
  const weights = evidence.weigh(clause);
  const smoking = placeOf('smoking');
  // Nothing but its end, which many share.
  assert.ok(Math.abs(weights.sums[smoking]!) < 1);
  assert.ok(clause.tokens.every((_, index) => isUnseenFor(weights, smoking, index)));
});

test('a text that is one of the examples is weighed as if it had never been written', () => {
  for (const left of examples) {
    const others = evidenceOf(
      examples.filter((one) => one !== left),
      lexicon,
    );
    const clause = clauseOf(left.text);
    const weights = others.weigh(clause);
    for (const fact of new Set(examples.map((one) => one.fact))) {
      const [there, here] = [placeOf(fact, others), placeOf(fact)];
      const unseen = evidence.weigh(clause, left.text);
      assert.ok(Math.abs(unseen.sums[here]! - weights.sums[there]!) < 1e-9, `${fact}: ${left.text}`);
      assert.equal(questionsFor(unseen, here), questionsFor(weights, there));
    }
  }
});
