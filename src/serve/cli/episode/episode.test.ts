import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const room = mkdtempSync(join(tmpdir(), 'whet-episode-'));
after(() => rmSync(room, { recursive: true }));
const data = ['--data', join(room, 'episodes.db')];

function whet(given: readonly string[], input = '') {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['bin/whet.js', ...given], {
    cwd: root,
    encoding: 'utf8',
    input,
  });
  return { status, stdout, stderr };
}

const { stdout } = whet(['run', 'customer-support/cancel-order', '--operator', 'hasty', '--json', ...data]);
const { episode_id: episode, reward } = JSON.parse(stdout) as { episode_id: string; reward: number };

test('whet shrink finds what failed, in a store and in a file, and what each call was worth', () => {
  const { status, stdout: told, stderr } = whet(['shrink', episode, '--json', ...data]);
  assert.equal(status, 0, stderr);
  const found = JSON.parse(told);
  assert.equal(found.before.reward, reward);
  assert.ok(found.after.calls < found.before.calls);
  assert.match(found.place, /cancel-order\/scenario\.yaml:\d+:\d+$/);
  assert.equal(found.credit.calls.length, found.before.calls);
  const file = join(room, 'transcript.json');
  writeFileSync(file, JSON.stringify(found.transcript));
  const again = JSON.parse(whet(['shrink', file, '--json', '--criterion', found.criterion.id]).stdout);
  assert.deepEqual(again.transcript, found.transcript);
  const absent = whet(['shrink', 'ep_none', ...data]);
  assert.deepEqual([absent.status, /neither an episode "ep_none"/.test(absent.stderr)], [2, true]);
});

test('whet fork plays a stored episode on, by an operator and by hand', () => {
  const flags = ['--turn', '0', '--operator', 'gold', '--json', '--trials', '2', ...data];
  const { status, stdout: told, stderr } = whet(['fork', episode, ...flags]);
  assert.equal(status, 0, stderr);
  const lines = told
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    lines.map(({ reward: earned, forked_from }) => [earned, forked_from]),
    [0, 0].map((turn) => [1, { episode_id: episode, turn }]),
  );
  assert.match(stderr, /From turn 0: 2 trials, reward 1\.000/);
  const first = lines[0].episode_id as string;
  const byHand = whet(['fork', first, '--turn', '2', ...data], 'What is your order number?\n/end\n');
  assert.equal(byHand.status, 0, byHand.stderr);
  assert.match(byHand.stderr, /^2 {2}Operator: /m);
  assert.equal(whet(['fork', first, '--turn', '99', ...data], '').status, 2);
});
