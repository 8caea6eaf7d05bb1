import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { JsonValue } from '../../json/value.ts';
import { checkValue, holds, loadChecker } from './check.ts';
import { describeIssues } from './issue.ts';

const order = {
  type: 'object',
  required: ['items', 'shipping'],
  additionalProperties: false,
  properties: {
    items: { type: 'array', minItems: 1, items: { $ref: '#/$defs/item' } },
    shipping: { type: 'object', required: ['city'], properties: { city: { type: 'string', maxLength: 3 } } },
    priority: { enum: ['low', 'high'] },
    pay: {
      oneOf: [
        {
          type: 'object',
          required: ['kind', 'card'],
          properties: { kind: { const: 'card' }, card: { type: 'string' } },
        },
        {
          type: 'object',
          required: ['kind', 'iban'],
          properties: { kind: { const: 'bank' }, iban: { type: 'string' } },
        },
      ],
    },
    size: { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }] },
  },
  $defs: {
    item: {
      type: 'object',
      required: ['quantity'],
      properties: { quantity: { type: 'integer', minimum: 1 } },
    },
  },
};

test('asks for the library to be loaded first', () => {
  assert.throws(() => checkValue({ type: 'string' }, 1), { code: 'checker_not_loaded' });
});

test('says nothing about a value that fits', async () => {
  await loadChecker();
  assert.deepEqual(checkValue(order, { items: [{ quantity: 1 }], shipping: { city: 'BRN' } }), []);
  assert.ok(holds(order, { items: [{ quantity: 1 }], shipping: { city: 'BRN' } }));
});

test('says place, expectation and what was found, in words that a model can act on', async () => {
  await loadChecker();
  const value = {
    items: [{ quantity: 1 }, {}, { quantity: 'two' }],
    shipping: { city: 'Bern' },
    priority: 'asap',
    pay: { kind: 'bank', iban: 5 },
    size: 0,
    extra: true,
  };
  assert.equal(
    describeIssues(checkValue(order, value)),
    [
      'items[1].quantity: expected an integer ≥ 1, nothing is there',
      'items[2].quantity: expected an integer ≥ 1, got "two"',
      'shipping.city: expected a string of at most 3 characters, got "Bern"',
      'priority: expected one of "low", "high", got "asap"',
      'pay.iban: expected a string, got 5',
      'size: expected an integer ≥ 1, got 0',
      'extra: expected no such property (known: items, shipping, priority, pay, size), got true',
    ].join('\n'),
  );
});

test('an issue is data: pointer, place, keyword, expectation, value', async () => {
  await loadChecker();
  assert.deepEqual(checkValue({ items: { type: 'integer' } }, [1, 'x']), [
    { path: '/1', place: '[1]', keyword: 'type', expected: 'an integer', found: 'x' },
  ]);
});

test('finds something to say about every keyword that can fail', async () => {
  await loadChecker();
  const cases: readonly [object, unknown, string][] = [
    [{ multipleOf: 2 }, 3, 'multipleOf'],
    [{ uniqueItems: true }, [1, 1], 'uniqueItems'],
    [{ contains: { type: 'string' } }, [1], 'contains'],
    [{ not: { type: 'string' } }, 'x', 'not'],
    [{ propertyNames: { maxLength: 1 } }, { ab: 1 }, 'maxLength'],
    [{ dependentRequired: { a: ['b'] } }, { a: 1 }, 'dependentRequired'],
    [{ unevaluatedProperties: false, properties: { a: true } }, { b: 1 }, 'unevaluatedProperties'],
    [{ oneOf: [{ type: 'integer' }, { minimum: 0 }] }, 1, 'oneOf'],
    [{ if: { type: 'string' }, then: { minLength: 2 } }, 'x', 'minLength'],
    [{ patternProperties: { '^x': { type: 'integer' } } }, { xa: 'b' }, 'type'],
  ];
  for (const [schema, value, keyword] of cases) {
    const issues = checkValue(schema as never, value);
    assert.ok(issues.length > 0 && describeIssues(issues).length > 20, keyword);
    assert.equal(issues[0]?.keyword, keyword);
  }
});

