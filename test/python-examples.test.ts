import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { readEnvironment } from '../src/base/host/environment.ts';
import { testServer } from '../src/serve/server/testing/test-server.ts';

const folder = fileURLToPath(new URL('../examples/python/', import.meta.url));
const own = readEnvironment('WHET_PYTHON');
const python = own ?? 'python3';
const there = spawnSync(python, ['--version']).status === 0;

test(
  'the verl interaction plays against a real server',
  { skip: !there && 'there is no Python here' },
  async () => {
    const server = await testServer();
    const child = spawn(python, [`${folder}verl_interaction.py`], {
      env: { ...process.env, WHETSTONE_URL: server.url },
    });
    let printed = '';
    let errors = '';
    child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    const code = await new Promise((resolve) => child.once('exit', resolve));
    assert.equal(code, 0, errors);
    assert.match(printed, /^\(False, ['"].+['"], 0\.\d+, \{\}\)/);
  },
);

test(
  'the examples of trainers are Python, and load where their packages are',
  { skip: !there && 'there is no Python here' },
  () => {
    for (const name of ['trl_ors', 'openenv_rollout', 'verl_interaction']) {
      const compile = `compile(open('${folder}${name}.py').read(), '${name}', 'exec')`;
      assert.equal(spawnSync(python, ['-c', compile]).status, 0, name);
    }
    if (own === undefined) {
      console.log('# TRL, openreward and openenv did not run: WHET_PYTHON is not set');
      return;
    }
    for (const name of ['trl_ors', 'openenv_rollout'])
      assert.equal(
        spawnSync(own, ['-c', `import sys; sys.path.insert(0, '${folder}'); import ${name}`]).status,
        0,
      );
  },
);
