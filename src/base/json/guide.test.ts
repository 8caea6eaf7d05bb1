import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const root = new URL('../../../', import.meta.url);
const page = readFileSync(new URL('docs/guide/03-json.md', root), 'utf8');

test('the programs of the guide page run', () => {
  const programs = [...page.matchAll(/```ts run\n([^]*?)\n```\n/g)].map(([, source = '']) => source);
  assert.equal(programs.length, 3);
  const outputs = programs.map((source) => {
    const child = spawnSync(
      process.execPath,
      ['--conditions=whetstone-source', '--input-type=module-typescript', '--eval', source],
      { cwd: root, encoding: 'utf8', timeout: 60_000 },
    );
    assert.equal(child.status, 0, child.stderr);
    return child.stdout;
  });
  assert.match(outputs[0] ?? '', /line 2 at lines\.1\n/);
  assert.match(outputs[1] ?? '', /"id":9007199254740993,"price":5\.0[^]*true\n$/);
  assert.match(outputs[2] ?? '', /^\{"city":"Oslo","days":3\}\n[^]*missing-closer/);
});
