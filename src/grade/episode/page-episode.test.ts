/** Episodes whose world is a page: played through the engine, taken up by another one, graded again without a browser. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { loadCatalog } from '../scenario/load/catalog.ts';
import { messagesOf } from '../scenario/paths.ts';
import { scoringOf } from '../score/scoring.ts';
import { SqliteStore } from '../store/sqlite/sqlite-store.ts';
import { EpisodeEngine } from './engine.ts';
import { evaluate } from './evaluate.ts';
import { regrade } from './regrade.ts';
import { TaskBook } from './task-book.ts';

const folder = mkdtempSync(join(tmpdir(), 'whet-page-'));
const store = new SqliteStore(join(folder, 'data.db'));
after(async () => {
  await store[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});
const tasks = new TaskBook(loadCatalog(fileURLToPath(new URL('../../../scenarios', import.meta.url))));
const caller = { id: 'local', explain: true };
const names = { collection: 'web', scenario: 'club-form', variant: 2 };

test('an episode on a page is taken up by another server, forked, and graded again without a browser', async () => {
  const first = new EpisodeEngine({ store, tasks });
  const { record } = await first.create(caller, { ...names, scoreTurns: true, hash: 'create' });
  const turns = tasks.taskOf(record).gold.map(messagesOf);
  const submit = (engine: EpisodeEngine, id: string, turn: number) =>
    engine.submitTurn(caller, id, { messages: turns[turn - 1]!, turn, hash: `${id} ${turn}` });
  for (const turn of [1, 2]) await submit(first, record.id, turn);
  await first[Symbol.asyncDispose]();
  await using second = new EpisodeEngine({ store, tasks });
  const fork = await second.fork(caller, record.id, { turn: 2, hash: 'fork' });
  for (const { id } of [record, fork.record]) {
    await submit(second, id, 3);
    const { outcome } = await submit(second, id, 4);
    assert.equal(outcome.final?.reward, 1);
    assert.equal(outcome.ended, 'completed');
  }
  for await (const { change, fault } of regrade(store, tasks, { owner: 'local', scoring: scoringOf('1.0') }))
    assert.deepEqual([change, fault], [0, undefined]);
  const { grade } = await evaluate(second, caller, { ...names, messages: turns.flat() });
  assert.equal(grade.reward, 1);
});

test('a server without a browser says so in a sentence, and still lists what it cannot play', async (context) => {
  const before = process.env['WHET_BROWSER'];
  context.after(() => {
    if (before === undefined) delete process.env['WHET_BROWSER'];
    else process.env['WHET_BROWSER'] = before;
  });
  process.env['WHET_BROWSER'] = '/nowhere/chromium';
  await using engine = new EpisodeEngine({ store, tasks });
  await assert.rejects(engine.create(caller, { ...names, scoreTurns: true, hash: 'none' }), {
    code: 'page_not_shown',
    message:
      'The world of web/club-form is a page, and it cannot be shown: There is no browser at /nowhere/chromium.',
  });
  const { slugs } = tasks.catalog.collections.find(({ slug }) => slug === 'web')!;
  assert.deepEqual(slugs, ['club-form', 'small-shop']);
});
