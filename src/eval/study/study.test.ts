import assert from 'node:assert/strict';
import fs, { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { WhetstoneError } from '../../base/host/errors.ts';
import type { Cell } from '../suite/cells.ts';
import { faultOf } from './fault.ts';
import { runStudy } from './run-study.ts';
import { StudyLog } from './study-log.ts';
import type { StudyResult } from './study-result.ts';
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
    task: { kind: 'scenario', template: `c/${scenario}`, task: '0', collection: 'c', scenario, variant: 0 },
    trial: 0,
  })),
);

function resultOf({ key, player, task }: Cell): StudyResult {
  const reward = player.name === 'a' ? 1 : 0;
  return {
    key,
    player: player.name,
    template: task.template,
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
    assert.equal(log.size, 4);
    assert.equal(readFileSync(file, 'utf8'), before);
    await runStudy(cells, log, { play, concurrency: 2 });
    assert.equal(log.size, 6);
  }
  assert.deepEqual(played.toSorted(), cells.map(({ key }) => key).toSorted());
});

test('who failed where it was not the player is told apart', () => {
  const model = (kind: string) => new WhetstoneError('model_failed', 'no', { details: { kind } });
  const person = new WhetstoneError('person_failed', 'no', { cause: model('rate_limit') });
  const said = [person, model('network'), model('context'), model('authentication'), new Error('x')].map(
    (error) => {
      const { side, kind, world, access } = faultOf(error);
      return [side, kind, world, access];
    },
  );
  assert.deepEqual(said, [
    ['person', 'rate_limit', true, false],
    ['infrastructure', 'network', true, false],
    ['infrastructure', 'context', false, false],
    ['infrastructure', 'authentication', true, true],
    ['infrastructure', 'unknown', true, false],
  ]);
});

test('what the world did wrong is tried again, told apart, and left for the next run', async () => {
  const file = join(folder, 'faults/log.jsonl');
  using log = new StudyLog(file, players);
  const tries = new Map<string, number>();
  const { faults } = await runStudy(cells, log, {
    concurrency: 3,
    attempts: 2,
    play: (cell) => {
      const count = (tries.get(cell.key) ?? 0) + 1;
      tries.set(cell.key, count);
      if (cell.key.split('/')[2] === 'x' && count === 1) throw new Error('lost once');
      if (cell.key.split('/')[2] === 'y') throw new Error('lost for good');
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
  assert.equal(log.size, 4);
  // Every try that failed is in the log, and none is a result: lost once twice, and for good two times two.
  assert.deepEqual(
    [...log.faults()].map(({ player, side, kind }) => `${player} ${side} ${kind}`).toSorted(),
    ['a', 'a', 'a', 'b', 'b', 'b'].map((player) => `${player} infrastructure unknown`),
  );
  assert.equal(log.has('a/c/y/0/0'), false);
  const next = await runStudy(cells, log, {
    concurrency: 1,
    play: (cell) => Promise.resolve(resultOf(cell)),
  });
  assert.deepEqual(next.faults, []);
  assert.equal(log.size, 6);
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

test('what a full disk cut off is not a line, and nothing of what was played before is lost', () => {
  const file = join(folder, 'full/log.jsonl');
  const write = fs.writeSync;
  {
    using log = new StudyLog(file, players);
    log.add(resultOf(cells[0]!));
    const before = readFileSync(file, 'utf8');
    try {
      fs.writeSync = () => {
        throw new Error('ENOSPC: no space left on device');
      };
      syncBuiltinESMExports();
      assert.throws(() => log.add(resultOf(cells[1]!)), {
        code: 'study_unwritten',
        message: /ENOSPC.*same command again/,
      });
    } finally {
      fs.writeSync = write;
      syncBuiltinESMExports();
    }
    assert.equal(readFileSync(file, 'utf8'), before);
    log.add(resultOf(cells[2]!));
  }
  using again = new StudyLog(file, players);
  assert.deepEqual(
    [...again.results()].map(({ key }) => key),
    [cells[0]!.key, cells[2]!.key],
  );
});

test('a log is read by its index, and one whose index is lost, cut or of another log is read again', () => {
  const file = join(folder, 'indexed/log.jsonl');
  const keys = () => {
    using log = new StudyLog(file, players);
    return [...log.results()].map(({ key }) => key);
  };
  {
    using log = new StudyLog(file, players);
    for (const cell of cells) log.add(resultOf(cell));
    log.requeue(cells[1]!.key);
    assert.equal(log.has(cells[1]!.key), false);
    log.add(resultOf(cells[1]!));
  }
  const all = [0, 2, 3, 4, 5, 1].map((at) => cells[at]!.key);
  assert.deepEqual(keys(), all);
  const index = readFileSync(`${file}.index`);
  for (const spoilt of [Buffer.alloc(0), index.subarray(0, 50), Buffer.alloc(240, 255), index]) {
    fs.writeFileSync(`${file}.index`, spoilt);
    assert.deepEqual(keys(), all);
  }
  rmSync(`${file}.index`);
  assert.deepEqual(keys(), all);
});

test('who has used up what it may waits, and goes on when its limit is raised; a requeued cell is played again', async () => {
  const file = join(folder, 'limits/log.jsonl');
  const model = { name: 'm', model: 'mock', limits: { requests: 2 } };
  const own: readonly Cell[] = cells.map((cell, index) => ({ ...cell, key: `m/${index}`, player: model }));
  const play = (cell: Cell) =>
    Promise.resolve({ ...resultOf(cell), player: 'm', spent: { requests: 1, tokens: 10 } });
  using log = new StudyLog(file, [model]);
  const first = await runStudy(own, log, { play, concurrency: 1 });
  assert.deepEqual([log.size, first.held.length], [2, 4]);
  let requeue: readonly string[] = ['m/0'];
  const control = () => {
    const said = { paused: false, limits: { m: { requests: 5 } }, requeue };
    requeue = [];
    return said;
  };
  const second = await runStudy(own, log, { play, concurrency: 1, control });
  // What was taken back was paid for all the same: three more are played, and two wait.
  assert.deepEqual([log.size, second.held.length], [4, 2]);
});
