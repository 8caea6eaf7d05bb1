import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { JsonObject } from '../../json/value.ts';
import { describeIssues } from './issue.ts';
import { lightCheck } from './light-check.ts';

test('a schema with a keyword that needs the library is refused by that keyword', () => {
  for (const [schema, keyword] of [
    [{ contains: {} }, 'contains'],
    [{ properties: { a: { not: {} } } }, 'not'],
    [{ constructor: {} }, 'constructor'],
  ] as const)
    assert.throws(() => lightCheck(schema as JsonObject).holds({ a: 1 }), {
      code: 'schema_not_compiled',
      details: { keyword },
    });
});

test('a member that is undefined is not there', () => {
  const { holds, issues } = lightCheck({
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'string' } },
    required: ['a'],
    additionalProperties: false,
  });
  assert.ok(holds({ a: 'x', b: undefined, c: undefined }));
  assert.equal(describeIssues(issues({ a: undefined })), 'a: expected a string, nothing is there');
});

test('where only JSON is asked for, what the schema says nothing of must be JSON', () => {
  const { issues } = lightCheck(
    { properties: { free: {}, open: { type: 'object' }, live: true } },
    { onlyJson: true },
  );
  const live = new Map();
  assert.deepEqual(issues({ free: [1, { a: null }], open: { a: [] }, live }), []);
  assert.deepEqual(
    issues({ free: [1, live], live }).map(({ place, expected }) => [place, expected]),
    [['free[1]', 'JSON']],
  );
  assert.deepEqual(
    issues({ open: { n: Number.NaN }, live }).map(({ place }) => place),
    ['open.n'],
  );
});

test('the branch that a value was meant for is told by its tag, whatever else is wrong with it', () => {
  const branch = (type: string, more: JsonObject): JsonObject => ({
    type: 'object',
    properties: { type: { const: type }, ...more },
    required: ['type', ...Object.keys(more)],
  });
  const { issues } = lightCheck({
    anyOf: [
      branch('text', { text: { type: 'string' } }),
      branch('call', { kind: { enum: ['function', 'custom'] } }),
      branch('image', { url: { type: 'string' } }),
    ],
  });
  assert.equal(
    describeIssues(issues({ type: 'call', kind: 'magic' })),
    'kind: expected one of "function", "custom", got "magic"',
  );
  assert.equal(
    describeIssues(issues({ type: 'sound' })),
    'type: expected "text", "call" or "image", got "sound"',
  );
});
