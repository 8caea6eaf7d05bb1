import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const whet = fileURLToPath(new URL('../../../../bin/whet.js', import.meta.url));
const scenarios = fileURLToPath(new URL('../../../../scenarios', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'whet-study-commands-'));
after(() => rmSync(folder, { recursive: true }));

function run(args: readonly string[], input = '') {
  const { status, stdout, stderr } = spawnSync(process.execPath, [whet, 'eval', ...args], {
    encoding: 'utf8',
    cwd: folder,
    input,
  });
  return { status, stdout, stderr };
}

/** A study of ten templates, as it is when it was played. */
function study(name: string, rewards: Readonly<Record<string, (template: number) => number>>): string {
  mkdirSync(join(folder, name));
  const lines = Object.entries(rewards).flatMap(([player, reward]) =>
    Array.from({ length: 10 }, (_, template) => ({
      player,
      template: `c/s${template}`,
      task: '0',
      trial: 0,
      reward: reward(template),
      success: reward(template) === 1,
    })),
  );
  writeFileSync(
    join(folder, name, 'results.jsonl'),
    lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  );
  return name;
}

test('whet eval compare says which of two studies is better, and what changed task by task', () => {
  const before = study('before', { small: (at) => (at < 3 ? 1 : 0), other: () => 1 });
  const after = study('after', { small: (at) => (at === 0 ? 0 : 1) });
  const { status, stdout, stderr } = run(['compare', before, after, '--tasks', '2']);
  assert.equal(status, 0, stderr);
  assert.match(
    stdout,
    /^small \(after\) against small \(before\), by reward: 0\.300 → 0\.900, \+0\.600 \(95 % from \+0\.\d+ to \+1\.000\): better\.$/m,
  );
  assert.match(stdout, /^10 tasks of 10 templates that both played: 7 went better, 1 worse, 2 alike\./m);
  assert.match(stdout, /^c\/s0\/0 +1\.000 +0\.000 +−1\.000$/m);
  assert.match(stdout, /… and 6 more/);
  const line = JSON.parse(run(['compare', before, '--a', 'other', '--b', 'small', '--json']).stdout) as {
    readonly verdict: string;
    readonly changes: readonly unknown[];
  };
  assert.deepEqual([line.verdict, line.changes.length], ['a better', 7]);
  assert.match(
    run(['compare', before, '--a', 'nobody']).stderr,
    /no player "nobody" in before.*small, other/,
  );
});

test('whet eval gate reads a study, or plays a suite until each player has an answer', () => {
  writeFileSync(
    join(folder, 'gated.yaml'),
    'tasks: [{ scenarios: customer-support/cancel-order, variants: 8 }]\nplayers: [{ operator: gold }, { operator: random }]\ntrials: 5\nconcurrency: 1\n',
  );
  const args = ['gate', 'gated.yaml', '--out', 'gated', '--at-least', '0.5', '--scenarios', scenarios];
  const played = run(args);
  assert.equal(played.status, 1, 'a player failed');
  assert.match(played.stdout, /^gold +pass +(\d+) +\1 /m);
  assert.match(played.stdout, /^random +fail +0 +\d+ /m);
  const log = readFileSync(join(folder, 'gated/log.jsonl'), 'utf8');
  assert.ok(log.split('\n').length < 40, 'what is not needed any more is not played');
  const read = run(['gate', 'gated', '--at-least', '0.5', '--json']);
  assert.deepEqual(
    read.stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { readonly verdict: string }).verdict),
    ['pass', 'fail'],
  );
});

/** The log of a study in which a judge decided of answers; `expected` is what people say, too. */
function judgedStudy(name: string, count: number): string {
  mkdirSync(join(folder, name));
  const verdict = {
    reason: 'r',
    votes: [1],
    model: 'openai/judge',
    promptHash: 'abcdef0123',
    expected: 'Oslo',
  };
  const lines = Array.from({ length: count }, (_, at) => ({
    key: `p/q.jsonl/${at}/0/0`,
    player: 'p',
    template: `q.jsonl/${at}`,
    task: '0',
    trial: 0,
    reward: at % 2,
    success: at % 2 === 1,
    turns: 1,
    answer: {
      text: at % 2 === 1 ? 'Oslo' : 'Bergen',
      calls: [],
      ended: 'done',
      messages: [{ role: 'user', content: 'Which capital?' }],
      verdict: { ...verdict, score: at % 2 },
    },
  }));
  const log = [{ players: { p: { model: 'm' } } }, ...lines].map((line) => `${JSON.stringify(line)}\n`);
  writeFileSync(join(folder, name, 'log.jsonl'), log.join(''));
  return name;
}

