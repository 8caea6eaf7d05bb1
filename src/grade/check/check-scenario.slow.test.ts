import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { findScenario, loadCatalog } from '../scenario/load/catalog.ts';
import { playThrough } from '../play/play-through.ts';
import { formatDiagnostic } from '../scenario/diagnostic.ts';
import { changedScenario } from '../scenario/scenario.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { buildTask } from '../scenario/build-task.ts';
import { TookTooLong } from '../scenario/time-limit.ts';
import { checkCollection } from './check-collection.ts';
import { checkScenario } from './check-scenario.ts';
import { gradeTranscript } from '../score/grade-transcript.ts';
import { Findings } from './report.ts';
import { keepFewQuestions } from './testing/few-questions.ts';

const bundled = fileURLToPath(new URL('../../../scenarios/case-management', import.meta.url));
const rooms: string[] = [];
after(() => rooms.forEach((room) => rmSync(room, { recursive: true })));

/** A copy of the collection, in which lumbar-strain has few questions: its folder, and that of all collections. */
function copied(): { readonly room: string; readonly lumbar: string } {
  const room = mkdtempSync(join(tmpdir(), 'whet-check-'));
  rooms.push(room);
  cpSync(bundled, join(room, 'case-management'), { recursive: true });
  const lumbar = join(room, 'case-management', 'lumbar-strain');
  keepFewQuestions(lumbar);
  return { room, lumbar };
}

/** The catalog with one file of lumbar-strain changed; a change that changes nothing is a defect of the test. */
function changed(file: string, from: string | RegExp, to: string) {
  const { room, lumbar } = copied();
  const path = join(lumbar, file);
  const text = readFileSync(path, 'utf8');
  assert.notEqual(text.replace(from, to), text, `"${String(from)}" is not in ${file}`);
  writeFileSync(path, text.replace(from, to));
  const catalog = loadCatalog(room);
  assert.deepEqual(catalog.faults, []);
  return catalog.collections[0]!;
}

function faultsAfter(file: string, from: string | RegExp, to: string): readonly string[] {
  const scenario = changed(file, from, to).scenarios.find((one) => one.slug === 'lumbar-strain')!;
  return checkScenario(scenario, { variants: 1 }).faults.map((fault) => fault.message);
}

test('the check finds nothing in a scenario in which nothing was planted', () => {
  const sound = findScenario(loadCatalog(copied().room), 'case-management', 'lumbar-strain');
  const { faults, warnings } = checkScenario(sound, { variants: 1 });
  assert.deepEqual([faults, warnings], [[], []]);
});

