import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const bin = fileURLToPath(new URL('../../../../bin/whet.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'whet-replay-'));
after(() => rmSync(folder, { recursive: true }));

const data = join(folder, 'tau-bench');
mkdirSync(join(data, 'airline'), { recursive: true });
for (const [file, value] of Object.entries({
  flights: {},
  reservations: {},
  users: { mia_1: { name: { first_name: 'Mia' }, payment_methods: {}, reservations: [] } },
  tasks_test: [
    { actions: [], outputs: ['1786'] },
    { actions: [], outputs: [] },
  ],
}))
  writeFileSync(join(data, `airline/${file}.json`), JSON.stringify(value));

/** The results file of two tasks in two trials each, of which one fails. */
function results(rewards: readonly number[]): string {
  const path = join(folder, 'results.json');
  const runs = rewards.map((reward, index) => ({
    task_id: Math.floor(index / 2),
    trial: index % 2,
    reward,
    traj: [
      { role: 'assistant', content: index === 0 ? 'It is 178.' : 'It is 1,786.' },
      { role: 'user', content: '###STOP###' },
    ],
  }));
  writeFileSync(path, JSON.stringify(runs));
  return path;
}

function whet(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

const out = join(folder, 'study');
const importing = (file: string, player: string) =>
  whet(
    ...['benchmark', 'import', 'tau-bench', file, '--data', data, '--out', out],
    ...['--domain', 'airline', '--player', player],
  );

test('grades again what a benchmark recorded, with pass^k, and says which rewards differ', () => {
  assert.equal(importing(results([0, 1, 1, 1]), 'a').status, 0);
  assert.equal(importing(results([1, 1, 1, 1]), 'b').status, 0);
  // Imported again, a player is replaced and not counted twice.
  assert.equal(importing(results([0, 1, 1, 1]), 'a').status, 0);
  const { status, stdout, stderr } = whet('eval', out, '--replay');
  assert.equal(status, 0, stderr);
  assert.match(stdout, /^a +4 +0\.750 /m);
  assert.match(stdout, /^player +pass\^1 +pass\^2\nb +0\.750 +0\.500\na +0\.750 +0\.500$/m);
  assert.match(stderr, /1 of 8 rewards differ from what tau-bench recorded: b\/airline\/0\/0 \(1, now 0\)\./);
  const kept = readFileSync(join(out, 'results.jsonl'), 'utf8').trimEnd().split('\n');
  assert.equal(kept.length, 8);
  whet('eval', out, '--replay');
  assert.deepEqual(readFileSync(join(out, 'results.jsonl'), 'utf8').trimEnd().split('\n'), kept);
});

test('says in one sentence what cannot be imported or replayed', () => {
  const file = results([1]);
  const other = ['--data', data, '--out', join(folder, 'other')];
  for (const [args, words] of [
    [
      ['benchmark', 'import', 'bfcl', file, ...other],
      /Runs of "bfcl" cannot be imported\. Known: tau-bench, tau2/,
    ],
    [['benchmark', 'import', 'tau-bench', file, ...other], /name the domain/],
    [['benchmark', 'import', 'tau2', file, ...other], /“results” should be an object, not list/],
    [
      ['benchmark', 'import', 'tau-bench', file, ...other, '--domain', 'airline'],
      /does not say who played\. Name the player with --player/,
    ],
    [
      [
        'benchmark',
        'import',
        'tau-bench',
        file,
        '--data',
        folder,
        '--out',
        out,
        '--domain',
        'airline',
        '--player',
        'x',
      ],
      /has no data of tau-bench/,
    ],
    [['eval', join(folder, 'other'), '--replay'], /There is no study here: .*log\.jsonl cannot be read/],
  ] as const) {
    const { status, stderr } = whet(...args);
    assert.notEqual(status, 0);
    assert.match(stderr, words);
  }
  assert.ok(!existsSync(join(folder, 'other')));
});

const recorded = fileURLToPath(new URL('../../../../../shared/data/tau-bench/', import.meta.url));

test(
  "prints tau-bench's published table of the airline",
  { skip: !existsSync(recorded) && 'the data of tau-bench are not on this machine' },
  () => {
    const file = join(recorded, 'airline/trajectories_gpt-4o_even_tasks.json');
    const place = ['--data', recorded, '--domain', 'airline', '--out', join(folder, 'airline')];
    const { stderr } = whet('benchmark', 'import', 'tau-bench', file, ...place, '--player', 'gpt-4o');
    assert.match(stderr, /100 episodes of gpt-4o/);
    const replay = whet('eval', join(folder, 'airline'), '--replay');
    assert.match(replay.stdout, /^gpt-4o +0\.490 +0\.387 +0\.340 +0\.320$/m);
    assert.match(replay.stderr, /All 100 rewards match what tau-bench recorded/);
  },
);
