import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const withoutCompiler = `
import { registerHooks } from 'node:module';
registerHooks({
  resolve(name, context, next) {
    if (name.startsWith('typescript')) throw new Error('Cannot find package ' + name);
    return next(name, context);
  },
});`;

test('without the compiler it says what to install, or how to do without (compiler_missing)', () => {
  const read = new URL('./read-signatures.ts', import.meta.url);
  const program = `
    const { readSignatures } = await import(${JSON.stringify(read.href)});
    await readSignatures(${JSON.stringify(fileURLToPath(import.meta.url))}).then(
      () => console.log('read'),
      (error) => console.log(error.code, error.message),
    );`;
  const hooks = `data:text/javascript,${encodeURIComponent(withoutCompiler)}`;
  const child = spawnSync(process.execPath, ['--import', hooks, '--input-type=module', '-e', program], {
    encoding: 'utf8',
  });
  assert.match(child.stdout, /^compiler_missing .*npm install typescript@7.*ahead of time/, child.stderr);
});