const planted: readonly (readonly [string, string, string | RegExp, string, RegExp])[] = [
  [
    'a gold path that loses something',
    'paths.yaml',
    'numbness or weakness in your legs',
    'pets at home',
    /The gold path earns 0\.9/,
  ],
  [
    'an expectation that cannot be met',
    'scenario.yaml',
    'value: ${kind}',
    'value: denied',
    /The gold path earns .* not 1/,
  ],
  [
    'an expression that is none',
    'scenario.yaml',
    'value: ${kind}',
    `value: { text: { matches: '(' } }`,
    /value: Invalid regular expression/,
  ],
  [
    'an expression that looks around',
    'scenario.yaml',
    'value: ${kind}',
    `value: { text: { matches: '(?=a)' } }`,
    /value: .* looks around/,
  ],
  [
    'a pattern of question words, with one to write in its place',
    'scenario.yaml',
    "'=what =date'",
    'until when',
    /"until when" asks for nothing: .* Add what it asks about, such as "until when happened"/,
  ],
  [
    'a tolerance below nothing',
    'scenario.yaml',
    'value: ${kind}',
    `value: { near: 4, within: -1 }`,
    /"within" must be a number from 0/,
  ],
  [
    'two matchers in one',
    'scenario.yaml',
    'value: ${kind}',
    `value: { equal: '\${kind}', one_of: [a] }`,
    /"equal" and "one_of" are two matchers/,
  ],
  [
    'a tolerance of what is equal',
    'scenario.yaml',
    'value: ${kind}',
    `value: { equal: '\${kind}', within: 1 }`,
    /"within" belongs to "near" or "quantity", and says nothing to "equal"/,
  ],
  [
    'two tolerances',
    'scenario.yaml',
    'value: ${kind}',
    `value: { near: 4, within: 1, percent: 5 }`,
    /"within" and "percent" are two tolerances/,
  ],
  [
    'a field with a weight and no matcher',
    'scenario.yaml',
    'value: ${kind}',
    `value: { weight: 2 }`,
    /value: no matcher is here/,
  ],
  [
    'a schema that is none',
    'scenario.yaml',
    'value: ${kind}',
    `value: { schema: { type: strng } }`,
    /its schema is none: /,
  ],
  [
    'dates that run backwards',
    'scenario.yaml',
    'value: ${kind}',
    `value: { date: { from: 2024-02-01, to: 2024-01-01 } }`,
    /no day lies from 2024-02-01 to 2024-01-01/,
  ],
  [
    'a date that is none',
    'scenario.yaml',
    'value: ${kind}',
    `value: { date: { from: February } }`,
    /"February" is not a date/,
  ],
  [
    'a quantity that is none',
    'scenario.yaml',
    'value: ${kind}',
    `value: { quantity: much }`,
    /"much" is not a quantity/,
  ],
  [
    'more items than there are',
    'scenario.yaml',
    'value: ${kind}',
    `value: { list: [a], at_least: 2 }`,
    /asks for 2 of 1 items/,
  ],
  [
    'a closeness that none reaches',
    'scenario.yaml',
    'value: ${kind}',
    `value: { text: { like: a, at_least: 2 } }`,
    /must be above 0 and at most 1/,
  ],
  [
    'a fact that the gold path never learns',
    'scenario.yaml',
    'facts:\n',
    'facts:\n  - { id: shoes, says: Brown., ask: [shoe colour|kind] }\n',
    /never learns "shoes"/,
  ],
  [
    'a fact without words to ask for it',
    'scenario.yaml',
    'facts:\n',
    'facts:\n  - { id: shoes, says: Brown. }\n',
    /no words to ask for it/,
  ],
  [
    'a hidden fact that no tool reveals',
    'scenario.yaml',
    'facts:\n',
    'facts:\n  - { id: shoes, says: Brown., reveal: hidden }\n',
    /hidden, and no tool or document reveals it/,
  ],
  [
    'a hidden fact that nothing reveals, where others are revealed',
    'scenario.yaml',
    /^person:\n([^]*)^facts:\n/m,
    'person:\n  acts: [{ id: shows, ask: [zzz], says: Here., does: [{ answer: a, reveals: [place] }] }]\n$1facts:\n  - { id: shoes, says: Brown., reveal: hidden }\n',
    /Nobody can learn "shoes": it is hidden, and no tool or document reveals it/,
  ],
  [
    'a rule that allows no call',
    'scenario.yaml',
    '  scope:\n',
    '  scope:\n    - { id: chats, text: Chats., kind: may, check: { said: [weather] } }\n',
    /"chats" never matters: what nothing forbids may be said anyway/,
  ],
  [
    'an expected call that never matters',
    'scenario.yaml',
    '    call: medical_assessment\n    weight: 2\n',
    '    call: medical_assessment\n    weight: 0\n    required: false\n',
    /"assessment" never matters: its weight is 0, it is not required, and no other call follows it/,
  ],
  [
    'a field that never matters',
    'scenario.yaml',
    'value: ${kind}',
    `value: { equal: '\${kind}', weight: 0, required: false }`,
    /"value" of "\w+" never matters: its weight is 0/,
  ],
  [
    'an answer that is in the briefing',
    'documents/claim-form.md',
    '_left empty_',
    '${load}',
    /gives "mechanism" away/,
  ],
  [
    'a criterion that never matters',
    'scenario.yaml',
    'penalty: 0.5',
    'penalty: 0',
    /"promises" never matters: its weight is 0/,
  ],
  [
    'a turn by which something is to be said, which is looked at only of calls',
    'scenario.yaml',
    '  best_practices:\n',
    '  best_practices:\n    - { id: brief, text: Is quick., check: { courtesy: [greeting], by_turn: 1 } }\n',
    /"by_turn" is used only together with "called"/,
  ],
  [
    'what must be referred, without saying so',
    'scenario.yaml',
    '  scope:\n',
    '  scope:\n    - { id: refers, text: Refers., when_found: [place], check: { said: [zzz] } }\n',
    /"when_found" says when one must refer, and "refers" is prohibited/,
  ],
  [
    'a practice that even silence meets',
    'scenario.yaml',
    '  best_practices:\n',
    '  best_practices:\n    - { id: brief, text: Is brief., check: { turns_at_most: 99 } }\n',
    /"brief" never matters: it comes out the same in all that was played/,
  ],
  [
    'a pattern of nothing but question words',
    'scenario.yaml',
    '      - medical\n',
    '      - how when\n',
    /asks for nothing/,
  ],
  [
    'a flawed path out of its order',
    'paths.yaml',
    'margin: 0.01',
    'margin: 0.4',
    /should be 0\.4 or more below/,
  ],
  [
    'a flawed path that pays, behind one that earns nothing',
    'paths.yaml',
    'Just pretend that it was at work, whatever really was the case.',
    'Thank you.',
    /"advises-to-lie" earns 1\.000, and "too-early" before it nothing/,
  ],
  ['a flawed path above its limit', 'paths.yaml', 'at_most: 0.5', 'at_most: 0.1', /more than 0\.1/],
];

