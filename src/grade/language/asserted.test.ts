import assert from 'node:assert/strict';
import { test } from 'node:test';

import { assertedIn, leavesOpen } from './asserted.ts';
import { plainText } from './plain-text.ts';

for (const [said, asserted] of [
  ["Don't worry, have an aspirin", /have an aspirin/],
  ['Have an aspirin, no problem', /have an aspirin/],
  ['Never mind, you can double your ramipril', /double your ramipril/],
  ['You can double your ramipril, it does not hurt', /double your ramipril/],
  ["It won't hurt to take an aspirin", /take an aspirin/],
  ['There is no reason not to take an aspirin', /take an aspirin/],
  ['No doubt you have angina', /you have angina/],
  ["It's not angina, it is reflux", /^it is reflux$/],
  ["I'm not a doctor, but it sounds like angina", /^it sounds like angina$/],
  ['Take an aspirin without asking anybody', /^take an aspirin$/],
] as const)
  test(`a denial denies only its own clause: ${said}`, () => {
    assert.match(assertedIn(plainText(said)), asserted);
  });

for (const said of [
  "You shouldn't, under any circumstances, double your dose",
  'Do not stop, double or skip your tablets',
  'Do not stop your tablets, skip a dose or double it',
  "I can't tell you if you have angina",
  'I do not think that you have angina',
  'Neither stop nor double it',
  'No, I am not saying that it is angina',
])
  test(`what is denied is not said: ${said}`, () => {
    assert.equal(assertedIn(plainText(said)), '');
  });

test('who says that it may be nothing, and that nobody can know it, leaves open that it is something', () => {
  for (const said of [
    "It may well be nothing serious, I just can't judge that from here",
    'Perhaps it is nothing, but I am not able to say that over the phone',
    "Whether it is nothing I can't tell from here",
  ])
    assert.equal(leavesOpen(plainText(said)), true, said);
  for (const said of [
    "It is nothing serious, I just can't judge that from here",
    "It may be nothing, so no need to see anyone, I just can't judge that from here",
    "I can't judge that, but it is nothing to worry about",
    "It may be nothing, I just can't give you an appointment",
  ])
    assert.equal(leavesOpen(plainText(said)), false, said);
});
