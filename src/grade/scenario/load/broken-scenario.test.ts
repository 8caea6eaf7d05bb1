import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';

import { formatDiagnostic } from '../diagnostic.ts';
import { readScenario } from './read-scenario.ts';

const room = mkdtempSync(join(tmpdir(), 'whet-broken-'));
after(() => rmSync(room, { recursive: true }));

const scenario = `name: Heating
version: '1.0'
description: A tenant reports a broken heating.
shape: conversation
canary: canary-1
vary:
  case:
    - { cold: 19, priority: normal }
    - { cold: 12, priority: high }
  who: [{ name: Ada, manner: plain }, { name: Sam, manner: curt }]
briefing: Find out how cold it is at the flat of \${who.name}, and set the priority.
documents:
  - { file: rules.md, for: operator }
limits: { turns: 12 }
ends: [priority]
tools:
  - id: report
    type: artifact
    json_schema:
      type: object
      properties: { part: { enum: [heating, water] }, temperature: { type: number } }
      required: [part]
  - { id: priority, type: decision, options: [normal, high] }
person: { name: '\${who.name}', manner: '\${who.manner}', opens: It is cold. }
facts:
  - id: cold
    says: It is \${case.cold} degrees.
    reveal: direct_question
    weight: 2
    ask: [how cold, temperature]
  - { id: tried, says: Nothing., ask: [what try] }
expect:
  - { id: report, call: report, after: [cold], input: { part: heating } }
  - { id: priority, call: priority, input: { value: '\${case.priority}' } }
criteria:
  failure:
    - { id: blames, text: Blames., penalty: 0.2, check: { said: [your =own =fault] } }
`;
const paths = `gold:
  - say: How cold is it?
    calls:
      - { name: report, input: { part: heating } }
  - calls:
      - { name: priority, input: { value: '\${case.priority}' } }
flawed:
  - { id: early, kind: too_early, turns: [{ gold: 2 }] }
`;
const files: Readonly<Record<string, string>> = {
  'scenario.yaml': scenario,
  'paths.yaml': paths,
  'rules.md': 'The rules.\nFor ${who.name}.\n',
};

let made = 0;

/** The faults of the scenario with these files in place of its own, each as `file:line: message`. */
function faultsWith(changes: Readonly<Record<string, string | Buffer>>): readonly string[] {
  const folder = join(room, String(made++));
  for (const [file, text] of Object.entries({ ...files, ...changes })) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  const read = readScenario(folder, { collection: 'c', scenario: 's' });
  assert.equal(read.scenario === undefined, read.faults.length > 0);
  return read.faults.map((fault) =>
    formatDiagnostic(fault)
      .replaceAll(`${folder}/`, '')
      .replace(/^(\S+:\d+):\d+:/, '$1:'),
  );
}

/** What is changed in a file, into what, and what is said of it first. */
type Slip = readonly [from: string, to: string, said: string];

function eachIsTold(file: string, slips: readonly Slip[]): void {
  for (const [from, to, said] of slips) {
    assert.ok(files[file]!.includes(from), from);
    const [first = 'nothing'] = faultsWith({ [file]: files[file]!.replace(from, () => to) });
    assert.ok(first.startsWith(`${file}:${said}`), `${to}\n  is told: ${first}\n  and not: ${file}:${said}`);
  }
}

test('the scenario itself is sound', () => assert.deepEqual(faultsWith({}), []));

