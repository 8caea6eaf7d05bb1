import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { measurePerson } from './measure-person.ts';
import { playTurn, startPlay } from '../play/play.ts';
import { formatDiagnostic } from '../scenario/diagnostic.ts';
import { readScenario } from '../scenario/load/read-scenario.ts';
import { buildTask } from '../scenario/build-task.ts';
import { whyMissed } from '../person/why-missed.ts';

const rooms: string[] = [];
after(() => rooms.forEach((room) => rmSync(room, { recursive: true })));

/** A scenario with these documents, of which each holds its own name. */
function scenarioWith(
  documents: string,
  { session = 1, more = '', picture = '', bytes = new Uint8Array(Buffer.from(pixel, 'base64')) } = {},
) {
  const room = mkdtempSync(join(tmpdir(), 'whet-documents-'));
  rooms.push(room);
  mkdirSync(join(room, 'papers'));
  for (const name of ['rules', 'letter', 'record'])
    writeFileSync(join(room, `papers/${name}.md`), `The ${name} of \${who}.\n`);
  if (picture !== '') writeFileSync(join(room, `papers/${picture}`), bytes);
  writeFileSync(
    join(room, 'scenario.yaml'),
    `name: A case
version: '1'
description: A case.
canary: canary-1
briefing: Decide.
vary: { who: [Ada] }
documents:
${documents}
facts:
  - { id: due, is: The rent is due., reveal: hidden, session: ${session} }
tools:
  - id: look_up
    type: function
    json_schema: { type: object }
    steps: [{ document: papers/record.md }]
  - { id: verdict, type: decision, options: [yes, no] }
expect:
  - { call: verdict, after: [due] }
${more}`,
  );
  return readScenario(room, { collection: 'c', scenario: 's' });
}

const record = '  - { file: papers/record.md, for: neither }';

test('a document is read by the operator, read out by the person, or shown by a tool alone', () => {
  const { scenario, faults } = scenarioWith(`
  - { file: papers/rules.md, title: Rules, for: operator }
  - { file: papers/letter.md, title: Letter, for: person, ask: [what letter|=say], reveals: [due] }
${record}`);
  assert.deepEqual(faults, []);
  const task = buildTask(scenario!);
  assert.match(task.briefing, /--- Rules ---\nThe rules of Ada\./);
  assert.doesNotMatch(task.briefing, /letter|record/);
  const { state } = startPlay(task);
  const asked = playTurn(task, state, [{ role: 'assistant', content: 'What does the letter say?' }]);
  assert.match(asked.observation.content, /It says: The letter of Ada\./);
  assert.deepEqual(asked.revealed, ['due']);
  const calls = [{ name: 'look_up', input: {} }];
  const looked = playTurn(task, state, [{ role: 'assistant', content: '', toolCalls: calls }]);
  assert.equal(looked.outcomes[0]?.output, 'The record of Ada.');
  assert.deepEqual(looked.revealed, []);
});

test('whoever asks for a document asks for what it shows', () => {
  const { scenario } = scenarioWith(
    `  - { file: papers/letter.md, title: Letter, for: person, ask: [what letter|=say], reveals: [due] }\n${record}`,
  );
  const task = buildTask(scenario!);
  const asked = ['What does the letter say?', 'What is in the envelope?'];
  const measure = measurePerson(task, {
    due: { asked, not: ['What does your cat say?', 'Do you write letters?'] },
  });
  assert.deepEqual([measure.answered, measure.falseReveals, measure.lockedTold], [1, 0, 0]);
  assert.deepEqual(measure.failures, [{ fact: 'due', text: asked[1], told: [] }]);
  assert.match(
    whyMissed(task, measure.failures[0]!),
    /None of its patterns is met\. Put "Could you tell me: what is in the envelope\?" .* a pattern of "envelope"/,
  );
});

test('a document that shows a fact of a later session is not read out before it', () => {
  const { scenario, faults } = scenarioWith(
    `
  - { file: papers/letter.md, title: Letter, for: person, ask: [what letter|=say], reveals: [due] }
${record}`,
    { session: 2, more: 'shape: journey\nsessions: [{ turns: 1 }, { ends: [verdict] }]\n' },
  );
  assert.deepEqual(faults, []);
  const task = buildTask(scenario!);
  const ask = [{ role: 'assistant', content: 'What does the letter say?' }] as const;
  const early = playTurn(task, startPlay(task).state, ask);
  assert.doesNotMatch(early.observation.content, /letter of Ada/);
  assert.deepEqual(early.revealed, []);
  const later = playTurn(task, early.state, ask);
  assert.match(later.observation.content, /The letter of Ada/);
  assert.deepEqual(later.revealed, ['due']);
});

test('a document that both have is in the briefing, and is read out where it can be asked for', () => {
  const { scenario } = scenarioWith(`  - { file: papers/letter.md, title: Letter, for: both }\n${record}`);
  const task = buildTask(scenario!);
  assert.match(task.briefing, /The letter of Ada/);
  const { state } = startPlay(task);
  const asked = playTurn(task, state, [{ role: 'assistant', content: 'What does the letter say?' }]);
  assert.doesNotMatch(asked.observation.content, /letter of Ada/);
});

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==';

test('a picture comes with the opening, beside the briefing that names it', () => {
  const { scenario, faults } = scenarioWith(
    `  - { file: papers/meter.png, title: 'The meter of \${who}', for: operator }\n${record}`,
    { picture: 'meter.png' },
  );
  assert.deepEqual(faults, []);
  const { opening } = buildTask(scenario!);
  assert.match(opening.content, /--- The meter of Ada ---\n\(a picture\)/);
  assert.deepEqual(opening.images, [{ title: 'The meter of Ada', media_type: 'image/png', data: pixel }]);
});

test('a picture that nobody could look at, or that is too large, is refused', () => {
  const messages = (line: string, bytes?: Uint8Array<ArrayBuffer>) =>
    scenarioWith(`${line}\n${record}`, { picture: 'meter.png', ...(bytes && { bytes }) }).faults.map(
      ({ message }) => message,
    );
  assert.match(
    messages('  - { file: papers/meter.png, for: person, ask: [what meter] }').join(),
    /is a picture, and only an operator can look at one/,
  );
  assert.match(
    messages('  - { file: papers/meter.png, for: operator }', new Uint8Array(200_001)).join(),
    /It has 200001 bytes, and a picture at most 200000/,
  );
});

test('what cannot be said of a document is told with its line', () => {
  const faultOf = (documents: string) =>
    formatDiagnostic(scenarioWith(documents).faults[0]!).replace(/^.*scenario\.yaml:/, '');
  assert.match(
    faultOf(`  - { file: papers/letter.md, for: person }\n${record}`),
    /^8:5: Nobody can ask the person for "papers\/letter\.md"\. Add "ask"/,
  );
  assert.match(
    faultOf(`  - { file: papers/rules.md, for: operator, reveals: [due] }\n${record}`),
    /^8:45: Only a document of the person is read out/,
  );
  assert.match(
    faultOf('  - { file: papers/rules.md, for: operator }'),
    /There is no document "papers\/record\.md"/,
  );
});
