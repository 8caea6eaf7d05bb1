import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { loadCatalog } from '../scenario/load/catalog.ts';
import { messagesOf } from '../scenario/paths.ts';
import { SqliteStore } from '../store/sqlite/sqlite-store.ts';
import { EpisodeEngine } from './engine.ts';
import { hashOf } from './request-hash.ts';
import type { Caller, ForkRequest } from './request.ts';
import { TaskBook } from './task-book.ts';

const folder = mkdtempSync(join(tmpdir(), 'whet-fork-'));
const store = new SqliteStore(join(folder, 'data.db'));
after(async () => {
  await store[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});
const catalog = loadCatalog(fileURLToPath(new URL('../../../scenarios', import.meta.url)));
const engine = new EpisodeEngine({ store, tasks: new TaskBook(catalog) });
const caller: Caller = { id: 'local', explain: true };

const { record: played } = await engine.create(caller, {
  collection: 'customer-support',
  scenario: 'cancel-order',
  scoreTurns: true,
  hash: 'played',
});
const { gold } = engine.tasks.taskOf(played);
for (const [index, step] of gold.entries())
  await engine.submitTurn(caller, played.id, { messages: messagesOf(step), hash: `${index}` });

function at(turn: number, change: Partial<ForkRequest> = {}): ForkRequest {
  return { turn, hash: hashOf(['fork', turn]), ...change };
}

test('an episode forked at any turn and played on as before comes to the same, bit for bit', async () => {
  const whole = await engine.read(caller, played.id);
  assert.equal(whole.record.reward, 1);
  for (let turn = 0; turn < gold.length; turn++) {
    const { record, repeated } = await engine.fork(caller, played.id, at(turn));
    assert.deepEqual([record.status, record.turnCount, repeated], ['open', turn, false]);
    for (const [index, step] of gold.entries())
      if (index >= turn)
        await engine.submitTurn(caller, record.id, { messages: messagesOf(step), hash: `${index}` });
    const fork = await engine.read(caller, record.id);
    assert.deepEqual(fork.turns, whole.turns);
    assert.deepEqual(fork.state, whole.state);
    assert.equal(fork.record.grade, whole.record.grade);
    assert.deepEqual(fork.options.forkedFrom, { episode: played.id, turn });
    assert.equal(fork.record.group, `${played.id}@${turn}`);
    const rows = [await store.readTurns(played.id), await store.readTurns(record.id)];
    assert.deepEqual(
      rows[0]!.map(({ answer }) => answer),
      rows[1]!.map(({ answer }) => answer),
    );
  }
});

test('a fork is made once for an idempotency key', async () => {
  const request = at(1, { idempotencyKey: 'once' });
  const first = await engine.fork(caller, played.id, request);
  const again = await engine.fork(caller, played.id, request);
  assert.deepEqual([again.record.id, again.repeated], [first.record.id, true]);
  await assert.rejects(engine.fork(caller, played.id, at(2, { idempotencyKey: 'once' })), {
    code: 'idempotency_conflict',
  });
});

test('a turn that is not there, that ended the episode, or of which the world answers otherwise now, is refused', async () => {
  await assert.rejects(engine.fork(caller, played.id, at(99)), {
    code: 'fork_refused',
    message: /no turn 99/,
  });
  await assert.rejects(engine.fork(caller, played.id, at(gold.length)), {
    code: 'fork_refused',
    message: /ended with its turn \d+ \(completed\)/,
  });
  await assert.rejects(engine.fork({ id: 'another', explain: true }, played.id, at(1)), {
    code: 'episode_unknown',
  });
  const rows = await store.readTurns(played.id);
  const called = rows.findIndex(({ outcomes }) => outcomes !== '[]');
  const changed = rows.with(called, {
    ...rows[called]!,
    outcomes: rows[called]!.outcomes.replace('"output":"', '"output":"of old: '),
  });
  const row = await store.readEpisode(played.id);
  await store.restoreEpisode(
    { ...row!, id: 'ep_old', createdKey: null },
    changed.map((one) => ({ ...one, episode: 'ep_old' })),
  );
  await assert.rejects(engine.fork(caller, 'ep_old', at(called + 1)), {
    code: 'fork_refused',
    message: /does not come out as it did/,
  });
  assert.equal((await engine.fork(caller, 'ep_old', at(called))).record.turnCount, called);
});

test('a fork counts against the episodes that a key may have open', async () => {
  const few: Caller = { id: 'few', explain: false, maxEpisodes: 1 };
  const { record } = await engine.create(few, {
    collection: 'customer-support',
    scenario: 'cancel-order',
    scoreTurns: false,
    hash: 'few',
  });
  await assert.rejects(engine.fork(few, record.id, at(0)), { code: 'episodes_exhausted' });
  await engine.end(few, record.id, 'client_terminated');
  assert.equal((await engine.fork(few, record.id, at(0))).record.status, 'open');
});
