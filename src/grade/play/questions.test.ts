import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { findScenario, loadCatalog } from '../scenario/load/catalog.ts';
import { playTurn, startPlay } from './play.ts';
import { buildTask } from '../scenario/build-task.ts';

const room = mkdtempSync(join(tmpdir(), 'whet-questions-'));
after(() => rmSync(room, { recursive: true }));

let made = 0;

/** A scenario with these questions, in a catalog of its own. */
function scenarioWith(questions: string | Buffer) {
  const shelf = join(room, String(made++), 'c');
  const file = join(shelf, 'cold', 'questions.yaml');
  mkdirSync(join(shelf, 'cold'), { recursive: true });
  writeFileSync(join(shelf, 'collection.yaml'), 'name: C\n');
  writeFileSync(
    join(shelf, 'cold', 'scenario.yaml'),
    `name: Heating
version: '1'
description: A broken heating.
canary: canary-1
briefing: Find out how cold it is.
tools:
  - { id: verdict, type: decision, options: [right, wrong] }
facts:
  - { id: cold, says: It is 12 degrees., ask: [how cold] }
expect:
  - { call: verdict, after: [cold], input: { value: right } }
`,
  );
  writeFileSync(file, questions);
  return { file, catalog: loadCatalog(join(shelf, '..')) };
}

const sound = 'cold:\n  asked:\n    - How cold is it?\n  not:\n    - Have you got a cold?\n';

const slips: readonly (readonly [name: string, text: string | Buffer, said: string])[] = [
  ['no YAML', sound.replace('  asked:', '  asked: ['), '3:5: This is not YAML'],
  ['an empty file', '', '1:1: The file is empty'],
  ['a list', '- How cold is it?\n', '1:1: the file: expected an object, got ["How cold is it?"]'],
  ['an unknown fact', sound.replace('cold:', 'clod:'), '1:1: There is no fact "clod". Did you mean "cold"?'],
  [
    'a slip in a member',
    sound.replace('asked', 'asket'),
    '2:3: "asket" is not known here. Did you mean "asked"?',
  ],
  ['no list', sound.replace(/asked:\n.*/, 'asked: How cold is it?'), '2:3: cold.asked: expected a list'],
  ['no text', sound.replace('Have you', '"Sure": have you'), '5:7: cold.not[0]: expected a string'],
  [
    'another encoding',
    Buffer.from(sound.replace('got', 'g\u00f6t'), 'latin1'),
    '5:1: This line is not UTF-8',
  ],
];

for (const [name, text, said] of slips)
  test(`questions with a fault (${name}) leave the scenario to be read, and whoever plays it is told the line`, () => {
    const { file, catalog } = scenarioWith(text);
    const task = buildTask(findScenario(catalog, 'c', 'cold'));
    assert.deepEqual(catalog.faults, []);
    const play = () =>
      playTurn(task, startPlay(task).state, [{ role: 'assistant', content: 'How cold is it?' }]);
    const refused = (error: Error & { code?: string }) => {
      assert.equal(error.code, 'scenario_invalid');
      const told = `The scenario "c/cold" cannot be played. ${file}:${said}`;
      assert.equal(error.message.slice(0, told.length), told);
      return true;
    };
    assert.throws(play, refused);
    writeFileSync(file, sound);
    assert.throws(play, refused, 'a scenario stays what it was when it was first read');
  });

test('a folder in their place is a fault too, and none at all is none', () => {
  const { file, catalog } = scenarioWith(sound);
  const task = buildTask(findScenario(catalog, 'c', 'cold'));
  rmSync(file);
  assert.equal(task.examples(), undefined);
  mkdirSync(file);
  const other = buildTask(findScenario(loadCatalog(catalog.directory), 'c', 'cold'));
  assert.throws(() => other.examples(), {
    code: 'scenario_invalid',
    message: /questions\.yaml:1:1: It is a folder/,
  });
});
