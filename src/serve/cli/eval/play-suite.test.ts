import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const whet = fileURLToPath(new URL('../../../../bin/whet.js', import.meta.url));
const scenarios = fileURLToPath(new URL('../../../../scenarios', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'whet-suite-'));
after(() => rmSync(folder, { recursive: true }));

const suite = join(folder, 'small.yaml');
writeFileSync(
  suite,
  'tasks: [{ scenarios: customer-support/*, split: train }]\nplayers: [{ operator: gold }, { operator: random }]\ntrials: 2\nconcurrency: 2\n',
);

function argumentsOf(...args: readonly string[]): string[] {
  return [whet, 'eval', suite, '--scenarios', scenarios, ...args];
}

function evaluate(...args: readonly string[]) {
  return spawnSync(process.execPath, argumentsOf(...args), { encoding: 'utf8', cwd: folder });
}

/** The results of a study in the order of their keys, without the names of episodes, which differ. */
function resultsIn(out: string): readonly unknown[] {
  return readFileSync(join(out, 'log.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line) as { readonly key: string })
    .map((result) => ({ ...result, episode: '' }))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

test('whet eval plays a suite, and one that was killed comes to the same results', async () => {
  const [alone, killed] = [join(folder, 'alone'), join(folder, 'killed')];
  const { status, stdout } = evaluate('--out', alone, '--json');
  assert.equal(status, 0);
  const players = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly player: string; readonly results: number });
  assert.deepEqual(
    players.map(({ player, results }) => [player, results]),
    [
      ['gold', 10],
      ['random', 10],
    ],
  );

  const child = spawn(process.execPath, argumentsOf('--out', killed), { cwd: folder });
  for await (const said of child.stderr) if (String(said).includes('4 of 20 played')) child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  const again = evaluate('--out', killed);
  assert.equal(again.status, 0, again.stderr);
  assert.match(again.stderr, /were played before, and are kept/);
  assert.deepEqual(resultsIn(killed), resultsIn(alone));
});

test('whet eval --plan says what would be played and what it could show', () => {
  const { status, stdout } = evaluate('--plan', '--trials', '8');
  assert.equal(status, 0);
  assert.match(stdout, /5 tasks of 5 scenarios, 2 players, 8 trials: 80 episodes\. .* differ by 0\.\d\d /);
});

test('a suite or a player that does not exist ends whet eval with 2', () => {
  const other = join(folder, 'other.yaml');
  writeFileSync(other, 'tasks: [{ scenarios: "*/*" }]\nplayers: [{ operator: golden }]\n');
  const wrong = spawnSync(process.execPath, [whet, 'eval', other, '--scenarios', scenarios], {
    encoding: 'utf8',
  });
  assert.equal(wrong.status, 2);
  assert.match(wrong.stderr, /no operator "golden".*Known: gold.*suite_invalid/);
  const absent = spawnSync(process.execPath, [whet, 'eval', join(folder, 'absent.yaml')], {
    encoding: 'utf8',
  });
  assert.equal(absent.status, 2);
});