test('asserts formats only when asked to', async () => {
  await loadChecker();
  const schema = { type: 'string', format: 'date' };
  assert.deepEqual(checkValue(schema, 'soon'), []);
  assert.equal(
    describeIssues(checkValue({ properties: { day: schema } }, { day: 'soon' }, { formats: true })),
    'day: expected a string in the format date, got "soon"',
  );
});

test('a reference to a registered document is followed', async () => {
  await loadChecker();
  const remotes = { 'https://example.org/id': { type: 'integer' } };
  assert.equal(checkValue({ $ref: 'https://example.org/id' }, 'x', { remotes })[0]?.keyword, 'type');
});

test('a schema that the library cannot read is refused as such', async () => {
  await loadChecker();
  assert.throws(() => checkValue({ pattern: '(' }, 'x'), { code: 'schema_not_compiled' });
});

test('an enum of thousands, as many members and a long chain of references are checked like few', async () => {
  await loadChecker();
  const words = Array.from({ length: 20_000 }, (_, index) => `w${index}`);
  assert.deepEqual(checkValue({ enum: words }, 'w19999'), []);
  assert.equal(checkValue({ enum: words }, 'x')[0]?.keyword, 'enum');
  const properties = Object.fromEntries(words.map((word) => [word, { type: 'string' }]));
  assert.deepEqual(checkValue({ properties }, { w7: 'x' }), []);
  assert.equal(checkValue({ properties }, { w7: 1 })[0]?.path, '/w7');
  const chain = words.slice(0, 1500).map((word, index) => {
    const next = index === 1499 ? { type: 'string' } : { $ref: `#/$defs/w${index + 1}` };
    return [word, { type: 'object', properties: { next } }] as const;
  });
  const long = { $ref: '#/$defs/w0', $defs: Object.fromEntries(chain) };
  assert.deepEqual(checkValue(long, { next: { next: {} } }), []);
  assert.equal(checkValue(long, { next: { next: 1 } })[0]?.path, '/next/next');
});

test('a value that is nested deeper than anything can follow does not fit, and nothing breaks', async () => {
  await loadChecker();
  const tree = { $ref: '#/$defs/tree', $defs: { tree: { properties: { in: { $ref: '#/$defs/tree' } } } } };
  const strict = { ...tree, $defs: { tree: { type: 'object', ...tree.$defs.tree } } };
  for (const depth of [1000, 3000, 200_000]) {
    let value: JsonValue = 3;
    for (let level = 0; level < depth; level++) value = { in: value };
    assert.match(describeIssues(checkValue(strict, value)), /expected a value that /);
    assert.equal(holds(strict, value), false);
  }
});

test('members that every object inherits are looked for among its own', async () => {
  await loadChecker();
  const schema = {
    type: 'object',
    properties: { toString: { type: 'boolean' }, constructor: { type: 'integer' } },
    required: ['valueOf'],
    additionalProperties: false,
  };
  assert.deepEqual(checkValue({ ...schema, required: [] }, {}), []);
  assert.equal(checkValue(schema, {})[0]?.place, 'valueOf');
  assert.equal(checkValue({ ...schema, required: [] }, { toString: 1 })[0]?.place, 'toString');
});

test('a choice between objects says what would have been one of them', async () => {
  await loadChecker();
  const circle = {
    type: 'object',
    properties: { kind: { const: 'circle' }, radius: { type: 'number' } },
    required: ['kind', 'radius'],
  };
  const dot = { type: 'object', properties: { kind: { const: 'dot' } }, required: ['kind'] };
  const told = (branches: readonly object[], value: JsonValue): string =>
    describeIssues(
      checkValue({ $defs: { dot }, properties: { shape: { oneOf: branches } } } as never, { shape: value }),
    );
  const tagged = [circle, { $ref: '#/$defs/dot' }];
  assert.equal(told(tagged, { kind: 'line' }), 'shape.kind: expected "circle" or "dot", got "line"');
  assert.equal(told(tagged, {}), 'shape.kind: expected "circle" or "dot", nothing is there');
  assert.equal(told(tagged, { kind: 'circle' }), 'shape.radius: expected a number, nothing is there');
  assert.equal(told(tagged, 'dot'), 'shape: expected an object, got "dot"');
  const untagged = ['id', 'name'].map((name) => ({ type: 'object', required: [name] }));
  assert.equal(
    told(untagged, { nick: 'x' }),
    'shape: expected an object with id or an object with name, got {"nick":"x"}',
  );
});
