import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { published } from './published.ts';

test('the published schemas are those that the catalog checks with', () => {
  for (const [name, schema] of Object.entries(published)) {
    const file = new URL(`../../../../scenarios/${name}.schema.json`, import.meta.url);
    assert.deepEqual(
      JSON.parse(readFileSync(file, 'utf8')),
      schema,
      `run node scripts/write-scenario-schemas.ts (${name})`,
    );
  }
});
