import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';

import { findScenario, loadCatalog, readAhead } from '../scenario/load/catalog.ts';
import type { Diagnostic } from '../scenario/diagnostic.ts';
import { formatDiagnostic } from '../scenario/diagnostic.ts';
import { playTurn, startPlay } from './play.ts';
import { buildTask } from '../scenario/build-task.ts';
import { runFunction } from './world.ts';

const rooms: string[] = [];
after(() => rooms.forEach((room) => rmSync(room, { recursive: true })));

const head = `name: A case
version: '1'
description: A case.
canary: canary-1
briefing: Decide.
`;
const tools = `tools:
  - { id: verdict, type: decision, options: [yes, no] }
`;
const expect = `expect:
  - { call: verdict, input: { value: yes } }
`;

/** A catalog of one collection `c`, with the scenario that is written, and one that is sound. */
function catalogOf(files: Readonly<Record<string, string>>) {
  // Blanks and brackets: the stack of an error writes them otherwise.
  const room = mkdtempSync(join(tmpdir(), 'whet scenarios (1) '));
  rooms.push(room);
  const all: Readonly<Record<string, string>> = { 'sound/scenario.yaml': head + tools + expect, ...files };
  for (const [file, text] of Object.entries(all)) {
    const path = join(room, 'c', file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  writeFileSync(join(room, 'c', 'collection.yaml'), 'name: C\ndescription: Cases.\n');
  return loadCatalog(room);
}

/** The one fault of a scenario written so, as `line: message`; its sound neighbour stays playable. */
function faultOf(text: string, more: Readonly<Record<string, string>> = {}): string {
  const catalog = catalogOf({ 'broken/scenario.yaml': text, ...more });
  assert.deepEqual(
    catalog.collections[0]?.scenarios.map((scenario) => scenario.slug),
    ['sound'],
  );
  assert.equal(catalog.faults.length, 1, catalog.faults.map((fault) => fault.message).join('\n'));
  const [fault] = catalog.faults;
  return `${fault!.place.file.split('/').at(-1)}:${fault!.place.line}: ${fault!.message}`;
}

test('a sound scenario has no faults', () => {
  assert.deepEqual(catalogOf({}).faults, []);
});

test('a tab in the indentation is told as such, with its line', () => {
  assert.match(
    faultOf(`${head}tools:\n\t- { id: verdict }\n${expect}`),
    /^scenario\.yaml:7: A tab is in the indentation/,
  );
});

test('a document that is not there is named with the line that asks for it', () => {
  const documents = 'documents:\n  - { file: rules.md, for: operator }\n';
  assert.match(
    faultOf(head + documents + tools + expect),
    /^scenario\.yaml:7: The document "rules\.md" is not there\. Write it at /,
  );
});

test('a document outside the folder is refused', () => {
  const documents = 'documents:\n  - { file: ../sound/scenario.yaml, for: operator }\n';
  assert.match(faultOf(head + documents + tools + expect), /lies outside the scenario's folder/);
});

test('an unknown fact in "after" is named, with the nearest one', () => {
  const facts = 'facts:\n  - { id: address, says: Elm Street., ask: [where live] }\n';
  assert.match(
    faultOf(`${head}${facts}${tools}expect:\n  - call: verdict\n    after: [adress]\n`),
    /^scenario\.yaml:12: There is no fact "adress"\. Did you mean "address"\?/,
  );
});

test('an expectation on a tool that the scenario does not have is named', () => {
  assert.match(
    faultOf(`${head}${tools}expect:\n  - { call: verdikt }\n`),
    /^scenario\.yaml:9: There is no tool "verdikt"\. Did you mean "verdict"\?/,
  );
});

test('expected calls that wait for each other are shown as a circle', () => {
  const cyclic =
    'expect:\n  - { id: a, call: verdict, follows: [b] }\n  - { id: b, call: verdict, follows: [a] }\n';
  assert.match(
    faultOf(head + tools + cyclic),
    /^scenario\.yaml:9: These expected calls wait for each other: a → b → a/,
  );
});

test('a slip in a member name comes with the nearest one', () => {
  assert.match(
    faultOf(`${head}breifing: x\n${tools}${expect}`),
    /^scenario\.yaml:6: "breifing" is not known here\. Did you mean "briefing"\?/,
  );
});

test('a variable that nothing binds is named, also when only one value lacks it', () => {
  const vary = 'vary:\n  who:\n    - { name: Ann }\n    - { nam: Bob }\n';
  assert.match(
    faultOf(`${head}${vary}${tools}${expect}person: { name: '\${who.name}' }\n`),
    /bound to nothing in value 2 of "who"\. It has "nam"; is "name" meant\?/,
  );
  assert.match(
    faultOf(`${head}${vary}${tools}${expect}person: { name: 'Ms \${who.nme}' }\n`),
    /\$\{who\.nme\} is bound to nothing: no value of "who" has "nme"\. Did you mean \$\{who\.name\}\?/,
  );
  assert.match(faultOf(`${head}${tools}${expect}person: { name: '\${who}' }\n`), /"vary" has no "who"/);
});

test('a variable in a value of "vary", or before what it names, is not filled and told of', () => {
  const vary = "vary:\n  who: [Ann]\n  line: ['It is ${who}.']\n";
  assert.match(
    faultOf(`${head}${vary}${tools}${expect}`),
    /\$\{who\} is not filled in inside a value of "vary".*Put it into "derive"/,
  );
  const derive = "vary: { a: [1, 2] }\nderive:\n  b: [{ is: 'as ${c}' }]\n  c: [{ is: '${a}' }]\n";
  assert.match(faultOf(`${head}${derive}${tools}${expect}`), /"b" follows from "c", which is not before/);
});

test('a "when" that no variant can meet is told, with what there is', () => {
  const vary = 'vary:\n  case:\n    - { kind: open }\n    - { kind: closed, late: yes }\n';
  const when = (written: string) =>
    faultOf(`${head}${vary}${tools}${expect}  - { call: verdict, when: { ${written} } }\n`);
  assert.match(
    when('cas.kind: open'),
    /^scenario\.yaml:14: "when" asks for cas\.kind: .*Did you mean "case"\?/,
  );
  assert.match(
    when('case.kind: opne'),
    /"when" asks for case\.kind: "opne", which no variant has\. It is one of "open", "closed"\./,
  );
  assert.match(when('case.kind: [open, shut]'), /"shut", which no variant has/);
});

test('a range of tenths has tenths, in texts too', () => {
  const vary = 'vary:\n  dose: { from: 0.1, to: 0.5, step: 0.1 }\n';
  const name = "person: { name: 'Ann, ${dose}' }\n";
  const catalog = catalogOf({ 'a/scenario.yaml': head + vary + tools + expect + name });
  const scenario = findScenario(catalog, 'c', 'a');
  assert.deepEqual(scenario.axes[0]?.values, [0.1, 0.2, 0.3, 0.4, 0.5]);
  const names = Array.from({ length: 5 }, (_, variant) => buildTask(scenario, variant).person.name);
  assert.ok(names.includes('Ann, 0.3'), names.join('; '));
});

test('a field may be called "when": in the world, a schema, an input', () => {
  const vary = 'vary:\n  case:\n    - { kind: open }\n    - { kind: closed }\n';
  const book = `tools:
  - id: book
    type: artifact
    json_schema: { type: object, properties: { when: { type: string }, where: { type: string } } }
`;
  const calls = `expect:
  - { call: book, input: { when: { one_of: [monday] }, where: here } }
world:
  visits:
    - { when: monday, open: 1 }
    - { name: late, when: { case.kind: closed } }
`;
  const paths = 'gold: [{ calls: [{ name: book, input: { when: { day: monday } } }] }]\n';
  const catalog = catalogOf({ 'a/scenario.yaml': head + vary + book + calls, 'a/paths.yaml': paths });
  assert.deepEqual(catalog.faults, []);
  const task = buildTask(findScenario(catalog, 'c', 'a'), 0);
  assert.deepEqual(task.tools[0]?.json_schema, {
    type: 'object',
    properties: { when: { type: 'string' }, where: { type: 'string' } },
  });
  assert.deepEqual(task.expected[0]?.input, { when: { one_of: ['monday'] }, where: 'here' });
  assert.deepEqual(task.world, { visits: [{ when: 'monday', open: 1 }] });
  assert.deepEqual(task.gold[0]?.calls?.[0]?.input, { when: { day: 'monday' } });
});

test('names are looked up where the format says so, and not in data of the scenario', () => {
  const data = `world: { found: [a lamp], tool: hammer, reveals: [nothing] }
criteria:
  success:
    - { id: done, text: Done., check: { world: { found: [a lamp], called: nobody } } }
`;
  const own = `  - id: look
    type: function
    json_schema: { type: object, properties: { after: { enum: [noon] } } }
    steps:
      - { if: { tool: hammer }, set: { found: [a key] }, answer: { missed: [all] } }
`;
  const expected = `expect:
  - call: verdict
    input: { value: yes, found: [a lamp], after: [noon], kind: { equal: { called: nobody } } }
`;
  assert.deepEqual(catalogOf({ 'data/scenario.yaml': head + data + tools + own + expected }).faults, []);
  assert.match(
    faultOf(head + tools + expected.replace('equal:', 'after: [noon], equal:')),
    /There is no fact "noon"/,
  );
  assert.match(
    faultOf(`${head}world: { '\${who}': 1 }\n${tools}${expect}`),
    /\$\{who\} is bound to nothing: "vary" has no "who"/,
  );
});

test('a world whose code does not load is told with its own line', () => {
  const world = {
    'broken/world.ts': 'const a = 1;\nthrow new Error(`no luck ${a}`);\nexport const tools = {};\n',
  };
  assert.match(
    faultOf(`${head}code: world.ts\n${tools}${expect}`, world),
    /^world\.ts:2: The world "world\.ts" cannot be loaded: no luck 1\. What is outside of its functions/,
  );
});

test('a tool of a world that is not a plain function is told with its line', () => {
  assert.match(
    faultOf(`${head}code: world.ts\n${tools}${expect}`, {
      'broken/world.ts':
        '// The cat looks.\nexport const tools = {\n  look: async () => ({ output: 1 }),\n};\n',
    }),
    /^world\.ts:3: .*its tool "look" is async/,
  );
});

test("a world tool that throws ends the play as the scenario's fault, with file and line", () => {
  const catalog = catalogOf({
    'coded/scenario.yaml': `${head}code: world.ts\n${tools}  - { id: look, type: function, json_schema: { type: object } }\n${expect}`,
    'coded/world.ts': 'export const tools = {\n  look: () => {\n    throw new Error("lost");\n  },\n};\n',
  });
  const task = buildTask(findScenario(catalog, 'c', 'coded'));
  assert.throws(() => runFunction(task, { call: { name: 'look', input: {} }, world: {}, earlier: [] }), {
    code: 'world_threw',
    message: / \(at \/.*\/whet scenarios \(1\) \w+\/c\/coded\/world\.ts:3:\d+\)\.$/,
  });
  const played = playTurn(task, startPlay(task).state, [
    { role: 'assistant', content: '', toolCalls: [{ name: 'look', input: {} }] },
  ]);
  assert.equal(played.ended, 'error');
  assert.deepEqual(played.outcomes, [
    {
      name: 'look',
      output: '"look" failed by a fault of the scenario, not of the call. The episode ends here.',
      isError: true,
      injected: true,
    },
  ]);
  assert.match(played.fault!.message, /"look" threw: lost \(at .*world\.ts:3:\d+\)/);
});

test('unknown names and numbers are refused with what there is', () => {
  const catalog = catalogOf({ 'broken/scenario.yaml': head + expect });
  assert.throws(() => findScenario(catalog, 'd', 'sound'), {
    code: 'scenario_unknown',
    message: /There is no collection "d".*Known: c/,
  });
  assert.throws(() => findScenario(catalog, 'c', 'sond'), {
    code: 'scenario_unknown',
    message: /Did you mean "sound"\?/,
  });
  assert.throws(() => findScenario(catalog, 'c', 'broken'), {
    code: 'scenario_invalid',
    message: /scenario\.yaml:1:1: tools: expected a list/,
  });
  const scenario = findScenario(catalog, 'c', 'sound');
  assert.throws(() => buildTask(scenario, 1), {
    code: 'variant_unknown',
    message: /it has 1, counted from 0/,
  });
});

test('a catalog of nothing says so, to whoever asks it for a scenario', () => {
  assert.throws(() => findScenario(loadCatalog('nowhere'), 'c', 's'), {
    code: 'scenario_unknown',
    message: /no collection "c": the catalog is empty\. Is it made from a folder of collections\?/,
  });
});

test('a play that has ended takes no more turns', () => {
  const task = buildTask(findScenario(catalogOf({}), 'c', 'sound'));
  const { state } = startPlay(task);
  assert.throws(() => playTurn(task, { ...state, ended: 'completed' }, []), { code: 'play_ended' });
});

test('a scenario is read when it is first asked for, and stays as it was then', () => {
  const catalog = catalogOf({ 'late/scenario.yaml': 'not: yet' });
  const file = join(catalog.directory, 'c/late/scenario.yaml');
  assert.deepEqual(catalog.collections[0]?.slugs, ['late', 'sound']);
  writeFileSync(file, head.replace('Decide', 'Decide “well”…') + tools + expect);
  assert.equal(findScenario(catalog, 'c', 'late').name, 'A case');
  writeFileSync(file, 'broken: now');
  const { name, template } = findScenario(catalog, 'c', 'late');
  assert.deepEqual([name, template['briefing']], ['A case', 'Decide “well”….']);
  assert.deepEqual(catalog.faults, []);
});

test('what nobody asked for is read ahead, each fault is told once, and the reading can be stopped', async () => {
  const catalog = catalogOf({
    'one/scenario.yaml': 'a: 1',
    'two/scenario.yaml': 'b: 2',
    'odd/scenaro.yaml': '',
  });
  const told: string[] = [];
  const tell = ({ place }: Diagnostic) => told.push(place.file.split('/c/')[1]!);
  await readAhead(catalog, { tell, signal: new AbortController().signal });
  assert.deepEqual([...new Set(told)].toSorted(), ['odd', 'one/scenario.yaml', 'two/scenario.yaml']);
  assert.equal(told.length, catalog.faults.length);
  const stopped = readAhead(catalog, { tell, signal: AbortSignal.abort(new Error('stopped')) });
  await assert.rejects(stopped, /stopped/);
});

test('a folder of collections that is none is told, and so is a collection without its file', () => {
  const { directory } = catalogOf({});
  const messageOf = (folder: string) =>
    loadCatalog(folder)
      .faults.map(({ message }) => message)
      .join('\n');
  assert.match(messageOf(join(directory, 'nowhere')), /There is no such folder/);
  assert.match(messageOf(join(directory, 'c')), /This is a collection\. Name the folder that it is in/);
  rmSync(join(directory, 'c/collection.yaml'));
  assert.match(messageOf(directory), /holds scenarios, but no collection\.yaml\. Write one: "name: c"/);
});

test('a split that names what is not there is told with its line, and the nearest name', () => {
  const { directory } = catalogOf({});
  writeFileSync(join(directory, 'c/collection.yaml'), 'name: C\nsplits:\n  train: [sond]\n  tset: [sound]\n');
  const said = loadCatalog(directory).faults.map(formatDiagnostic).join('\n');
  assert.match(said, /collection\.yaml:3:11: There is no scenario "sond" here\. Did you mean "sound"\?/);
  assert.match(said, /collection\.yaml:4:3: "tset" is not known here\. Did you mean "test"\?/);
});

test('a collection whose own file cannot be read keeps its scenarios, and its neighbours', () => {
  const { directory } = catalogOf({});
  for (const [slug, bytes] of [
    ['accents', Buffer.from('name: C\ndescription: caf\xe9\n', 'latin1')],
    ['wide', Buffer.from('name: C\n', 'utf16le')],
  ] as const) {
    mkdirSync(join(directory, slug));
    writeFileSync(join(directory, slug, 'collection.yaml'), bytes);
  }
  mkdirSync(join(directory, 'folder/collection.yaml'), { recursive: true });
  const catalog = loadCatalog(directory);
  assert.deepEqual(
    catalog.faults.map((fault) => formatDiagnostic(fault).slice(directory.length + 1)),
    [
      'accents/collection.yaml:2:1: This line is not UTF-8. Save the file as UTF-8.',
      'folder/collection.yaml:1:1: It is a folder. Put a text file here.',
      'wide/collection.yaml:1:2: A NUL byte is here: perhaps the file is UTF-16. Save it as UTF-8.',
    ],
  );
  assert.equal(catalog.collections.find(({ slug }) => slug === 'c')?.scenarios.length, 1);
});

test('a scenario of another system is read as any other: its line ends, its byte order mark', () => {
  const rules = 'documents:\n  - { file: rules.md, for: operator }\n';
  const windows = `\ufeff${(head + rules + tools + expect).replaceAll('\n', '\r\n')}`;
  const catalog = catalogOf({ 'windows/scenario.yaml': windows, 'windows/rules.md': '\ufeffOne.\r\nTwo.' });
  assert.deepEqual(catalog.faults, []);
  const { documents, name } = findScenario(catalog, 'c', 'windows');
  assert.deepEqual([documents['rules.md'], name], ['One.\nTwo.', 'A case']);
  assert.match(
    faultOf(windows.replace('yes }', 'yes }, wieght: 2'), { 'broken/rules.md': '' }),
    /^scenario\.yaml:11: "wieght" is not known here/,
  );
});

test('a file that is nearly called right is named', () => {
  const catalog = catalogOf({ 'one/scenario.yml': 'a: 1', 'two/Scenario.TS': '' });
  assert.deepEqual(
    catalog.faults.map(({ message }) => message),
    [
      'Its file is called scenario.yml. Name it scenario.yaml.',
      'Its file is called Scenario.TS. Name it scenario.ts.',
    ],
  );
});

test('a scenario whose file cannot be read takes nothing else down', () => {
  const catalog = catalogOf({ 'odd/scenario.yaml/file': '' });
  assert.match(catalog.faults[0]!.message, /It is a folder\. Put a text file here\./);
  assert.equal(catalog.collections[0]?.scenarios.length, 1);
});
