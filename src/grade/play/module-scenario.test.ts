import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';

import { loadCatalog } from '../scenario/load/catalog.ts';
import { playTurn, startPlay } from './play.ts';
import { formatDiagnostic } from '../scenario/diagnostic.ts';
import { readQuestions } from '../scenario/load/questions.ts';
import { buildTask } from '../scenario/build-task.ts';

const rooms: string[] = [];
after(() => rooms.forEach((room) => rmSync(room, { recursive: true })));

function shelfOf(files: Readonly<Record<string, string>>) {
  const room = mkdtempSync(join(tmpdir(), 'whet-typescript-'));
  rooms.push(room);
  for (const [file, text] of Object.entries({ 'collection.yaml': 'name: C\n', ...files })) {
    const path = join(room, 'c', file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  const [shelf] = loadCatalog(room).collections;
  return shelf!;
}

const importing = `import { scenario } from 'whetstone/scenario';\n`;
const head = `name: 'A case', version: '1', description: 'A case.', canary: 'canary-1', briefing: 'Decide.'`;
const tools = `tools: [
    { id: 'count', type: 'function', writes: true, json_schema: { type: 'object', properties: { by: { type: 'integer' } }, required: ['by'] } },
    { id: 'verdict', type: 'decision', options: ['yes', 'no'] },
  ]`;
const expected = `expect: [{ call: 'verdict', input: { value: 'yes' } }]`;

/** A scenario whose one function does what is written. */
function counting(run: string): string {
  return `${importing}export default scenario({ ${head}, ${tools}, ${expected}, world: { n: 1 }, code: { count: ${run} } });\n`;
}

/** The faults of a scenario written so, each as `place: message` without its folder. */
function faultsOf(text: string, more: Readonly<Record<string, string>> = {}): readonly string[] {
  const shelf = shelfOf({ 's/scenario.ts': text, ...more });
  return shelf.faults.map((fault) => formatDiagnostic(fault).replace(/^.*?\/c\/s\//, ''));
}

/** What the function answers to an input, and the world after it. */
function answerOf(run: string, input: object) {
  const shelf = shelfOf({ 's/scenario.ts': counting(run) });
  assert.deepEqual(shelf.faults, []);
  const task = buildTask(shelf.read('s').scenario!);
  const calls = [{ name: 'count', input: input as { by: number } }];
  return playTurn(task, startPlay(task).state, [{ role: 'assistant', content: '', toolCalls: calls }]);
}

test('a scenario in TypeScript is read in a package that says its files are CommonJS, as npm init writes it', () => {
  const more = { 'package.json': '{ "type": "commonjs" }', 's/size.ts': 'export const size: number = 2;\n' };
  const text = counting('() => ({ output: size })').replace('\n', "\nimport { size } from './size.ts';\n");
  assert.deepEqual(faultsOf(text, more), []);
  assert.deepEqual(
    faultsOf(text.replace('size.ts', 'old.ts'), { ...more, 's/old.ts': 'module.exports.size = 2;\n' }),
    [],
  );
});

test('a scenario in TypeScript is data with functions: its world, paths and questions may be in it', () => {
  const shelf = shelfOf({
    's/scenario.ts': `${importing}
const days: readonly number[] = [1, 2, 3];
export const whole = scenario({
  ${head}, ${tools},
  vary: { case: days.map((day) => ({ day, double: day * 2 })) },
  world: { n: 10 },
  facts: [{ id: 'day', says: 'On day \${case.day}.', ask: 'which day' }],
  ${expected},
  code: { count: (world, { by }) => ({ world: { n: world.n + by }, output: { n: world.n + by } }) },
  paths: { gold: [{ say: 'Which day?' }, { calls: [{ name: 'verdict', input: { value: 'yes' } }] }] },
  questions: { day: { asked: ['Which day was it?'], not: ['Good day!'] } },
});
`,
  });
  assert.deepEqual(shelf.faults, []);
  const scenario = shelf.read('s').scenario!;
  assert.equal(scenario.variants, 3);
  assert.deepEqual(readQuestions(scenario).source?.value, {
    day: { asked: ['Which day was it?'], not: ['Good day!'] },
  });
  const task = buildTask(scenario, 1);
  assert.equal(task.gold.length, 2);
  assert.match(task.facts[0]!.says, /^On day [123]\.$/);
  const calls = [{ name: 'count', input: { by: 5 } }];
  const played = playTurn(task, startPlay(task).state, [
    { role: 'assistant', content: '', toolCalls: calls },
  ]);
  assert.deepEqual(played.state.world, { n: 15 });
  assert.equal(played.outcomes[0]?.output, '{"n":15}');
});

test('the same JSON Schema checks it, and a fault names file and member', () => {
  const text = `${importing}export default scenario({ ${head}, ${tools}, expect: [{ call: 'verdikt', wieght: 2 }] } as never);\n`;
  assert.deepEqual(faultsOf(text), [
    'scenario.ts:5:34 (expect[0].wieght): "wieght" is not known here. Did you mean "weight"?',
  ]);
  assert.deepEqual(faultsOf(text.replace('wieght', 'weight')), [
    'scenario.ts:5:17 (expect[0].call): There is no tool "verdikt". Did you mean "verdict"? Known: count, verdict.',
  ]);
});

test('what is not data is refused where it stands', () => {
  const withWorld = (world: string) =>
    `${importing}export default scenario({ ${head}, ${tools}, ${expected}, world: ${world} } as never);\n`;
  const looped = `${importing}const a: any = { n: 1 }; a.self = a;\nexport default scenario({ ${head}, ${tools}, ${expected}, world: a } as never);\n`;
  assert.match(
    faultsOf(withWorld('{ total: 3n }'))[0]!,
    /^scenario\.ts:5:\d+ \(world\.total\): .*a bigint \(3n\)/,
  );
  assert.match(
    faultsOf(withWorld('{ on: [new Date(0)] }'))[0]!,
    /^scenario\.ts:5:\d+ \(world\.on\[0\]\): .*a Date/,
  );
  assert.match(faultsOf(withWorld('{ of: new Map() }'))[0]!, /a Map; write a plain object/);
  assert.match(faultsOf(withWorld('{ n: NaN }'))[0]!, /NaN, which JSON cannot hold/);
  assert.match(faultsOf(withWorld('{ f() {} }'))[0]!, /a function; only data/);
  assert.match(faultsOf(looped)[0]!, /contains itself/);
});

test('a module that cannot be loaded is told with its line and a remedy', () => {
  assert.match(faultsOf(`const a = 1;\nthrow new Error('no luck');\n`)[0]!, /^scenario\.ts:2:\d+: .*no luck/);
  assert.match(faultsOf('export const x = {;\n')[0]!, /^scenario\.ts:1:1: The scenario cannot be loaded/);
  assert.match(
    faultsOf('await Promise.resolve();\n')[0]!,
    /^scenario\.ts:1:1: .*awaits at its top, and a scenario is read at once/,
  );
  assert.match(
    faultsOf('export default { name: 1 };\n')[0]!,
    /exports no scenario\. Export one: export default/,
  );
  assert.match(faultsOf("throw 'no luck';\n")[0]!, /^scenario\.ts: The scenario cannot be loaded: no luck\./);
  assert.match(faultsOf('throw null;\n')[0]!, /^scenario\.ts: The scenario cannot be loaded: null\./);
  assert.match(faultsOf('process.exit(3);\n')[0]!, /^scenario\.ts:1:\d+: .*Take process\.exit away\.$/);
  assert.match(faultsOf(`throw new Error('no luck');\n`)[0]!, /no luck\. What is outside of its functions/);
  assert.match(faultsOf('\nenum A { B }\n')[0]!, /^scenario\.ts:2:\d+: .*enum is not supported/);
  assert.match(
    faultsOf(`\nimport { a } from './shop.ts';\nexport const b = a;\n`)[0]!,
    /^scenario\.ts:2:1: .*Cannot find module '.*shop\.ts'/,
  );
  assert.match(faultsOf(`import 'lodahs';\n`)[0]!, /^scenario\.ts:1:1: .*Cannot find package 'lodahs'/);
  const two = `${counting('() => ({ output: 1 })')}export const b = scenario({ ${head}, ${tools}, ${expected} });\n`;
  assert.match(faultsOf(two)[0]!, /exports 2 scenarios/);
});

test('a scenario is in one file, and its paths in one place', () => {
  const sound = counting('() => ({ output: 1 })');
  assert.match(
    faultsOf(sound, { 's/scenario.yaml': 'name: x\n' })[0]!,
    /both scenario\.yaml and scenario\.ts/,
  );
  const withPaths = sound.replace(/ \}\);\n$/, ', paths: { gold: [] } });\n');
  assert.match(
    faultsOf(withPaths, { 's/paths.yaml': 'gold: []\n' })[0]!,
    /^scenario\.ts:\d+:\d+ \(paths\): .*paths\.yaml/,
  );
});

test('code and tools have the same names', () => {
  assert.match(
    faultsOf(counting('() => ({ output: 1 })').replace('code: { count:', 'code: { cuont:'))[0]!,
    /The function "count" does nothing/,
  );
  assert.match(
    faultsOf(counting('() => ({ output: 1 }), cuont: () => ({ output: 1 })'))[0]!,
    /^scenario\.ts:\d+:\d+ \(code\): The code has a function "cuont".*Did you mean "count"\?/,
  );
});

test('a world that cannot answer at once is refused when it is read', () => {
  assert.match(
    faultsOf(counting('async () => ({ output: 1 })'))[0]!,
    /^scenario\.ts:\d+:\d+ \(code\.count\): .*its tool "count" is async; a world answers at once/,
  );
  assert.match(faultsOf(counting('function* () {}'))[0]!, /is a generator/);
});

test("an input that the tool's schema refuses never reaches the world: the model is told", () => {
  const { outcomes, state, ended } = answerOf('(_, input) => { throw new Error("asked"); }', { by: 'two' });
  assert.deepEqual([outcomes[0]?.isError, outcomes[0]?.injected, ended], [true, undefined, undefined]);
  assert.match(outcomes[0]!.output, /by: expected an integer/);
  assert.deepEqual(state.world, { n: 1 });
});

test("whatever a world does wrong ends the play as the scenario's fault, and says what", () => {
  const wrongs: readonly (readonly [string, RegExp])[] = [
    ['() => { throw new Error("lost"); }', /threw: lost \(at .*scenario\.ts:\d+:\d+\)/],
    ['() => Promise.resolve({ output: 1 })', /It is a promise; write no async/],
    ['() => ({ output: 3n })', /output is a bigint/],
    ['() => ({ output: 1, world: { n: 3n } })', /world\.n is a bigint/],
    ['() => ({ output: 1, world: { get n() { throw new Error("no look"); } } })', /threw: no look/],
    ['() => ({ output: 1, world: { toJSON() { return 1; } } })', /world\.toJSON is a function/],
    ['() => ({})', /answered without an output/],
    ['() => undefined', /It is nothing \(undefined\)/],
    ['() => ({ output: 1, world: [] })', /the world that it answered is not an object/],
    ['(world) => { world.n = 2; return { output: 1 }; }', /changed its world and did not answer it/],
  ];
  for (const [run, said] of wrongs) {
    const { ended, outcomes, state, fault } = answerOf(run, { by: 1 });
    assert.equal(ended, 'error', run);
    assert.equal(outcomes[0]?.injected, true);
    assert.match(fault!.message, said);
    assert.match(outcomes[0]!.output, /^"count" failed by a fault of the scenario, not of the call\./);
    assert.deepEqual(state.world, { n: 1 });
  }
});

test("the guide's scenario in TypeScript can be read and played", () => {
  const guide = readFileSync(new URL('../../../docs/guide/10-scenarios.md', import.meta.url), 'utf8');
  const shelf = shelfOf({ 's/scenario.ts': /```ts\n(import[^`]*)```/.exec(guide)![1]! });
  assert.deepEqual(shelf.faults, []);
  const task = buildTask(shelf.read('s').scenario!);
  const calls = [{ name: 'total', input: { rate: 0.5 } }];
  const played = playTurn(task, startPlay(task).state, [
    { role: 'assistant', content: '', toolCalls: calls },
  ]);
  assert.equal(played.outcomes[0]?.output, '30');
  assert.deepEqual(played.revealed, ['net']);
});
