import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { readEnvironment } from '../src/base/host/environment.ts';
import { testServer } from '../src/serve/server/testing/test-server.ts';

const folder = fileURLToPath(new URL('../examples/python/', import.meta.url));
const own = readEnvironment('WHET_PYTHON');
const python = own ?? 'python3';
const there = spawnSync(python, ['--version']).status === 0;

/** What an example prints when it plays its short episode against a real server. */
function play(name: string): Promise<string> {
  return runPython(`${folder}${name}.py`);
}

async function runPython(...args: readonly string[]): Promise<string> {
  const server = await testServer();
  const child = spawn(python, args, {
    env: { ...process.env, WHETSTONE_URL: server.url, PYTHONDONTWRITEBYTECODE: '1' },
  });
  let printed = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const code = await new Promise((resolve) => child.once('exit', resolve));
  assert.equal(code, 0, errors);
  return printed;
}

test('the example of each trainer is short enough to be read at once', () => {
  for (const name of ['trl_ors', 'openenv_rollout', 'verifiers_env', 'verl_interaction']) {
    const lines = readFileSync(`${folder}${name}.py`, 'utf8').trimEnd().split('\n').length;
    assert.ok(lines < 60, `${name}.py has ${lines} lines`);
  }
});

test(
  'the verl interaction asks, calls, and ends with the grade',
  { skip: !there && 'there is no Python here' },
  async () => {
    const [opening = '', asked = '', decided = '', grade = ''] = (await play('verl_interaction')).split('\n');
    assert.match(opening, /^You are a case manager/);
    assert.match(asked, /^\(False, ['"].+['"], 0\.\d+, \{\}\)$/);
    assert.match(decided, /^\(True, ['"]claim_status: .+['"], (0\.\d+), \{\}\)$/);
    assert.ok(Number(grade) > 0, 'the final grade is that of the last turn');
    assert.ok(decided.includes(`, ${grade}, `));
  },
);

test(
  'the environment for verifiers plays, and grades what was left open',
  { skip: !there && 'there is no Python here' },
  async () => {
    const lines = (await play('verifiers_env')).trim().split('\n');
    assert.match(lines[0] ?? '', /^\[\{'role': 'user', 'content': ['"].+/);
    assert.ok(Number(lines.at(-1)) > 0);
  },
);

test(
  'nothing that a model writes ends a rollout of the examples',
  { skip: !there && 'there is no Python here' },
  async () => {
    const script = `
import sys
sys.path.insert(0, sys.argv[1])
import whetstone_labs as labs
call = lambda written: '<call>{"name": "medical_assessment", "input": ' + written + '}</call>'
for text in ["", "x" * 20_000, call('{"a": NaN}'), call("1e999"), call("[" * 70 + "]" * 70), call("[" * 100_000),
             call("null"), '<call>{"name": "' + "n" * 2000 + '"}</call>', "<call>[1]</call>", "\\ud800"]:
    print(labs.take_turn(labs.open_episode(0), 1, text)["turn"], len(labs.read(text)["tool_calls"]))
`;
    const printed = await runPython('-c', script, folder);
    assert.deepEqual(
      printed.trim().split('\n'),
      [0, 0, 0, 0, 0, 0, 1, 1, 0, 0].map((calls) => `1 ${calls}`),
    );
  },
);

test(
  'the examples of trainers are Python, and load where their packages are',
  { skip: !there && 'there is no Python here' },
  () => {
    for (const name of [
      'trl_ors',
      'openenv_rollout',
      'verl_interaction',
      'verifiers_env',
      'whetstone_labs',
    ]) {
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
