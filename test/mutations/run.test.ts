import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { allMutations, copyOf, tryMutation } from './run.ts';

const mutation = {
  name: 'sum',
  promise: 'A sum is a sum.',
  file: 'src/sum.ts',
  find: 'a + b',
  replace: 'a - b',
  test: 'src/sum.test.ts',
};

function treeWith(context: { after: (fn: () => void) => void }, assertion: string): string {
  const tree = mkdtempSync(join(tmpdir(), 'whet-mutated-'));
  context.after(() => rmSync(tree, { recursive: true, force: true }));
  mkdirSync(join(tree, 'src'));
  writeFileSync(join(tree, 'src/sum.ts'), 'export const sum = (a: number, b: number): number => a + b;\n');
  writeFileSync(
    join(tree, 'src/sum.test.ts'),
    `import assert from 'node:assert/strict'; import { test } from 'node:test'; import { sum } from './sum.ts';\ntest('sums', () => { ${assertion} });\n`,
  );
  const copy = copyOf(tree);
  context.after(() => copy[Symbol.dispose]());
  return copy.tree;
}

test('a planted fault is seen by a test that checks, and unseen by one that does not', async (context) => {
  assert.deepEqual(await tryMutation(mutation, treeWith(context, 'assert.equal(sum(2, 3), 5);')), {
    seen: true,
    why: '',
  });
  const blind = await tryMutation(mutation, treeWith(context, 'assert.ok(sum);'));
  assert.match(blind.why, /stayed green/);
});

test('a mutation that does not stand exactly once in its file is refused', async (context) => {
  const tree = treeWith(context, 'assert.equal(sum(2, 3), 5);');
  assert.match((await tryMutation({ ...mutation, find: 'a * b' }, tree)).why, /stands 0 times/);
});

test('a fault that breaks the file shows nothing', async (context) => {
  const tree = treeWith(context, 'assert.equal(sum(2, 3), 5);');
  assert.equal((await tryMutation({ ...mutation, replace: '(((' }, tree)).seen, false);
  assert.match(readFileSync(join(tree, mutation.file), 'utf8'), /a \+ b/, 'it was taken out again');
});

test('every mutation names a promise, a place that stands once, and a test that is there', async () => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const mutations = await allMutations();
  assert.ok(mutations.length > 0);
  assert.equal(new Set(mutations.map(({ name }) => name)).size, mutations.length);
  for (const { name, file, find, test: testFile } of mutations) {
    const places = readFileSync(join(root, file), 'utf8').split(find).length - 1;
    assert.equal(places, 1, `${name}: “${find}” stands ${places} times in ${file}`);
    assert.ok(existsSync(join(root, testFile)), testFile);
  }
});
