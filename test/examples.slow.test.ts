import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
// What an example reads its tools from is in `examples/tools/`.
const examples = globSync('examples/*.ts', { cwd: root }).toSorted();
const read = (file: string): string => readFileSync(`${root}${file}`, 'utf8');

test('there are examples', () => assert.ok(examples.length > 0));

for (const file of examples) {
  test(`${file} runs, needs no key, and is under 40 lines`, () => {
    assert.ok(read(file).split('\n').length <= 40);
    const { NODE_TEST_CONTEXT: _context, ...env } = process.env;
    const child = spawnSync(process.execPath, ['--conditions=whetstone-source', file], {
      cwd: root,
      encoding: 'utf8',
      env,
      timeout: 30_000,
    });
    assert.equal(child.status, 0, child.stderr);
    assert.notEqual(child.stdout, '', 'an example shows something');
  });
}

test('README’s example is examples/weather.ts, word for word', () => {
  const [, shown] = /^```ts\n(.*?)^```/ms.exec(read('README.md')) ?? [];
  assert.equal(shown, read('examples/weather.ts'));
});
