import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import type { Clock } from '../../base/host/clock.ts';
import { loadCatalog } from '../scenario/load/catalog.ts';
import type { TurnMessage } from '../scenario/transcript.ts';
import { gradeTranscript } from '../score/grade-transcript.ts';
import { SqliteStore } from '../store/sqlite/sqlite-store.ts';
import { EpisodeEngine } from './engine.ts';
import { evaluate } from './evaluate.ts';
import { hashOf } from './request-hash.ts';
import type { Caller, CreateRequest, TurnRequest } from './request.ts';
import { TaskBook } from './task-book.ts';
import { readWindow } from './window.ts';

const folder = mkdtempSync(join(tmpdir(), 'whet-engine-'));
const file = join(folder, 'data.db');
const store = new SqliteStore(file);
after(async () => {
  await store[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** A clock that stands until it is moved, and calls back at once what became due. */
class HandClock implements Clock {
  time = 1_800_000_000_000;
  now = (): number => this.time;
  monotonic = (): number => this.time;
  after = (): (() => void) => () => {};
}

const clock = new HandClock();
const catalog = loadCatalog(fileURLToPath(new URL('../../../scenarios', import.meta.url)));
const engineOn = (on = store): EpisodeEngine =>
  new EpisodeEngine({ store: on, tasks: new TaskBook(catalog), clock });
const engine = engineOn();
const caller: Caller = { id: 'local', explain: true };

function create(change: Partial<CreateRequest> = {}): CreateRequest {
  return {
    collection: 'case-management',
    scenario: 'lumbar-strain',
    scoreTurns: true,
    hash: 'create',
    ...change,
  };
}

function turn(words: string, change: Partial<TurnRequest> = {}): TurnRequest {
  const messages: readonly TurnMessage[] = [{ role: 'assistant', content: words }];
  return { messages, hash: hashOf([words, change.turn ?? null]), ...change };
}

test('two turns in flight at once: the first wins, the other learns which turn was taken', async () => {
  const { record } = await engine.create(caller, create());
  const race = await Promise.allSettled([
    engine.submitTurn(caller, record.id, turn('Where?')),
    engine.submitTurn(caller, record.id, turn('When?')),
  ]);
  assert.equal(race[0].status, 'fulfilled');
  assert.equal(race[1].status, 'rejected');
  const { code, details } = (race[1] as PromiseRejectedResult).reason;
  assert.deepEqual([code, details], ['turn_conflict', { turn: 1 }]);
});

test('two servers before one store: one wins a turn, the other answers the same or conflicts', async () => {
  const second = new SqliteStore(file);
  const other = engineOn(second);
  const { record } = await engine.create(caller, create());
  const same = await Promise.all([
    engine.submitTurn(caller, record.id, turn('Where?', { turn: 1 })),
    other.submitTurn(caller, record.id, turn('Where?', { turn: 1 })),
  ]);
  assert.deepEqual(same[0].outcome, same[1].outcome);
  assert.deepEqual(same.map(({ repeated }) => repeated).toSorted(), [false, true]);

  const different = await Promise.allSettled([
    engine.submitTurn(caller, record.id, turn('When?')),
    other.submitTurn(caller, record.id, turn('How?')),
  ]);
  assert.deepEqual(different.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);

  const next = await other.submitTurn(caller, record.id, turn('And the doctor?'));
  const last = await engine.submitTurn(caller, record.id, turn('Thank you.'));
  assert.deepEqual([next.outcome.turn, last.outcome.turn], [3, 4]);
  await second[Symbol.asyncDispose]();
});

test('the stored transcript graded again gives the same number, bit for bit', async () => {
  const { record } = await engine.create(caller, create());
  const task = engine.tasks.taskOf(record);
  let rewards: (number | undefined)[] = [];
  for (const { say = '', calls = [] } of task.gold) {
    const messages = [{ role: 'assistant' as const, content: say, toolCalls: calls }];
    const { outcome } = await engine.submitTurn(caller, record.id, { messages, hash: say });
    rewards = [...rewards, outcome.numbers?.reward];
  }
  const live = await engineOn().read(caller, record.id);
  const { turns, opening } = live;
  rewards.forEach((reward, index) => {
    const grade = gradeTranscript(task, {
      task: task.reference,
      opening,
      turns: turns.slice(0, index + 1),
    });
    assert.equal(grade.reward, reward);
  });
  assert.equal(live.record.reward, 1);
});

test('an idle episode ends by itself, is graded as it stands, and takes no more turns', async () => {
  const [left, kept] = [await engine.create(caller, create()), await engine.create(caller, create())];
  clock.time += 80_000_000;
  await engine.touch(caller, kept.record.id);
  clock.time += 10_000_000;
  assert.ok((await engine.reap()) >= 1);
  const ended = await engine.readRecord(caller, left.record.id);
  assert.deepEqual([ended.status, ended.terminalReason, ended.reward], ['complete', 'client_terminated', 0]);
  assert.equal((await engine.readRecord(caller, kept.record.id)).status, 'open');
  await assert.rejects(engine.submitTurn(caller, left.record.id, turn('Hello?')), {
    code: 'episode_complete',
  });
});

test('a turn that comes after the time, and before the reaping, finds the episode ended', async () => {
  const { record } = await engine.create(caller, create({ idleMs: 1000 }));
  clock.time += 1000;
  await assert.rejects(engine.submitTurn(caller, record.id, turn('Hello?')), { code: 'episode_complete' });
  assert.equal((await engine.readRecord(caller, record.id)).status, 'complete');
});

test('what belongs to another key is episode_unknown', async () => {
  const { record } = await engine.create(caller, create());
  const other: Caller = { id: 'other', explain: true };
  await assert.rejects(engine.read(other, record.id), { code: 'episode_unknown' });
  await assert.rejects(engine.submitTurn(other, record.id, turn('x')), { code: 'episode_unknown' });
  await assert.rejects(engine.end(other, record.id, 'completed'), { code: 'episode_unknown' });
});

test('a key with all its episodes open gets episodes_exhausted until one ends', async () => {
  const small: Caller = { id: 'small', explain: false, maxEpisodes: 1 };
  const { record } = await engine.create(small, create());
  await assert.rejects(engine.create(small, create()), { code: 'episodes_exhausted' });
  await engine.end(small, record.id, 'client_terminated');
  await engine.create(small, create());
});

test('a key limited to other collections gets collection_forbidden, and a wrong place task_unknown', async () => {
  const limited: Caller = { id: 'limited', explain: false, collections: ['other'] };
  await assert.rejects(engine.create(limited, create()), { code: 'collection_forbidden' });
  const place = { collection: 'case-management', scoreTurns: false, hash: '', split: 'train' };
  await assert.rejects(engine.create(caller, { ...place, index: 1e6 }), { code: 'task_unknown' });
  await assert.rejects(engine.create(caller, { ...place, split: 'nope' }), { code: 'task_unknown' });
});

test('another request under the same key or id is idempotency_conflict', async () => {
  const made = await engine.create(caller, create({ idempotencyKey: 'k', hash: 'a' }));
  const again = await engine.create(caller, create({ idempotencyKey: 'k', hash: 'a' }));
  assert.equal(again.record.id, made.record.id);
  assert.equal(again.repeated, true);
  await assert.rejects(engine.create(caller, create({ idempotencyKey: 'k', hash: 'b' })), {
    code: 'idempotency_conflict',
  });
  await assert.rejects(
    engine
      .submitTurn(caller, made.record.id, {
        ...turn('a'),
        messages: [{ role: 'user', content: made.record.opening }],
      })
      .then(() =>
        engine.submitTurn(caller, made.record.id, {
          messages: [
            { role: 'user', content: made.record.opening },
            { role: 'user', content: 'never said' },
            { role: 'assistant', content: 'Go on.' },
          ],
          hash: 'x',
        }),
      ),
    { code: 'history_mismatch' },
  );
});

test('those without the right to explain are not given reasons with a turn', async () => {
  const blind: Caller = { id: 'blind', explain: false };
  const { record } = await engine.create(blind, create());
  const { outcome } = await engine.submitTurn(blind, record.id, turn('When did it happen?'));
  assert.equal(outcome.breakdown, undefined);
  assert.ok(outcome.numbers);
});

test('reads windows in days, weeks, months of 30 days, and counts', () => {
  assert.deepEqual(readWindow('7d'), { milliseconds: 604_800_000 });
  assert.deepEqual(readWindow('2w'), { milliseconds: 1_209_600_000 });
  assert.deepEqual(readWindow('1m'), { milliseconds: 2_592_000_000 });
  assert.deepEqual(readWindow('100n'), { last: 100 });
  assert.equal(readWindow('1y'), undefined);
});

test('whoever may not have a task evaluated is told why', async () => {
  const on = engineOn(new SqliteStore(':memory:'));
  const evaluation = { collection: 'case-management', scenario: 'lumbar-strain', messages: [] };
  const spent = { id: 'key_1', explain: true, maxEvaluations: 0 };
  await assert.rejects(evaluate(on, spent, evaluation), { code: 'evaluations_exhausted' });
  on.tasks.isTest = () => true;
  await assert.rejects(evaluate(on, { id: 'key_2', explain: false }, evaluation), {
    code: 'test_not_evaluated',
  });
});
