import assert from 'node:assert/strict';
import { test } from 'node:test';

import { checkValue, loadChecker } from '../schema/check/check.ts';
import { readDialect } from './dialect.ts';
import { readPlan } from './value/read-plan.ts';
import { isWhetstoneError } from '../host/errors.ts';
import { describeIssues } from '../schema/check/issue.ts';
import { lower } from './lower.ts';
import { callIds, toolNames } from '../schema/name.ts';
import { decodeValue } from './value/decode-value.ts';

test('an unknown dialect is told with the known ones', () => {
  assert.throws(() => readDialect('openai-strickt'), {
    code: 'dialect_unknown',
    message: /openai-strickt.*openai-strict/,
  });
});

test('something that is not a plan of this version is refused before a value is decoded by it', () => {
  for (const plan of [
    null,
    {},
    { version: 2, original: {} },
    { version: 1 },
    { version: 1, original: {}, root: [] },
  ]) {
    assert.throws(() => readPlan(plan), { code: 'plan_invalid' });
  }
});

test('a schema that cannot be compiled is named as such, not the value', async () => {
  await loadChecker();
  assert.throws(() => checkValue({ type: 'string', pattern: '(' }, 'x'), { code: 'schema_not_compiled' });
});

test('whatever is not a list of issues, a list of names or a known option is refused in words', () => {
  const wrong: readonly (() => unknown)[] = [
    () => describeIssues(undefined as never),
    () => toolNames('search' as never, 'openai'),
    () => toolNames(['search'], 'nobody' as never),
    () => callIds('nobody' as never),
    () => lower({ type: 'object' }, 'openai-strict', { free: 'yes' as never }),
  ];
  for (const call of wrong) {
    assert.throws(call, (error: unknown) => isWhetstoneError(error) && error.code === 'schema_input');
  }
});

test('a plan whose steps are not whole is refused before any value goes by it', () => {
  const whole = lower({ type: 'object', properties: { a: { type: 'string' } } }, 'openai-strict').plan;
  const roots = [{ op: 'object' }, { op: 'union', branches: [{}] }, { op: 'list', items: { op: 'nope' } }];
  for (const root of roots) {
    const plan = { ...whole, root } as unknown as typeof whole;
    assert.throws(
      () => decodeValue({ a: 'x' }, plan),
      (error: unknown) => isWhetstoneError(error) && error.code === 'plan_invalid',
    );
  }
  assert.deepEqual(decodeValue({ a: null }, JSON.parse(JSON.stringify(whole)) as typeof whole), {});
});
