import assert from 'node:assert/strict';
import { test } from 'node:test';

import { checkValue, loadChecker } from './check.ts';
import { readDialect } from './dialect.ts';
import { readPlan } from './plan.ts';

test('an unknown dialect is told with the known ones', () => {
  assert.throws(() => readDialect('openai-strickt'), {
    code: 'dialect_unknown',
    message: /openai-strickt.*openai-strict/,
  });
});

test('what is no plan of this version is refused before a value is brought back by it', () => {
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