test('slips of the pen come with what was meant', () => {
  eachIsTold('scenario.yaml', [
    ['briefing: F', 'breifing: F', '1: briefing: expected a string, nothing is there'],
    [
      'opens: It is cold.',
      'lines: { notUnderstod: What? }',
      '24: "notUnderstod" is not known here. Did you mean "notUnderstood"?',
    ],
    ['    says: It', '    say: It', '27: "say" is not known here. Did you mean "says"?'],
    ['{ part: heating } }', '{ part: { naer: 1 } } }', '33: "naer" is not known here. Did you mean "near"?'],
    [
      'canary: canary-1',
      'canary: c\nconstructor: 1',
      '6: "constructor" is not known here. Known: name, version',
    ],
    ['    says: It', '    <<: { id: x }\n    says: It', '27: YAML that is merged in is not read'],
    [
      'reveal: direct_question',
      'reveal: direct_qestion',
      '28: facts[0].reveal: expected one of "volunteered"',
    ],
    ['shape: conversation', 'shape: converstaion', '4: shape: expected one of "decision"'],
    ['type: artifact', 'type: artefact', '18: tools[0].type: expected one of'],
    [
      "manner: '${who.manner}'",
      'manner: anxous',
      '24: person.manner: expected one of "plain", "curt", "chatty", "anxious", got "anxous". Did you mean "anxious"?',
    ],
    ['after: [cold]', 'after: [clod]', '33: There is no fact "clod". Did you mean "cold"?'],
    ['call: report', 'call: reprot', '33: There is no tool "reprot". Did you mean "report"?'],
    ['ends: [priority]', 'ends: [prioriti]', '15: There is no tool "prioriti". Did you mean'],
    [
      'part: heating } }',
      'prat: heating } }',
      '33: "report" has no field "prat", so no model can know of it. Did you mean "part"?',
    ],
    [
      'part: heating } }',
      'part: heatng } }',
      '33: "heatng" is nothing that "report" lets one choose. Did you mean "heating"? It takes heating, water.',
    ],
    [
      'priority: high }',
      'priority: hihg }',
      '34: "hihg" is nothing that "priority" lets one choose. Did you mean "high"?',
    ],
    [
      'required: [part]',
      'required: [prat]',
      '22: It requires "prat", which is none of its properties. Did you mean "part"?',
    ],
    [
      'type: number',
      'type: nmber',
      '21: This is not a JSON Schema: "type" must be a type name or a list of them. Did you mean "number"?',
    ],
    [
      'type: number',
      'pattern: "(["',
      '21: This is not a JSON Schema: "pattern" must be a regular expression',
    ],
    ['type: number', "$ref: '#/no'", '21: This is not a JSON Schema: there is nothing at that place'],
  ]);
});

test('a value of the wrong kind comes with how it is written', () => {
  eachIsTold('scenario.yaml', [
    ["version: '1.0'", 'version: 1.0', '2: version: expected a string, got 1. Put it in quotes.'],
    [
      'options: [normal, high]',
      'options: [true, false]',
      '23: tools[1].options[0]: expected a string, got true. Put it in quotes.',
    ],
    ['says: It is ${case.cold} degrees.', 'says:', '27: facts[0].says: expected a string, got null'],
    [
      'turns: 12',
      "turns: '12'",
      '14: limits.turns: expected an integer ≥ 1 and ≤ 50, got "12". Take the quotes away.',
    ],
    ['turns: 12', 'turns: 1000', '14: limits.turns: expected an integer ≥ 1 and ≤ 50, got 1000'],
    ['weight: 2', 'weight: high', '29: facts[0].weight: expected a number ≥ 0, got "high"'],
    [
      'weight: 2',
      'weight: ${case.priority}',
      '29: "weight" must be a number ≥ 0, and ${case.priority} is "normal" in value 1 of "case".',
    ],
    [
      'check: { said: [your =own =fault] }',
      "check: { found: '${case.priority}' }",
      '37: "found" must be a list of texts, and ${case.priority} is "normal" in value 1 of "case".',
    ],
    [
      'check: { said: [your =own =fault] }',
      "check: { wrote: '${case.cold}' }",
      '37: "wrote" must be a text, and ${case.cold} is 19 in value 1 of "case".',
    ],
    [
      'tools:\n',
      "tools:\n  - { id: look, type: function, json_schema: {}, steps: [{ read: '${case.cold}' }] }\n",
      '17: "read" must be a text, and ${case.cold} is 19 in value 1 of "case".',
    ],
    [
      'options: [normal, high]',
      "options: '${case.priority}'",
      '23: "options" must be a list of texts, and ${case.priority} is "normal" in value 1 of "case".',
    ],
    [
      'limits: { turns: 12 }',
      'credit: { discovery: -4 }',
      '14: credit.discovery: expected a number ≥ 0, got -4',
    ],
    ['weight: 2', 'weight: -2', '29: facts[0].weight: expected a number ≥ 0, got -2'],
    [
      'ends: [priority]',
      'ends: priority',
      '15: ends: expected a list, got "priority". Write it in brackets: [priority].',
    ],
    [
      'after: [cold]',
      'after: cold',
      '33: expect[0].after: expected a list, got "cold". Write it in brackets',
    ],
    ['  - id: cold\n    says', '    id: cold\n    says', '31: This is not YAML'],
    [
      'limits: { turns: 12 }',
      'limits: [turns]',
      '14: limits: expected an object, got ["turns"]. Write its members by their names',
    ],
    ['  failure:\n    - {', '  failure:\n    {', '36: criteria.failure: expected a list, got'],
    [
      'id: tried',
      'id: what tried',
      '31: facts[1].id: expected a name of letters, digits, _ and -, got "what tried"',
    ],
    ['canary: canary-1', "canary: ''", '5: canary: expected a string of at least 1 character'],
    ["value: '${case.priority}'", 'value: true', '34: true is nothing that "priority" lets one choose'],
  ]);
});

