import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { openPostgres } from '../../../grade/store/postgres/postgres.ts';
import { startPostgres } from '../../../grade/store/testing/postgres-server.ts';
import type { Cell } from '../../suite/cells.ts';
import type { StudyResult } from '../study-result.ts';
import { SharedStudy } from './shared-study.ts';
import { workStudy } from './work-study.ts';

let postgres: Awaited<ReturnType<typeof startPostgres>>;
before(async () => {
  postgres = await startPostgres();
});
after(() => postgres.remove());

const player = { name: 'a', operator: 'gold' };
const cells: readonly Cell[] = ['x', 'y', 'z'].map((scenario) => ({
  key: `a/c/${scenario}/0/0`,
  player,
  task: { kind: 'scenario', template: `c/${scenario}`, task: '0', collection: 'c', scenario, variant: 0 },
  trial: 0,
}));
const keys = cells.map(({ key }) => key);

function resultOf({ key, task }: Cell): StudyResult {
  return {
    key,
    player: 'a',
    template: task.template,
    task: '0',
    trial: 0,
    reward: 1,
    success: true,
    turns: 1,
    episode: `ep-${key}`,
  };
}

test('every try that failed is kept, by whichever worker; what was given up is put up again by the next run', async () => {
  const url = await postgres.database('faults');
  await (await openPostgres(url)).end();
  const tries = new Map<string, number>();
  let isMended = false;
  const play = (cell: Cell) => {
    const count = (tries.get(cell.key) ?? 0) + 1;
    tries.set(cell.key, count);
    if (cell.key.includes('/x/') && count === 1) throw new Error('lost once');
    if (cell.key.includes('/y/') && !isMended) throw new Error('lost for good');
    return Promise.resolve(resultOf(cell));
  };
  await using one = await SharedStudy.open(url, 'support');
  await using other = await SharedStudy.open(url, 'support');
  await one.enqueue(keys, [player]);
  await other.enqueue(keys, [player]);
  const [counts] = await Promise.all(
    [one, other].map((study) => workStudy(cells, study, { play, concurrency: 2, attempts: 2 })),
  );
  assert.deepEqual(
    { played: Number(counts?.played), failed: Number(counts?.failed), open: Number(counts?.open) },
    { played: 2, failed: 1, open: 0 },
  );
  const said = (faults: readonly { key: string; message: string }[]) =>
    faults.map(({ key, message }) => `${key} ${message}`);
  assert.deepEqual(said(await other.faults()).toSorted(), [
    'a/c/x/0/0 lost once',
    'a/c/y/0/0 lost for good',
    'a/c/y/0/0 lost for good',
  ]);
  assert.deepEqual(said(await other.givenUp()), ['a/c/y/0/0 lost for good']);

  isMended = true;
  await one.enqueue(keys, [player]);
  await workStudy(cells, one, { play, concurrency: 2 });
  assert.equal((await one.results(keys)).length, 3);
  assert.deepEqual(await one.givenUp(), []);
  assert.equal((await one.faults()).length, 3);
});
