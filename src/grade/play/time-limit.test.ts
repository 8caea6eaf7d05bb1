import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { loadModule } from '../scenario/load/load-module.ts';
import { runCode } from './run-code.ts';
import { withinTime } from '../scenario/time-limit.ts';

const folder = mkdtempSync(join(tmpdir(), 'whet-loops-'));
after(() => rmSync(folder, { recursive: true }));

test('what ends in time is as if it had been called', () => {
  assert.deepEqual(
    withinTime(10_000, () => [1]),
    [1],
  );
  const own = new TypeError('own');
  const thrown = () => {
    throw own;
  };
  assert.throws(
    () => withinTime(10_000, thrown),
    (error) => error === own,
  );
  assert.equal(
    withinTime(10_000, () => withinTime(10_000, () => 1) + 1),
    2,
  );
});

test("a world that loops for ever ends the call as the scenario's fault, and so does its expression", () => {
  const offer = { id: 'spin', name: 'spin', type: 'function', mode: 'json_schema' } as const;
  const call = { offer, world: {}, input: {} };
  const loops = () => {
    for (;;);
  };
  const text = `${'a'.repeat(60)}b`;
  for (const run of [loops, () => ({ output: /^(a+)+$/.test(text) })])
    assert.throws(() => runCode(run, call, 20), {
      code: 'world_threw',
      message: `The world's tool "spin" threw: it did not end within 0.02 s; perhaps it loops for ever.`,
    });
  assert.equal(runCode(() => ({ output: 'well' }), call).outcome.output, 'well');
});

test('a module that does not end is refused, and the next one is loaded', () => {
  const [endless, sound] = ['endless', 'sound'].map((name) => join(folder, `${name}.ts`)) as [string, string];
  writeFileSync(endless, 'for (;;);\nexport const tools: object = {};\n');
  writeFileSync(sound, 'export const tools: object = { a: 1 };\n');
  assert.throws(() => loadModule(endless, 3000), /it did not end within 3 s; perhaps it loops for ever/);
  assert.deepEqual(loadModule(sound)['tools'], { a: 1 });
});