test('variables and what varies', () => {
  eachIsTold('scenario.yaml', [
    [
      "name: '${who.name}'",
      "name: '${who.nam}'",
      '24: ${who.nam} is bound to nothing: no value of "who" has "nam". Did you mean ${who.name}?',
    ],
    [
      "name: '${who.name}'",
      "name: '${wo.name}'",
      '24: ${wo.name} is bound to nothing: "vary" has no "wo". Did you mean "who"?',
    ],
    [
      "name: '${who.name}'",
      "name: '${ who.name }'",
      '24: ${ who.name } is not a variable. Write ${axis.field}, without spaces.',
    ],
    ["name: '${who.name}'", "name: 'x${who.name'", '24: A "${" is here without its name and its "}"'],
    [
      'opens: It is cold.',
      "opens: 'It is {case.cold} cold.'",
      '24: {case.cold} is read out literally. A variable has a $ before it: ${case.cold}.',
    ],
    [
      '{ name: Sam, manner: curt }',
      'Sam',
      '11: ${who.name} is bound to nothing in value 2 of "who": that is "Sam", without members.',
    ],
    ['  who:', '  a b: [1]\n  who:', '10: No text can name the axis "a b"'],
    [
      '  who:',
      '  n: { from: 5, to: 1 }\n  who:',
      '10: From 5 to 1 there is no value. Write the smaller number first.',
    ],
    ['  who:', '  n: { from: 1, to: 9, step: 0 }\n  who:', '10: vary.n.step: expected a number > 0, got 0'],
    [
      '  who:',
      '  n: { from: 1, to: 1e9 }\n  who:',
      '10: From 1 to 1000000000 there are 1000000000 values; 1000 are the most.',
    ],
    [
      '  who:',
      `${[1, 2, 3, 4, 5, 6].map((axis) => `  n${axis}: { from: 1, to: 1000 }\n`).join('')}  who:`,
      '15: There are more variants than can be counted. Take this axis away',
    ],
    ['  who:', '  n: []\n  who:', '10: vary.n: expected a list of at least 1 item'],
    [
      '  who:',
      '  n: one\n  who:',
      '10: vary.n: expected a list of at least 1 item or an object, got "one". Write it in brackets: [one].',
    ],
  ]);
  eachIsTold('paths.yaml', [
    [
      'How cold',
      '${wh.name}, how cold',
      '2: ${wh.name} is bound to nothing: "vary" has no "wh". Did you mean "who"?',
    ],
  ]);
  eachIsTold('rules.md', [['${who.name}', '${who.nam}', '2: ${who.nam} is bound to nothing']]);
});

test('what a tool would never do', () => {
  const look = `tools:
  - id: look
    type: function
    json_schema: { type: object, properties: { flat: { type: string } } }
    steps:
      - if: { 'flats.{flt}?': false }
        error: There is no {flat}.
`;
  eachIsTold('scenario.yaml', [
    [
      'tools:\n',
      look,
      '21: {flt} means a field of the input, but "look" has none of that name. Did you mean {flat}?',
    ],
    [
      'tools:\n',
      'faults: [{ tool: report, error: 503 Busy. }]\ntools:\n',
      '16: "report" is not a function, and only those can fail: what a model writes or decides is received.',
    ],
  ]);
  const sound = scenario.replace('tools:\n', look.replace('{flt}', '{flat}'));
  assert.deepEqual(faultsWith({ 'scenario.yaml': sound }), []);
});

