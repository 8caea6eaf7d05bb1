import assert from 'node:assert/strict';
import { test } from 'node:test';

import { clausesOf, plainText } from './clause.ts';
import { evidenceOf } from './evidence.ts';
import type { Example } from './evidence.ts';
import { lexiconOf } from './lexicon.ts';

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

function weigh(text: string, unseen?: string) {
  return evidence.weigh(
    clausesOf(plainText(text), lexicon).flatMap(({ tokens }) => tokens),
    unseen,
  );
}

test('words speak for the fact whose questions hold them, and against the others', () => {
  const weights = weigh('How many cigarettes are there?');
  assert.ok(weights.get('smoking')!.sum > 1);
  assert.ok(weights.get('begin')!.sum < 0);
});

test('what stands in near misses speaks against the fact', () => {
  assert.ok(weigh('Does she smoke fish?').get('smoking')!.sum < weigh('Do you smoke?').get('smoking')!.sum);
  assert.ok(weigh('When does the practice close?').get('begin')!.sum < 0);
});

test('words that nobody ever wrote say nothing, and are named', () => {
  const { sum, strange } = weigh('Zebra xylophone?').get('smoking')!;
  assert.equal(sum, 0);
  assert.deepEqual(
    strange().map(({ word }) => word),
    ['zebra', 'xylophone'],
  );
});

test('a text that is one of the examples is weighed as if it had never been written', () => {
  for (const left of examples) {
    const others = evidenceOf(
      examples.filter((one) => one !== left),
      lexicon,
    );
    const tokens = clausesOf(plainText(left.text), lexicon).flatMap((clause) => clause.tokens);
    const weights = others.weigh(tokens);
    for (const fact of new Set(examples.map((one) => one.fact))) {
      const { sum, questions } = weights.get(fact)!;
      const weight = evidence.weigh(tokens, left.text).get(fact)!;
      assert.ok(Math.abs(weight.sum - sum) < 1e-9, `${fact}: ${left.text}`);
      assert.equal(weight.questions, questions);
    }
  }
});