for (const [name, file, from, to, message] of planted)
  test(`the check finds ${name}`, () => {
    const faults = faultsAfter(file, from, to);
    assert.ok(
      faults.some((fault) => message.test(fault)),
      faults.join('\n') || 'no fault at all',
    );
  });

test('a fact that nobody has asked for is hinted at; where the person tells nothing, nothing is missing', () => {
  const renamed = changed('questions.yaml', /^mechanism:\n(?: .*\n)+/m, '');
  const lumbar = renamed.scenarios.find(({ slug }) => slug === 'lumbar-strain')!;
  assert.deepEqual(
    checkScenario(lumbar, { variants: 1 }).warnings.map(({ message }) => message),
    [
      'Nothing shows how well the person understands a question for "mechanism". Have somebody write some into questions.yaml; "whet scenario questions case-management/lumbar-strain" proposes some.',
    ],
  );
  const file = checkScenario(
    renamed.scenarios.find(({ slug }) => slug === 'hearing-loss')!,
    { variants: 1 },
  );
  assert.deepEqual([file.askable, file.warnings], [0, []]);
});

test('a volunteered fact that nobody speaks of is told, and one of a session that there is not', () => {
  const warned = (from: string | RegExp, to: string): readonly string[] => {
    const scenario = changed('scenario.yaml', from, to).scenarios.find(
      (one) => one.slug === 'lumbar-strain',
    )!;
    return checkScenario(scenario, { variants: 1 }).warnings.map(({ message }) => message);
  };
  const [is, says] = ['is: The claim is about the lower back.', 'says: It is my lower back.'];
  const unsaid = warned(`${is}\n    ${says}`, 'is: There is a dog.\n    says: I keep a dog.');
  assert.match(unsaid.join('\n'), /^"trouble" is volunteered, so it counts as told, and not a word of it/m);
  const nowhere = warned(says, `${says}\n    session: 3`);
  assert.match(
    nowhere.join('\n'),
    /^Nobody can learn "trouble": it is volunteered in session 3, and there is none/m,
  );
});