test('a person labels what a judge decided, and the judge is advisory until it is measured', () => {
  const name = judgedStudy('judged', 120);
  const some = run(['label', name, '--by', 'ann'], 'y\nwhat\nn\ns\nq\n');
  assert.equal(some.status, 0, some.stderr);
  assert.match(some.stderr, /Question: Which capital\?\nExpected: Oslo\nAnswer: +(Oslo|Bergen)/);
  assert.doesNotMatch(some.stderr, /score|reason/, 'the verdict is not shown before');
  assert.match(some.stderr, /Please type y or n/);
  assert.match(some.stdout, /openai\/judge \(prompt abcdef01\) +answer +2 .* advisory: 98 more labels/);
  const labels = readFileSync(join(folder, name, 'labels.jsonl'), 'utf8')
    .trim()
    .split('\n');
  assert.deepEqual(
    labels.map((line) => (JSON.parse(line) as { label: boolean; by: string }).by),
    ['ann', 'ann'],
  );
  // As the judge said, but for every tenth.
  writeFileSync(
    join(folder, name, 'labels.jsonl'),
    Array.from({ length: 120 }, (_, at) =>
      JSON.stringify({
        key: `p/q.jsonl/${at}/0/0`,
        criterion: 'answer',
        label: (at % 2 === 1) !== (at % 10 === 0),
        by: 'bob',
      }),
    ).join('\n'),
  );
  const measured = JSON.parse(run(['label', name, '--agreement', '--json']).stdout) as {
    readonly advisory: boolean;
    readonly agreed: number;
    readonly agreedInterval: readonly number[];
    readonly kappa: number;
  };
  assert.equal(measured.advisory, false);
  assert.equal(measured.agreed, 0.9);
  assert.ok(Math.abs(measured.kappa - 0.8) < 0.01);
  assert.ok(measured.agreedInterval[0]! < 0.9 && measured.agreedInterval[1]! > 0.9);
});

test('what a study played is graded again without a network', () => {
  const { status, stdout, stderr } = run(['judged', '--replay']);
  assert.equal(status, 0, stderr);
  assert.match(stdout, /^p +120 +0\.500 /m);
  assert.match(stderr, /All 120 rewards match what the study recorded/);
  const scenes = run(['gated', '--replay', '--scenarios', scenarios]);
  assert.equal(scenes.status, 0, scenes.stderr);
  assert.match(scenes.stderr, /All \d+ rewards match what the study recorded/);
});

test('a suite plays a benchmark from a checkout, and what was played is graded again by its data', () => {
  const domain = join(folder, 'tau2/data/tau2/domains/mock');
  mkdirSync(domain, { recursive: true });
  const files = {
    'policy.md': 'Make tasks.',
    'db.json': { tasks: {}, users: { user_1: { user_id: 'user_1', name: 'A', tasks: [] } } },
    'tasks.json': ['one', 'two'].map((id) => ({
      id,
      user_scenario: { instructions: 'You want a task.' },
      evaluation_criteria: {
        actions: [{ name: 'create_task', arguments: { user_id: 'user_1', title: id } }],
      },
    })),
  };
  for (const [file, value] of Object.entries(files))
    writeFileSync(join(domain, file), typeof value === 'string' ? value : JSON.stringify(value));
  writeFileSync(join(folder, 'says.json'), '[{ "text": "Hm.", "times": 99 }]');
  const tasks = '{ benchmark: tau2, domain: mock, data: tau2, person: { model: mock, script: says.json } }';
  writeFileSync(
    join(folder, 'bench.yaml'),
    `tasks: [${tasks}]\nplayers: [{ operator: gold }, { name: lost, model: mock, script: says.json }]\n`,
  );
  const played = run(['bench.yaml', '--out', 'bench', '--json']);
  assert.equal(played.status, 1, 'a script that ends is a fault of its person, and no result');
  const [gold] = played.stdout.split('\n').map((line) => JSON.parse(line || '{}') as Record<string, unknown>);
  assert.deepEqual([gold?.['player'], gold?.['results'], gold?.['reward']], ['gold', 2, 1]);
  assert.match(played.stderr, /infrastructure \d+, person \d+, judge 0/);
  const again = run(['bench', '--replay']);
  assert.match(again.stdout, /^gold +2 +1\.000 /m);
  assert.match(again.stderr, /All 2 rewards match what the study recorded/);
});
