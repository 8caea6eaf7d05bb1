import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const guide = readFileSync(`${root}docs/guide/15-mcp.md`, 'utf8');
const programs = [...guide.matchAll(/^```ts\n(.*?)^```/gms)].map(([, program = '']) => program);
const printed = [
  /^It is 5\. .*2 and 3/s,
  /^shop asks: May "pay" run\?.*It is paid\.\n$/s,
  /^http:\/\/127\.0\.0\.1:\d+\/mcp \[ 'own_weather' \]/,
  /Ordered in M/,
];

test('every program of the guide runs and prints what it says', () => {
  assert.equal(programs.length, printed.length);
  for (const [index, program] of programs.entries()) {
    const { NODE_TEST_CONTEXT: _context, ...env } = process.env;
    const child = spawnSync(
      process.execPath,
      ['--conditions=whetstone-source', '--input-type=module-typescript', '--eval', program],
      { cwd: root, encoding: 'utf8', env, timeout: 300_000 },
    );
    assert.equal(child.status, 0, child.stderr);
    assert.match(child.stdout, printed[index]!);
  }
});