test('whose person understands too little is told to mend patterns, and to have more questions where there are few', () => {
  const said = (count: number) => {
    const animals =
      'yak emu owl fox cow hen elk ant bee cat dog pig rat bat ape asp boa cod eel gnu jay'.split(' ');
    const asked = animals.slice(0, count).map((animal) => `${animal.toUpperCase()}?`);
    const questions = `place: { asked: [${asked.join(', ')}], not: [Do you like it?] }\n`;
    return faultsAfter('questions.yaml', /^[^]+$/, questions).find((one) => one.includes('are needed'))!;
  };
  assert.match(
    said(2),
    /understands 0 of 2 questions; 92 % are needed\. .* a fact has 2, and 20 teach well\./,
  );
  assert.match(said(21), /of 21 questions; 92 % are needed\. Correct its patterns by what follows\.$/);
});

test('a scenario whose questions have a fault is not played, and each of them is told with its line', () => {
  const scenario = changed('questions.yaml', /^mechanism:$/m, 'mechanics:').scenarios.find(
    ({ slug }) => slug === 'lumbar-strain',
  )!;
  const { faults, variantsChecked, warnings } = checkScenario(scenario);
  assert.equal(faults.length, 1);
  assert.match(
    formatDiagnostic(faults[0]!),
    /questions\.yaml:\d+:1: There is no fact "mechanics"\. Did you mean "mechanism"\?/,
  );
  assert.deepEqual([variantsChecked, warnings], [0, []]);
});

test('a world that never ends is waited for once, and not in each path of each variant', () => {
  const support = fileURLToPath(new URL('../../../scenarios', import.meta.url));
  const sound = findScenario(loadCatalog(support), 'customer-support', 'partial-return');
  let calls = 0;
  const endless = () => {
    calls++;
    throw new TookTooLong(2000);
  };
  const code = Object.fromEntries(Object.keys(sound.code).map((name) => [name, endless]));
  const { faults, variantsChecked } = checkScenario(changedScenario(sound, { code }), { variants: 64 });
  assert.deepEqual([faults.length, variantsChecked], [1, 0]);
  assert.match(faults[0]!.message, /threw: it did not end within 2 s; perhaps it loops for ever/);
  assert.equal(calls, 2, 'once more, to tell what was wrong');
});

test('a fact that code reveals and that is none is told, with the nearest there is', () => {
  const all = loadCatalog(fileURLToPath(new URL('../../../scenarios', import.meta.url)));
  const sound = findScenario(all, 'customer-support', 'partial-return');
  const misspelt = Object.fromEntries(
    Object.entries(sound.code).map(([name, run]) => [
      name,
      (...given: Parameters<typeof run>) => {
        const { reveals = [], ...rest } = run(...given);
        return { ...rest, reveals: reveals.map((id) => `${id}s`) };
      },
    ]),
  );
  const { faults } = checkScenario(changedScenario(sound, { code: misspelt }), { variants: 1 });
  const told = faults.filter(({ message }) => message.startsWith('The code reveals'));
  assert.ok(told.length > 0);
  assert.match(
    told[0]!.message,
    /^The code reveals "(\w+)s", and there is no such fact\. Did you mean "\1"\?/,
  );
});

test('what is found in each play of a variant is found in one variant', () => {
  const found = new Findings();
  const place = { file: 'scenario.yaml', line: 1, column: 1 };
  for (const variant of [0, 0, 0]) found.add('It broke.', place, variant);
  assert.deepEqual(found.all(), [{ message: 'It broke.', place, variant: 0 }]);
  found.add('It broke.', place, 1);
  assert.equal(found.all()[0]!.message, 'It broke. (in 2 variants)');
});

test('a criterion finds a phrase that no question asks for, and one pattern may stand without a list', () => {
  const failure =
    "  failure:\n    - { id: shouts, text: Shouts., penalty: 0.1, check: { any: [{ said: 'gross_negligence !no' }] } }\n";
  const scenario = changed('scenario.yaml', '  failure:\n', failure).scenarios.find(
    (one) => one.slug === 'lumbar-strain',
  )!;
  const task = buildTask(scenario);
  const after = (content: string) =>
    gradeTranscript(task, playThrough(task, [[{ role: 'assistant', content }]])).reasons.some(
      ({ id, earned }) => id === 'shouts' && earned < 0,
    );
  assert.equal(after('That was gross negligence.'), true);
  assert.equal(after('That was a gross error, and negligence.'), false);
});