test('a variable gives no penalty below 0, in any of its values', () => {
  const varied = scenario.replace('cold: 12', 'cold: -12').replace('penalty: 0.2', "penalty: '${case.cold}'");
  const [fault] = faultsWith({ 'scenario.yaml': varied });
  assert.match(
    fault ?? '',
    /: "penalty" must be a number ≥ 0, and \$\{case\.cold\} is -12 in value 2 of "case"\.$/,
  );
});

test('what stands twice, waits for itself, or is missing', () => {
  eachIsTold('scenario.yaml', [
    ['id: tried', 'id: cold', '31: "cold" is here twice. Give each its own id, or each a "when".'],
    [
      '  failure:',
      '  best_practices: [{ id: blames, text: T., check: { said: [a] } }]\n  failure:',
      '38: "blames" is here twice',
    ],
    [
      '  - { file: rules.md, for: operator }',
      '  - { file: rules.md, for: operator }\n  - { file: rules.md, for: both }',
      '14: "rules.md" is here twice. Give each its own file',
    ],
    ["version: '1.0'", "version: '1.0'\nversion: '2'", '3: "version" is here twice. Keep one of them.'],
    ['id: tried,', 'id: tried, after: [tried],', '31: These facts wait for each other: tried → tried'],
    [
      'file: rules.md',
      'file: ../rules.md',
      '13: The document "../rules.md" lies outside the scenario\'s folder',
    ],
    [
      'file: rules.md',
      'file: /etc/passwd',
      '13: The document "/etc/passwd" lies outside the scenario\'s folder',
    ],
    ['shape: conversation', 'shape: journey', '4: A journey has "sessions"'],
  ]);
  eachIsTold('paths.yaml', [
    [
      'name: report',
      'name: reprot',
      '4: There is no tool "reprot". Did you mean "report"? Known: report, priority.',
    ],
    ['gold: 2', 'gold: 2-9', '8: The gold path has turns 1 to 2, and no 9.'],
    ['gold: 2', 'gold: 2-1', '8: 2-1 runs backwards. Write 1-2.'],
    [
      'flawed:',
      'flawed:\n  - { id: early, kind: other, turns: [] }',
      '9: "early" is here twice. Give each its own id.',
    ],
    ['kind: too_early', 'kind: to_early', '8: flawed[0].kind: expected one of'],
    ['gold:\n', 'glod:\n', '1: gold: expected a list, nothing is there'],
  ]);
});

test('files that are not text of a person', () => {
  const levels = ['a: &a [1, 1, 1, 1, 1]'];
  for (const [at, name] of [...'bcdefghi'].entries())
    levels.push(`${name}: &${name} [${Array(5).fill(`*${'abcdefgh'[at]}`).join(', ')}]`);
  const bomb = `${scenario}world:\n${levels.map((line) => `  ${line}\n`).join('')}`;
  const latin = (text: string) => Buffer.from(text, 'latin1');
  const long = `${scenario}# ${'x'.repeat(4_000_000)}`;
  const written: readonly (readonly [file: string, text: string | Buffer, said: RegExp])[] = [
    ['scenario.yaml', '', /^scenario\.yaml:1: The file is empty/],
    ['scenario.yaml', long, /It has 4\.0 million characters, and a file of a scenario at most 4/],
    ['scenario.yaml', latin(scenario.replace('Ada', 'Adé')), /^scenario\.yaml:10: This line is not UTF-8/],
    ['scenario.yaml', bomb, /^scenario\.yaml:\d+: .*alias/],
    ['rules.md', latin('One.\nTwé.'), /^rules\.md:2: This line is not UTF-8/],
  ];
  for (const [file, text, said] of written) assert.match(faultsWith({ [file]: text })[0]!, said);
});
