import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const whet = fileURLToPath(new URL('../../../../bin/whet.js', import.meta.url));

function run(args: readonly string[], input: string) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [whet, 'eval', ...args], {
    input,
    encoding: 'utf8',
  });
  const answers = stdout
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, never>);
  return { status, answers, stderr };
}

test('whet eval stats answers each study with a line, and a bad line stops no other', () => {
  const results = [
    { template: 'a', task: '1', reward: 1 },
    { template: 'a', task: '1', reward: 0 },
    { template: 'b', task: '1', reward: 0.5, success: true },
    { template: 'b', task: '1', reward: 1 },
  ];
  const lines = [
    JSON.stringify({ id: 's', results, k: [1, 2, 9] }),
    '{"id": "empty", "results": []}',
    'not JSON',
    '{"id": "odd", "results": [{"task": "x", "reward": 2}]}',
    '{"id": "k", "results": [{"task": "x", "reward": 1}], "k": [0]}',
  ];
  const { status, answers } = run(['stats', '--jsonl'], lines.join('\n'));
  assert.equal(status, 1);
  const [study, ...bad] = answers as unknown as [Record<string, unknown>, ...Record<string, unknown>[]];
  assert.deepEqual([study['id'], study['results'], study['tasks'], study['templates']], ['s', 4, 2, 2]);
  assert.deepEqual(study['pass_at_k'], { 1: 0.75, 2: 1 });
  assert.deepEqual(study['pass_hat_k'], { 1: 0.75, 2: 0.5 });
  assert.deepEqual(
    bad.map(({ id, error }) => [id, (error as { code: string }).code]),
    [
      ['empty', 'results_invalid'],
      [null, 'json_syntax'],
      ['odd', 'results_invalid'],
      ['k', 'results_invalid'],
    ],
  );
});

test('whet eval compare and gate answer as they are asked', () => {
  const side = (shift: number) =>
    Array.from({ length: 12 }, (_, index) => ({
      template: `${index % 6}`,
      task: `${index}`,
      reward: 0.2 + shift + (index % 5) / 50,
    }));
  const compared = run(['compare', '--jsonl'], JSON.stringify({ id: 'c', a: side(0), b: side(0.3) }));
  assert.equal(compared.status, 0);
  assert.deepEqual(
    [compared.answers[0]!['verdict'], compared.answers[0]!['on'], compared.answers[0]!['tasks']],
    ['b better', 'reward', 12],
  );
  const gate = run(
    ['gate', '--jsonl'],
    '{"id":"g","at_least":0.8,"results":[1,0,0,0,0,0,0]}\n{"id":"u","at_least":0.5,"results":[]}',
  );
  assert.deepEqual(gate.answers as unknown, [
    { id: 'g', verdict: 'fail', after: 5 },
    { id: 'u', verdict: 'undecided', after: null },
  ]);
});

test('a command that is used wrongly ends with 2', () => {
  assert.equal(run(['stats', '--jsonl', '/no/such/file'], '').status, 2);
  assert.equal(run(['stats'], '').status, 2);
});

test('whet eval gate --aa sets each player of a study against itself, the same way for the same seed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'whet-aa-'));
  try {
    const results = Array.from({ length: 40 }, (_, trial) =>
      [
        { player: 'sure', template: 'a', task: '0', trial, reward: 1, success: true },
        { player: 'even', template: 'a', task: '0', trial, reward: trial % 2, success: trial % 2 === 1 },
      ].map((each) => `${JSON.stringify(each)}\n`),
    );
    writeFileSync(join(folder, 'results.jsonl'), results.flat().join(''));
    const ask = () => run(['gate', '--aa', folder, '--rounds', '100', '--seed', '7', '--json'], '');
    const { status, answers, stderr } = ask();
    assert.equal(status, 0, stderr);
    assert.deepEqual(
      answers.map(({ player, rate, rounds, flips, verdicts, seed }) => [
        player,
        rate,
        rounds,
        flips,
        verdicts,
        seed,
      ]),
      [
        ['sure', 1, 100, 0, { pass: 200, fail: 0, undecided: 0 }, 7],
        ['even', 0.5, 100, 0, { pass: 0, fail: 200, undecided: 0 }, 7],
      ] as unknown[],
    );
    assert.deepEqual(ask().answers, answers);
    assert.equal(run(['gate', '--aa', join(folder, 'absent')], '').status, 2);
    assert.equal(run(['gate', '--aa', folder, '--jsonl'], '').status, 2);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
