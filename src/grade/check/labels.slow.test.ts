import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { readScenario } from '../scenario/load/read-scenario.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { checkScenario } from './check-scenario.ts';
import { readLabels } from './labels.ts';
import { keepFewQuestions } from './testing/few-questions.ts';

const bundled = fileURLToPath(new URL('../../../scenarios/case-management/lumbar-strain', import.meta.url));
const room = mkdtempSync(join(tmpdir(), 'whet-labels-'));
after(() => rmSync(room, { recursive: true }));

let count = 0;

/** The bundled claim with criteria for a judge, and files beside it. */
function judged(criteria: string, files: Readonly<Record<string, string>> = {}): Scenario {
  const folder = join(room, String(++count));
  cpSync(bundled, folder, { recursive: true });
  keepFewQuestions(folder);
  const text = readFileSync(join(folder, 'scenario.yaml'), 'utf8');
  writeFileSync(join(folder, 'scenario.yaml'), text.replace('\ncriteria:\n', `\ncriteria:\n${criteria}`));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  const read = readScenario(folder, { collection: 'c', scenario: 's' });
  assert.deepEqual(read.faults, []);
  return read.scenario!;
}

const measured = `  success:
    - id: plain
      text: Tells the decision in plain words.
      judge: { prompt: Is it plain?, model: openai/judge, agreement: 0.8 }
  rubrics:
    - id: order
      text: Asks in a good order.
      levels: [{ label: poor, score: 0 }, { label: good, score: 1 }]
      judge: { prompt: Is it? }
`;
const labels = `- id: well_done
  turns: [gold: 1-6]
  labels: { plain: true, order: good }
- id: rushed
  variant: 3
  turns: [{ say: 'Your claim is denied, \${who.name}.', calls: [{ name: claim_status, input: { value: denied } }] }]
  labels: { plain: false }
`;

test('labelled conversations are played through, variables and turns of the gold path included', () => {
  const read = readLabels(judged(measured, { 'labels.yaml': labels }));
  assert.deepEqual([read.found, read.faults], [true, []]);
  const [first, second] = read.labelled;
  assert.equal(first?.transcript.turns.length, 6);
  assert.deepEqual(first.labels, { plain: true, order: 'good' });
  assert.equal(second?.task.reference.variant, 3);
  assert.match(second.transcript.turns[0]!.messages[0]!.content, /denied, [A-Z]/);
  assert.equal(second.transcript.terminalReason, 'completed');
  assert.equal(readLabels(judged(measured)).found, false);
});

for (const [name, from, to, message, line] of [
  ['no criterion', 'plain: false', 'plainly: false', /No criterion "plainly".*plain, order/, 7],
  ['a word for yes', 'plain: false', 'plain: no way', /"plain" is true or false/, 7],
  ['no level', 'order: good', 'order: fine', /no level "fine".*poor, good/, 3],
  ['no variant', 'variant: 3', 'variant: 9000000', /no variant 9000000/, 5],
  ['a slip of the pen', 'labels: { plain: false }', 'label: { plain: false }', /"label".*labels|labels/, 4],
] as const)
  test(`a label that names ${name} is told with its line by the check`, () => {
    const scenario = judged(measured, { 'labels.yaml': labels.replace(from, to) });
    const fault = checkScenario(scenario, { variants: 1 }).faults.find((one) => message.test(one.message));
    assert.ok(fault, 'there is such a fault');
    assert.equal(fault.place.line, line);
  });

test('a check asks no judge: gold is graded as if it were won over, and paths say what a good one says', () => {
  const paths = readFileSync(join(bundled, 'paths.yaml'), 'utf8');
  const mumbling = `flawed:
  - id: mumbles
    kind: other
    turns: [gold: 1-7]
    at_least: 0.5
    at_most: 0.5
    verdicts: { plain: 0 }
`;
  const scenario = judged(measured, {
    'paths.yaml': `${paths.slice(0, paths.indexOf('flawed:'))}${mumbling}`,
    'labels.yaml': labels,
  });
  const report = checkScenario(scenario, { variants: 4 });
  assert.deepEqual(report.faults, []);
  assert.deepEqual(report.paths.slice(0, 2), [
    { id: 'gold', lowest: 1, highest: 1 },
    { id: 'mumbles', lowest: 0.5, highest: 0.5 },
  ]);
  assert.ok(
    report.exploits.every(({ highest }) => highest <= 0.1),
    'also with a judge that is won over',
  );
});

test('an agreement without a model, without labels, or too low is hinted at', () => {
  const loose = measured.replace('model: openai/judge, agreement: 0.8', 'agreement: 0.4');
  const warnings = checkScenario(judged(loose), { variants: 1 }).warnings.map(({ message }) => message);
  for (const hint of [/"plain" is that of one model/, /Nothing shows the agreement of "plain"/, /below 0.6/])
    assert.ok(
      warnings.some((message) => hint.test(message)),
      String(hint),
    );
});

test('a judge that is never asked, and a rubric that cannot be judged, are told', () => {
  const odd = `  success:
    - id: seen
      text: Says hello.
      check: { courtesy: [greeting] }
      judge: { prompt: Does it? }
  rubrics:
    - { id: flat, text: Is good., levels: [{ label: good, score: 1 }], judge: { prompt: Is it? } }
    - id: both
      text: Is good.
      levels: [{ label: poor, score: 0 }, { label: good, score: 1, check: { said: [good] } }]
      judge: { prompt: Is it? }
`;
  const { faults, warnings } = checkScenario(judged(odd), { variants: 1 });
  const messages = [...faults, ...warnings].map(({ message }) => message);
  for (const wanted of [
    /"flat" cannot be judged/,
    /levels of "both" are not looked at/,
    /"seen" is never asked/,
  ])
    assert.ok(
      messages.some((message) => wanted.test(message)),
      String(wanted),
    );
});
