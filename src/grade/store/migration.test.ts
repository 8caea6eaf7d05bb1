import assert from 'node:assert/strict';
import { test } from 'node:test';

import { readMigrations } from './migration.ts';

for (const kind of ['sqlite', 'postgres'] as const)
  test(`the migrations of ${kind} are numbered without a gap, and no number is given twice`, () => {
    const numbers = readMigrations(kind).map((migration) => migration.number);
    assert.deepEqual(
      numbers,
      numbers.map((_, index) => index + 1),
      `Give your new migration the next free number: ${numbers.join()}`,
    );
  });
