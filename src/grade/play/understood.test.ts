import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { buildTask } from '../scenario/build-task.ts';
import { findScenario, loadCatalog } from '../scenario/load/catalog.ts';
import { playTurn, startPlay } from './play.ts';

const catalog = loadCatalog(fileURLToPath(new URL('../../../scenarios', import.meta.url)));

/** What came out with the last of some messages, and what was said to it. */
function lastOf(name: string, ...messages: readonly string[]) {
  const [collection, slug] = name.split('/') as [string, string];
  const task = buildTask(findScenario(catalog, collection, slug), 0);
  let { state } = startPlay(task);
  let told: readonly string[] = [];
  let says = '';
  for (const content of messages) {
    const before = state.revealed;
    const played = playTurn(task, state, [{ role: 'assistant', content }]);
    ({ state } = played);
    told = Object.keys(state.revealed).filter((fact) => !Object.hasOwn(before, fact));
    says = played.observation.content;
  }
  return { told, says };
}

const shoulder = 'case-management/shoulder-fall';
const belly = 'healthcare-intake/stomach-pain';

for (const [message, fact] of [
  ['How did you falll?', 'fall'],
  ['Have you seen a docotr?', 'examined'],
  ['How bad is the paiin?', 'pain'],
] as const)
  test(`a typing error is read as what the person knows: ${message}`, () => {
    assert.deepEqual(lastOf(shoulder, message).told, [fact]);
  });

test('words of another language are not mended into questions', () => {
  assert.deepEqual(
    lastOf(shoulder, 'Wann haben Sie sich denn verletzt und wo genau passierte das?').told,
    [],
  );
});

for (const [scenario, first, then, fact] of [
  [shoulder, 'How did you fall?', 'When?', 'day'],
  [shoulder, 'How did you fall?', 'When was that?', 'day'],
  [belly, 'Where does it hurt?', 'Since when?', 'begin'],
  [belly, 'Where does it hurt?', 'How bad?', 'severity'],
  ['case-management/lumbar-strain', 'How did it happen?', 'Where?', 'place'],
  ['customer-support/charged-twice', 'What does your statement show?', 'When was that?', 'day'],
  ['finance-compliance/large-transfer', 'Who gets it?', 'How much?', 'sum'],
] as const)
  test(`"${then}" asks about what was spoken of last: ${first}`, () => {
    assert.deepEqual(lastOf(scenario, first, then).told, [fact]);
  });

test('bare question words ask for nothing where nothing was spoken of', () => {
  for (const message of ['Where?', 'Who?', 'How much?']) assert.deepEqual(lastOf(shoulder, message).told, []);
});

test('"And then?" is answered as heard, with nothing new', () => {
  const { told, says } = lastOf(shoulder, 'How did you fall?', 'And then?');
  assert.deepEqual(told, []);
  assert.match(says, /that (?:is|was) (?:all|it)/i);
});

test('a yes or a no is said only where it answers what was asked', () => {
  const why = 'I am sorry that it hurts. I ask everybody this, it is routine.';
  assert.match(lastOf(shoulder, `${why} Had you been drinking?`).says, /No, nothing\. I never/);
  assert.match(lastOf(shoulder, `${why} How much alcohol had you had?`).says, /Nothing\. I never/);
  assert.doesNotMatch(lastOf(shoulder, `${why} How much alcohol had you had?`).says, /No, nothing/);
  const again = lastOf(shoulder, `${why} Had you been drinking?`, 'Had you drunk any alcohol?').says;
  assert.match(again, /: Nothing\. I never/);
});

for (const message of ['How old are you?', 'Any heart problems?', 'Are you alone?'])
  test(`what no fact answers was heard all the same: ${message}`, () => {
    const { told, says } = lastOf(belly, message);
    assert.deepEqual(told, []);
    assert.doesNotMatch(says, /follow|what you mean|understand/);
  });

const transfer = 'finance-compliance/large-transfer';

for (const message of [
  'Where does the 45,000 come from?',
  'Where do the 3500 euros come from?',
  'Where did you get the eighty thousand euros?',
  'Where did the eighty thousand come from?',
])
  test(`a sum that is named is the money: ${message}`, () => {
    assert.deepEqual(lastOf(transfer, message).told, ['source']);
  });

test('a question that was not understood beside one that was is not passed over', () => {
  const { told, says } = lastOf(transfer, 'How much is it, and how blue is the zebra?');
  assert.deepEqual(told, ['sum']);
  assert.match(says, /something else|the rest/);
  assert.doesNotMatch(lastOf(transfer, 'How much is it?').says, /something else|the rest/);
});

test('one long polite sentence may ask two things', () => {
  const polite = 'If it is not too much trouble, I would be very grateful if you could tell me both';
  const asked = 'where the money comes from and roughly how much it is that you want to send.';
  assert.deepEqual(lastOf(transfer, `${polite} ${asked}`).told.toSorted(), ['source', 'sum']);
});

test('whoever says why it was asked need not ask again for what was withheld', () => {
  const question = 'Does anybody urge you to send it?';
  const why = 'I ask everybody this, it is routine and meant to protect you.';
  assert.deepEqual(lastOf(transfer, question).told, []);
  assert.deepEqual(lastOf(transfer, 'Good morning, my name is Kim.', question, why).told, ['pressure']);
  assert.deepEqual(lastOf(transfer, 'Good morning, my name is Kim.', why).told, []);
  assert.deepEqual(lastOf(transfer, 'Good morning.', question, 'Where is it from?', why).told, []);
});
