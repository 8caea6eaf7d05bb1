import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

/** What a process loads that imports the root and does nothing else. */
function loadedBy(specifier: string): string[] {
  const source = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
    await import(${JSON.stringify(specifier)});
    console.log(JSON.stringify(loaded));`;
  const { NODE_TEST_CONTEXT: _context, ...env } = process.env;
  const args = ['--conditions=whetstone-source', '--input-type=module', '--eval', source];
  const child = spawnSync(process.execPath, args, {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    encoding: 'utf8',
    env,
  });
  assert.equal(child.status, 0, child.stderr);
  return JSON.parse(child.stdout) as string[];
}

test('importing the root loads no dependency, no provider, no server', () => {
  const loaded = loadedBy('whetstone');
  assert.ok(loaded.some((url) => url.endsWith('/src/index.ts')));
  assert.deepEqual(
    loaded.filter((url) => /node_modules|\/src\/(wire|grade|serve)\//.test(url)),
    [],
  );
});

test('importing the client, which runs in a browser, loads nothing of Node', () => {
  const loaded = loadedBy('whetstone/client');
  assert.deepEqual(
    loaded.filter((url) => /^node:|\/src\/(wire|run|grade)\//.test(url)),
    [],
  );
});
