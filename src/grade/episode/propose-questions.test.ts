import assert from 'node:assert/strict';
import { test } from 'node:test';

import { mockModel } from '../../wire/mock/index.ts';
import { buildTask } from '../scenario/build-task.ts';
import { findScenario } from '../scenario/load/catalog.ts';
import { bundledCatalog } from './testing/changed-catalog.ts';
import { proposeQuestions } from './propose-questions.ts';

const strain = buildTask(findScenario(bundledCatalog, 'case-management', 'lumbar-strain'));
const task = { ...strain, facts: strain.facts.filter(({ id }) => id === 'pain' || id === 'place') };
const signal = new AbortController().signal;

test('a model proposes sentences for each fact, and those that are not understood are told apart', async () => {
  const written = { asked: ['How bad is the pain?', 'Blorp the frim?'], not: ['Is it raining?'] };
  const model = mockModel([JSON.stringify(written), 'I would rather not.']);
  const [first, second] = await proposeQuestions(task, { model, count: 5, signal });
  const texts = first!.asked.map(({ text }) => text);
  assert.ok(texts.includes('Blorp the frim?'));
  assert.equal(first!.asked.find(({ text }) => text === 'Blorp the frim?')!.drawsOut, false);
  assert.deepEqual(first!.not, [{ text: 'Is it raining?', drawsOut: false }]);
  assert.deepEqual([second!.asked, second!.not], [[], []]);
  assert.match(second!.fault!, /did not answer with JSON: I would rather not/);
});

test('without a model a few come from the patterns', async () => {
  const proposed = await proposeQuestions(task, { count: 2, signal });
  assert.deepEqual(
    proposed.map(({ fact }) => fact),
    task.facts.map(({ id }) => id),
  );
  for (const { asked } of proposed) assert.ok(asked.length > 0);
});
