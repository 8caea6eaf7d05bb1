import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

import type { Cell } from '../suite/cells.ts';
import { runStudy } from './run-study.ts';
import { StudyLog, type StudyResult } from './study-log.ts';
import { summarize } from './summary.ts';

const folder = mkdtempSync(join(tmpdir(), 'whet-study-'));
after(() => rmSync(folder, { recursive: true }));

const players = [
  { name: 'a', operator: 'gold' },
  { name: 'b', operator: 'random' },
];
const cells: readonly Cell[] = ['x', 'y', 'z'].flatMap((scenario) =>
  players.map((player) => ({
    key: `${player.name}/c/${scenario}/0/0`,
    player,
    collection: 'c',
    scenario,
    variant: 0,
    trial: 0,
  })),
);

function resultOf({ key, player, scenario }: Cell): StudyResult {
  const reward = player.name === 'a' ? 1 : 0;
  return {
    key,
    player: player.name,
    template: scenario,
    task: '0',
    trial: 0,
    reward,
    success: reward === 1,
    turns: 1,
    episode: `ep-${key}`,
  };
}

test('a study goes on where it was stopped, and a line that was cut off is played again', async () => {
  const file = join(folder, 'cut/log.jsonl');
  const played: string[] = [];
  const play = (cell: Cell) => {
    played.push(cell.key);
    return Promise.resolve(resultOf(cell));
  };
  {
    using log = new StudyLog(file, players);
    await runStudy(cells.slice(0, 4), log, { play, concurrency: 2 });
  }
  const before = readFileSync(file, 'utf8');
  appendFileSync(file, JSON.stringify(resultOf(cells[4]!)).slice(0, 30));
  {
    using log = new StudyLog(file, players);
    assert.equal(log.results.length, 4);
    assert.equal(readFileSync(file, 'utf8'), before);
    await runStudy(cells, log, { play, concurrency: 2 });
    assert.equal(log.results.length, 6);
  }
  assert.deepEqual(played.toSorted(), cells.map(({ key }) => key).toSorted());
});

test('what the world did wrong is tried again, told apart, and left for the next run', async () => {
  const file = join(folder, 'faults/log.jsonl');
  using log = new StudyLog(file, players);
  const tries = new Map<string, number>();
  const faults = await runStudy(cells, log, {
    concurrency: 3,
    attempts: 2,
    play: (cell) => {
      const count = (tries.get(cell.key) ?? 0) + 1;
      tries.set(cell.key, count);
      if (cell.scenario === 'x' && count === 1) throw new Error('lost once');
      if (cell.scenario === 'y') throw new Error('lost for good');
      return Promise.resolve(resultOf(cell));
    },
  });
  assert.deepEqual(
    faults.map(({ key, message }) => [key, message]),
    [
      ['a/c/y/0/0', 'lost for good'],
      ['b/c/y/0/0', 'lost for good'],
    ],
  );
  assert.equal(log.results.length, 4);
  assert.equal(log.has('a/c/y/0/0'), false);
  const next = await runStudy(cells, log, {
    concurrency: 1,
    play: (cell) => Promise.resolve(resultOf(cell)),
  });
  assert.deepEqual(next, []);
  assert.equal(log.results.length, 6);
});

test('another player under the same name, or another file, is refused', () => {
  const file = join(folder, 'other/log.jsonl');
  new StudyLog(file, players)[Symbol.dispose]();
  const changed = [{ name: 'a', operator: 'hasty' }];
  assert.throws(() => new StudyLog(file, changed), {
    code: 'study_mismatch',
    message: /"a" was .*gold.*hasty/,
  });
  const foreign = join(folder, 'foreign.jsonl');
  appendFileSync(foreign, '{"id": 1}\n');
  assert.throws(() => new StudyLog(foreign, players), { code: 'study_mismatch', message: /foreign\.jsonl/ });
  appendFileSync(join(folder, 'text.jsonl'), 'hello\n');
  assert.throws(() => new StudyLog(join(folder, 'text.jsonl'), players), { code: 'study_mismatch' });
});

test('players are compared with the one above, the best first', () => {
  const [best, worst] = summarize(cells.toReversed().map(resultOf));
  assert.deepEqual([best?.player, best?.reward, best?.comparison], ['a', 1, undefined]);
  assert.deepEqual([worst?.player, worst?.success, worst?.comparison?.difference], ['b', 0, -1]);
});
