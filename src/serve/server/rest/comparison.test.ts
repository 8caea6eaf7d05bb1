import assert from 'node:assert/strict';
import { before, test } from 'node:test';

import { buildTask } from '../../../grade/scenario/build-task.ts';
import { findScenario } from '../../../grade/scenario/load/catalog.ts';
import type { ComparisonAnswer, FailuresAnswer } from '../../api/comparison.ts';
import { createKey } from '../../http/keys.ts';
import { bundledCatalog, lumbar, say, testServer } from '../testing/test-server.ts';

const server = await testServer();
const study = 'a/b & c';

before(async () => {
  for (const [player, trials] of [
    ['good', 2],
    ['hasty', 2],
  ] as const)
    for (let trial = 0; trial < trials; trial++)
      for (const variant of [0, 1]) {
        const { gold } = buildTask(findScenario(bundledCatalog, 'case-management', 'lumbar-strain'), variant);
        const { body } = await server.post('/api/v1/episodes', {
          ...lumbar,
          variant,
          seed: trial,
          study,
          player,
        });
        const path = `/api/v1/episodes/${body.episode_id}`;
        const turns = player === 'good' ? gold : gold.slice(-1);
        for (const { say: words, calls } of turns)
          await server.post(`${path}/turns`, { messages: [say(words ?? '', ...(calls ?? []))] });
        await server.send('DELETE', path);
      }
});

const runOf = (player: string): string => `${encodeURIComponent(study)}/${player}`;

async function compared(...runs: readonly string[]): Promise<ComparisonAnswer> {
  const { status, body, text } = await server.get(
    `/api/v1/comparison?${new URLSearchParams(runs.map((run) => ['run', run]))}`,
  );
  assert.equal(status, 200, text);
  return body;
}

test('runs are beside each other task by task, and the first is what the others are held against', async () => {
  const { runs, tasks } = await compared(runOf('good'), runOf('hasty'));
  assert.deepEqual(
    runs.map(({ player, episodes, tasks: own, pass_hat_k: rates }) => [player, episodes, own, rates]),
    [
      ['good', 4, 2, { 1: 1, 2: 1 }],
      ['hasty', 4, 2, { 1: 0, 2: 0 }],
    ],
  );
  assert.equal(runs[0]!.against, undefined);
  assert.ok(runs[1]!.against!.difference < -0.5, JSON.stringify(runs[1]!.against));
  // Two variants of one scenario resemble each other: that says nothing of others.
  assert.deepEqual([runs[1]!.against!.interval, runs[1]!.against!.verdict], [undefined, 'undecided']);
  assert.deepEqual(
    tasks.map(({ variant, cells }) => [variant, cells.map((cell) => cell?.complete)]),
    [
      [0, [2, 2]],
      [1, [2, 2]],
    ],
  );
  assert.equal(runs[0]!.distributions['discovery']!.at(-1), 4);
});

test('a run may be all that a player played, or a whole study; one that nobody played is empty', async () => {
  const { runs, tasks } = await compared('/good', `${encodeURIComponent(study)}/`, 'none/good');
  assert.deepEqual(
    runs.map(({ episodes, scenarios }) => [episodes, scenarios]),
    [
      [4, 1],
      [8, 1],
      [0, 0],
    ],
  );
  assert.deepEqual(tasks[0]!.cells[2], null);
  for (const wrong of ['', '?run=x', '?run=/', '?run=%25zz/a', `?${'run=a/b&'.repeat(7)}`])
    assert.equal((await server.get(`/api/v1/comparison${wrong}`)).status, 400, wrong);
});

test('what was missed is told the dearest first, with examples, to whoever may explain', async () => {
  const path = `/api/v1/failures?study=${encodeURIComponent(study)}`;
  const { episodes, failures } = (await server.get(path)).body as FailuresAnswer;
  assert.equal(episodes, 8);
  assert.ok(failures.some(({ kind, episodes: in_ }) => kind === 'fact' && in_ === 4));
  assert.deepEqual(
    failures.map(({ lost }) => lost),
    failures.map(({ lost }) => lost).toSorted((one, other) => other - one),
  );
  const [first] = failures;
  const { body: worst } = await server.get(`/api/v1/episodes/${first!.examples[0]!.episode_id}`);
  assert.equal(worst.player.name, 'hasty');
  const good = (await server.get(`${path}&player=good`)).body as FailuresAnswer;
  assert.deepEqual([good.episodes, good.failures], [4, []]);

  const closed = await testServer({ open: false });
  const { key } = await createKey(closed.store, { name: 'trainer' }, 0);
  const told = await closed.get(path, { authorization: `Bearer ${key}` });
  assert.deepEqual(told.body.failures, []);
});