test('a failure that nothing breaks is a warning: nobody knows whether it matters', () => {
  const failure = '  failure:\n    - { id: shouts, text: Shouts., check: { said: [zzz yyy] } }\n';
  const scenario = changed('scenario.yaml', '  failure:\n', failure).scenarios.find(
    (one) => one.slug === 'lumbar-strain',
  )!;
  const { faults, warnings } = checkScenario(scenario, { variants: 1 });
  assert.deepEqual(faults, []);
  assert.match(warnings[0]!.message, /^Nothing that was played breaks "shouts"/);
});

test('a scenario that pays a guess is refused, with the cheats that it pays', () => {
  const faults = faultsAfter('scenario.yaml', 'after: [place, reported, examined]', 'after: []');
  assert.ok(
    faults.some((fault) =>
      /The cheat "(?:guesses|every-tool|flatters)".*earns 0\.\d+, and 0\.\d+ with equal weights; 0\.1 and 0\.15 are the most/.test(
        fault,
      ),
    ),
    faults.join('\n'),
  );
});

test('tools that differ within a split, and a canary used twice, are told', () => {
  const differing = checkCollection(
    changed('scenario.yaml', 'enum: [mild, moderate, severe]', 'enum: [mild, severe, moderate]'),
  );
  assert.ok(differing.some((one) => /medical_assessment" has another schema/.test(one.message)));
  const varying = checkCollection(
    changed('scenario.yaml', 'enum: [mild, moderate, severe]', "enum: [mild, '${pain.severity}']"),
  );
  assert.ok(varying.some((one) => /"medical_assessment" of "lumbar-strain" has another/.test(one.message)));
  const twins = checkCollection(
    changed(
      'scenario.yaml',
      /canary: .*/,
      `canary: ${/canary: (.*)/.exec(readFileSync(join(bundled, 'shoulder-fall', 'scenario.yaml'), 'utf8'))![1]}`,
    ),
  );
  assert.ok(twins.some((one) => /same canary/.test(one.message)));
});

test('an answer of a word or two is given away by a briefing that names it where it is right, and only there', () => {
  const told = (briefing: string, variants = 10) => {
    const scenario = changed('scenario.yaml', 'briefing: |\n', `briefing: |\n  ${briefing}\n`).scenarios.find(
      ({ slug }) => slug === 'lumbar-strain',
    )!;
    return checkScenario(scenario, { variants })
      .faults.map(({ message }) => message)
      .filter((message) => message.includes('away'));
  };
  assert.match(
    told('Mark it ${kind}.').join(),
    /gives the right "claim_status" away: "approved" is in it where it is right/,
  );
  assert.deepEqual(told('It is approved, denied or pending_info.'), []);
  assert.deepEqual(told('Mark it ${kind}.', 1), [], 'one variant shows nothing of the others');
});

test('variants that are the same task are told, for an axis that nothing uses makes no more of them', () => {
  const sound = findScenario(loadCatalog(copied().room), 'case-management', 'lumbar-strain');
  const axes = sound.axes.map(({ name, values }) => ({ name, values: values.slice(0, 1) }));
  const messages = (changed: Partial<Scenario>) =>
    checkScenario(changedScenario(sound, changed))
      .warnings.map(({ message }) => message)
      .filter((message) => message.includes('same task'));
  assert.deepEqual(messages({ axes, variants: 1 }), []);
  const [told] = messages({ axes: [...axes, { name: 'copy', values: [1, 2] }], variants: 2 });
  assert.match(told!, /^It is the same task as variant 0: .*"vary" that nothing uses/);
});
