import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as json from '../src/base/json/index.ts';
import * as message from '../src/base/message/index.ts';
import * as schema from '../src/base/schema.ts';
import * as root from '../src/index.ts';
import * as computer from '../src/run/computer/index.ts';

const whetstone = { ...root, ...json, ...schema, ...message, ...computer };

await whetstone.loadChecker();

type Anything = (...given: unknown[]) => unknown;

/** Functions of the rooms that everything rests on, with what they need before the argument that is spoiled. */
const functions: Readonly<Record<string, readonly (readonly unknown[])[]>> = {
  parseJson: [[], ['{"a":1}']],
  repairJson: [[]],
  canonicalJson: [[]],
  hashJson: [[]],
  sha256: [[]],
  formatPointer: [[]],
  getByPointer: [[], [{ a: 1 }]],
  parsePointer: [[]],
  readSchema: [[]],
  checkValue: [[], [{ type: 'object' }], [{ type: 'object' }, {}]],
  coerce: [[], [{ type: 'object', properties: { a: { type: 'integer' } } }]],
  lower: [[], [{ type: 'object' }], [{ type: 'object' }, 'openai-strict']],
  encodeValue: [[], [{ a: 1 }]],
  decodeValue: [[], [{ a: 1 }]],
  describeIssues: [[]],
  toolNames: [[], [['a', 'b']], [['a', 'b'], 'openai']],
  callIds: [[]],
  readMessages: [[]],
  readCall: [[]],
  readResult: [[]],
  readAction: [[]],
  makeAction: [[], ['wait']],
  checkHistory: [[]],
  mendHistory: [[]],
  stripImages: [[]],
  argumentsAsObject: [[]],
  argumentsAsText: [[]],
  readArguments: [[]],
  safeAsObject: [[]],
  asCall: [[]],
  requiresLocalExecution: [[]],
  completePartial: [[]],
  argumentsSoFar: [[]],
  partialCall: [[]],
  partialMessage: [[]],
  partialText: [[]],
  mergePartials: [[], [whetstone.partialText('a')]],
  mergeAllPartials: [[]],
  readChord: [[]],
  readKeys: [[]],
  readKeySequence: [[]],
  writeChord: [[], [['a']]],
  writeKeys: [[], [['a']]],
  systemMessage: [[]],
  userMessage: [[]],
  assistantMessage: [[]],
  toolMessage: [[]],
  callsOf: [[]],
  textOf: [[]],
  reasoningOf: [[]],
  refusalOf: [[]],
  wordSchema: [[]],
  imagePart: [[]],
  errorResult: [[], [{ id: 'a', name: 'b' }]],
  textResult: [[], [{ id: 'a', name: 'b' }]],
  convertScroll: [[]],
  scrollAmounts: [[]],
  scrollDistance: [[]],
  addUsage: [[]],
};

const classes: Readonly<Record<string, (given: unknown) => unknown>> = {
  'new JsonReader': (given) => new whetstone.JsonReader(given as never).push('{}'),
  'JsonReader limits': (given) => new whetstone.JsonReader({ limits: given as never }).push('{}'),
  'JsonReader depth': (given) => new whetstone.JsonReader({ limits: { depth: given as never } }).push('{}'),
  'JsonReader.push': (given) => new whetstone.JsonReader().push(given as never),
  'JsonReader.on': (given) => new whetstone.JsonReader().on(given as never, () => {}),
  'new JsonBytes': (given) => new whetstone.JsonBytes(given as never),
  'JsonBytes.push': (given) => new whetstone.JsonBytes(new whetstone.JsonReader()).push(given as never),
};

function nested(make: (inner: unknown) => unknown): unknown {
  let value: unknown = make(undefined);
  for (let depth = 0; depth < 20_000; depth++) value = make(value);
  return value;
}

const self: Record<string, unknown> = {};
self['self'] = self;
const selfList: unknown[] = [];
selfList.push(selfList);

/** What callers hand over by mistake, and worse. */
const spoiled: readonly unknown[] = [
  ...[
    undefined,
    null,
    5,
    Number.NaN,
    5n,
    true,
    '',
    'x',
    '\ud800',
    Symbol('s'),
    () => 1,
    new Date(0),
    new Map(),
  ],
  ...[[], [null], [5], {}, Object.create(null), { a: 5n }, { a: undefined }, self, selfList],
  nested((inner) => [inner]),
  nested((inner) => ({ properties: { a: inner } })),
  ...[
    [{ role: 'x' }],
    [{ role: 'tool' }],
    [{ role: 'tool', results: [null] }],
    [{ role: 'assistant', content: null }],
  ],
  ...[{ type: 'object', properties: 5 }, { type: 'call' }, { type: 'wait' }],
  { version: 1, original: {}, root: { op: 'nope' } },
  { version: 1, original: {}, root: { op: 'object' } },
  { version: 1, original: {}, root: { op: 'union', branches: [null] } },
  { version: 1, original: {}, root: { op: 'list', items: { op: 'tuple', places: [{}] } } },
  { '~standard': { version: 1, vendor: 'x', validate: 5 } },
  { '~standard': { version: 1, vendor: 'x', jsonSchema: { input: () => 5 } } },
];

test('every function of the ground answers bad input with the one error, which has a code', () => {
  let refused = 0;
  const judge = (name: string, index: number, call: () => unknown): void => {
    try {
      call();
    } catch (error) {
      assert.ok(whetstone.isWhetstoneError(error), `${name}, bad input ${index}: ${String(error)}`);
      assert.ok(error.message.length > 10 && error.message.length < 3000, `${name}: ${error.message}`);
      refused++;
    }
  };
  spoiled.forEach((given, index) => {
    for (const [name, starts] of Object.entries(functions)) {
      const work = (whetstone as unknown as Record<string, Anything>)[name] as Anything;
      for (const start of starts) judge(name, index, () => work(...start, given));
    }
    for (const [name, work] of Object.entries(classes)) judge(name, index, () => work(given));
  });
  assert.ok(refused > 1500, String(refused));
});
