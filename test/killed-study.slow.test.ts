import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { sleep } from '../src/base/host/clock.ts';
import { seededRandom } from '../src/base/host/random.ts';
import { rounds, seed } from './rounds.ts';

const whet = fileURLToPath(new URL('../bin/whet.js', import.meta.url));
const scenarios = fileURLToPath(new URL('../scenarios', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'whet-killed-study-'));
const running = new Set<ChildProcess>();
after(() => {
  for (const child of running) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** One life of a study: its process, and how it ended. */
function start(out: string) {
  const child = spawn(
    process.execPath,
    [whet, 'eval', 'study.yaml', '--scenarios', scenarios, '--out', out, '--json'],
    { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  running.add(child);
  let [table, words] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (table += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (words += chunk.toString()));
  const ended = new Promise<{ readonly code: number | null; readonly table: string; readonly words: string }>(
    (resolve) =>
      child.once('close', (code) => {
        running.delete(child);
        resolve({ code, table, words });
      }),
  );
  return { child, ended };
}

const sizeOf = (out: string): number =>
  statSync(join(folder, out, 'log.jsonl'), { throwIfNoEntry: false })?.size ?? 0;
const written = (out: string): string => readFileSync(join(folder, out, 'results.jsonl'), 'utf8');

test('a study that is killed again and again ends with the same bytes as one left alone', async () => {
  // WHET_ROUNDS=334 makes a hundred kills of 500 episodes.
  const kills = rounds(0.3);
  writeFileSync(
    join(folder, 'hello.json'),
    JSON.stringify([{ text: 'Hello, what is it about?', times: 99 }]),
  );
  writeFileSync(
    join(folder, 'study.yaml'),
    `tasks: [{ scenarios: case-management/lumbar-strain, variants: 5 }]
players: [{ operator: gold }, { operator: hasty }, { name: polite, model: mock, script: hello.json }, { operator: careful }]
trials: ${Math.ceil(kills / 4)}
concurrency: 4
`,
  );
  const alone = await start('alone').ended;
  assert.equal(alone.code, 0, alone.words);
  const cells = written('alone').trim().split('\n').length;

  const random = seededRandom(seed('killed study'));
  // So many bytes of the log to a life that the study lasts for all the kills.
  const share = sizeOf('alone') / (kills + 1);
  let killed = 0;
  let last = { code: null as number | null, table: '', words: '' };
  while (last.code === null) {
    const life = start('killed');
    const isAlive = () => life.child.exitCode === null && life.child.signalCode === null;
    const until = sizeOf('killed') + random() * share;
    if (killed < kills) {
      // The moment is somewhere in the writing of a result, in the next episodes, or still in the taking up.
      while (isAlive() && sizeOf('killed') < until) await sleep(random() * 10);
      if (isAlive() && life.child.kill('SIGKILL')) killed++;
    }
    last = await life.ended;
  }
  assert.equal(last.code, 0, last.words);
  assert.equal(last.table, alone.table);
  assert.equal(written('killed'), written('alone'));
  const keys = readFileSync(join(folder, 'killed/log.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => (JSON.parse(line) as { readonly key: string }).key);
  assert.equal(keys.length, cells);
  assert.equal(new Set(keys).size, cells, 'what was played and written down was played again');
  console.log(`# killed study: ${killed} kills, ${cells} episodes`);
});
