import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

const program = `
  import { checkValue, loadChecker } from './src/base/schema/check/check.ts';
  import { lower } from './src/base/dialect/lower.ts';
  import { encodeValue } from './src/base/dialect/value/encode-value.ts';
  import { decodeValue } from './src/base/dialect/value/decode-value.ts';
  await loadChecker();
  const schema = { type: 'object', properties: { n: { type: 'integer', minimum: 1 }, r: { $ref: '#' } }, required: ['n'] };
  const { plan } = lower(schema, 'openai-strict');
  const value = decodeValue(encodeValue({ n: 2, r: { n: 3 } }, plan), plan);
  let refused = false;
  try { new Function('1'); } catch { refused = true; }
  console.log(JSON.stringify([refused, checkValue(schema, value), checkValue(schema, { n: 0, r: { n: 'x' } }).map((one) => one.place)]));
`;

test('schemas are checked where the engine refuses to make code from text', () => {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      '--disallow-code-generation-from-strings',
      '--conditions=whetstone-source',
      '--input-type=module',
      '-e',
      program,
    ],
    { encoding: 'utf8', cwd: new URL('..', import.meta.url) },
  );
  assert.deepEqual(JSON.parse(stdout || stderr), [true, [], ['n', 'r.n']]);
});
