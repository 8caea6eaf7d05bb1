import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { cliPage } from '../scripts/cli-page.ts';

test('docs/reference/cli.md says what the commands’ help says (npm run docs)', async () => {
  const page = readFileSync(new URL('../docs/reference/cli.md', import.meta.url), 'utf8');
  assert.equal(page, await cliPage());
});
