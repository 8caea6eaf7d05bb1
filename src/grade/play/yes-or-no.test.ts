import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { buildTask } from '../scenario/build-task.ts';
import { findScenario, loadCatalog } from '../scenario/load/catalog.ts';
import { parse } from '../person/parse.ts';
import { questionIndexOf } from '../person/question-index.ts';
import { takesYesOrNo, withoutYesOrNo } from '../person/yes-or-no.ts';
import { playTurn, startPlay } from './play.ts';

const catalog = loadCatalog(fileURLToPath(new URL('../../../scenarios', import.meta.url)));
const saysYesOrNo = /\b(?:yes|no)[,.!]/i;

function answerTo(name: string, variant: number, content: string): string {
  const [collection, slug] = name.split('/') as [string, string];
  const task = buildTask(findScenario(catalog, collection, slug), variant);
  const { state } = startPlay(task);
  const rapport = ['greeting', 'empathy', 'reassurance'];
  return playTurn(task, { ...state, rapport }, [{ role: 'assistant', content }]).observation.content;
}

/** Questions that ask for the contrary of what a fact is mostly asked for. */
const turnedRound: Readonly<Record<string, readonly string[]>> = {
  'healthcare-intake/child-fever': ['Is her neck stiff?', 'Is her skin normal?', 'Is she free of allergies?'],
  'healthcare-intake/stomach-pain': ['Is your stool normal?', 'Is your temperature normal?'],
  'healthcare-intake/chest-pain': ['Does it stay in one place?', 'Is the pain only in the chest?'],
  'healthcare-intake/new-headache': [
    'Can you put your chin on your chest?',
    'Do you see normally?',
    'Do you chew without pain?',
  ],
  'finance-compliance/account-opening': ['Is your family free of political office?'],
  'finance-compliance/large-transfer': ['Was it your own idea?', 'Is the recipient a stranger?'],
  'customer-support/cancel-order': ['Is it for you?', 'Is it for yourself?', 'Was it standard delivery?'],
  'customer-support/missing-part': ['Is it still untouched?', 'Is all of it still in the box?'],
  'case-management/return-to-work': ['Did you skip any of it?', 'Did you give it up?'],
  'case-management/shoulder-fall': ['Were you sober?', 'Has nobody examined you?'],
};

for (const [scenario, questions] of Object.entries(turnedRound))
  test(`what is asked the other way round gets neither a yes nor a no: ${scenario}`, () => {
    for (const question of questions)
      for (let variant = 0; variant < 6; variant++)
        assert.doesNotMatch(answerTo(scenario, variant, question), saysYesOrNo, `${question} ${variant}`);
  });

test('a yes or a no stays where it answers what was asked', () => {
  const said = [0, 1, 2].map((variant) =>
    answerTo('healthcare-intake/stomach-pain', variant, 'Is there blood in your stool?'),
  );
  assert.ok(
    said.every((says) => saysYesOrNo.test(says)),
    said.join(' '),
  );
});

test('no fact of a bundled person is denied or affirmed to a question for the contrary', () => {
  const index = questionIndexOf(buildTask(findScenario(catalog, 'healthcare-intake', 'chest-pain'), 0));
  let asked = 0;
  for (const { scenarios } of catalog.collections)
    for (const scenario of scenarios) {
      const task = buildTask(scenario, 0);
      for (const { id, says } of task.facts) {
        const plain = withoutYesOrNo(says);
        if (plain === says) continue;
        asked++;
        for (const question of [
          `Is the ${id} normal?`,
          `Is all well with the ${id}?`,
          `Is it without ${id}?`,
        ]) {
          const [heard] = parse(question, index).clauses;
          assert.equal(takesYesOrNo(heard!.clause, says), false, `${scenario.slug}: ${question} ${says}`);
        }
        assert.doesNotMatch(plain, /^(?:yes|no)\b[,.]|, (?:yes|no)\./i);
      }
    }
  assert.ok(asked >= 10, `${asked} facts begin with a yes or a no`);
});

test('what a fact goes on to say is not contradicted by its own yes or no', () => {
  const index = questionIndexOf(buildTask(findScenario(catalog, 'healthcare-intake', 'chest-pain'), 0));
  const takes = (question: string, says: string) =>
    takesYesOrNo([...parse(question, index).clauses][0]!.clause, says);
  assert.equal(takes('Have you opened the parcel?', 'No, I have not opened it.'), true);
  assert.equal(takes('Does the parcel lie there?', 'No, it lies there.'), false);
  assert.equal(takes('Can you lift the arm?', 'Yes, it hurts, and I cannot lift it.'), false);
  assert.equal(takes('Is the arm stiff?', 'Yes, I move it freely.'), false);
});
