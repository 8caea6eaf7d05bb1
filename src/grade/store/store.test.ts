import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';

import type { EpisodeChange, EpisodeRecord, ScoreRecord, TurnRecord } from './record.ts';
import { exportStore, importInto } from './export.ts';
import { openStore } from './open-store.ts';
import { placeOf, type RankName, type RankPlace } from './rank.ts';
import type { EpisodeSums, Store } from './store.ts';
import { bareEpisode, bareKey, bareTurn } from './testing/bare-record.ts';
import { startPostgres } from './testing/postgres-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'whet-store-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** The same promises for every kind of store; opened again, it is another server before the same data. */
const postgres = await startPostgres();
after(() => postgres.remove());
const database = await postgres.database('contract');
const kinds: readonly { readonly name: string; readonly open: () => Promise<Store> }[] = [
  { name: 'sqlite', open: () => openStore(join(folder, 'contract.db')) },
  { name: 'postgres', open: () => openStore(database) },
];

let counter = 0;
function episode(change: Partial<EpisodeRecord> = {}): EpisodeRecord {
  counter += 1;
  return bareEpisode(`ep_${counter}`, {
    owner: 'key_1',
    scenario: 'lumbar-strain',
    seed: 7,
    createdHash: 'hash',
    options: '{"score_turns":true}',
    opening: '{"content":"Guten Tag, »wie« geht’s? 👋"}',
    state: '{"turn":0}',
    createdAt: 1_800_000_000_000 + counter,
    updatedAt: 1_800_000_000_000 + counter,
    expiresAt: 1_800_000_100_000,
    ...change,
  });
}

const turn = (record: EpisodeRecord, number: number, change: Partial<TurnRecord> = {}): TurnRecord =>
  bareTurn(record.id, number, {
    bodyHash: `body ${number}`,
    messagesHash: `messages ${number}`,
    messages: '[{"role":"assistant","content":"\\u0000 \\ud800 é"}]',
    answer: `{"turn":${number},"reward":0.30000000000000004}`,
    at: record.createdAt + number,
    ...change,
  });

const moved: EpisodeChange = {
  state: '{"turn":1}',
  expiresAt: 1_800_000_200_000,
  totalUsage: '{"errors":1,"inputTokens":9}',
};
const ending = {
  terminalReason: 'completed',
  reward: 0.1 + 0.2,
  success: 1,
  progress: 0.5,
  gate: 1,
  scores: '{"discovery":1}',
  grade: '{"reward":0.3}',
};

// All are opened before the first suite: the runner may end the file while it waits for what is between two.
const stores = await Promise.all(kinds.map((kind) => kind.open()));

for (const [index, kind] of kinds.entries()) {
  const store = stores[index] as Store;
  describe(`a ${kind.name} store`, () => {
    after(() => store[Symbol.asyncDispose]());

    test('gives back an episode and its turns as they were, also to another server', async () => {
      const record = episode({
        group: 'run 1',
        createdKey: 'once',
        player: 'gold',
        playerCard: '{"name":"gold"}',
      });
      assert.equal(await store.insertEpisode(record), 'inserted');
      assert.equal(await store.appendTurn(turn(record, 1, { key: 'k' }), moved), true);
      await using other = await kind.open();
      assert.deepEqual(await other.readEpisode(record.id), {
        ...record,
        state: moved.state,
        expiresAt: moved.expiresAt,
        totalUsage: moved.totalUsage,
        turnCount: 1,
        updatedAt: record.createdAt + 1,
      });
      assert.deepEqual(await other.readTurns(record.id), [turn(record, 1, { key: 'k' })]);
      assert.deepEqual(await other.readTurnByKey(record.id, 'k'), turn(record, 1, { key: 'k' }));
      assert.equal(await other.readTurnByKey(record.id, 'other'), undefined);
      assert.equal((await other.readEpisodeByKey('key_1', 'once'))?.id, record.id);
      assert.equal(await other.readEpisodeByKey('key_2', 'once'), undefined);
      assert.equal(await other.readEpisode('ep_none'), undefined);
    });

    test('puts another grade in the place of a complete one, and of no open one', async () => {
      const record = episode();
      const better = {
        reward: 0.75,
        success: 1,
        progress: 0.75,
        gate: 1,
        scores: '{"discovery":0}',
        grade: '{"reward":0.75}',
      };
      await store.insertEpisode(record);
      assert.equal(await store.regradeEpisode(record.id, better), false);
      await store.endEpisode(record.id, 0, ending, 5);
      const before = await store.readEpisode(record.id);
      assert.equal(await store.regradeEpisode(record.id, better), true);
      assert.deepEqual(await store.readEpisode(record.id), { ...before, ...better });
      assert.equal(await store.regradeEpisode('ep_none', better), false);
    });

    test('refuses a second episode with the same id, or with the same idempotency key of one owner', async () => {
      const record = episode({ createdKey: 'twice' });
      assert.equal(await store.insertEpisode(record), 'inserted');
      assert.equal(await store.insertEpisode({ ...record, createdKey: null }), 'taken');
      assert.equal(await store.insertEpisode(episode({ createdKey: 'twice' })), 'taken');
      assert.equal(await store.insertEpisode(episode({ createdKey: 'twice', owner: 'key_2' })), 'inserted');
    });

    test('an owner has as many open episodes as it may have and not one more, also among racing servers', async () => {
      const owner = 'limited';
      await using other = await kind.open();
      const all = Array.from({ length: 16 }, () => episode({ owner }));
      const race = await Promise.all(
        all.map((record, index) => (index % 2 === 0 ? store : other).insertEpisode(record, 5)),
      );
      assert.deepEqual(race.toSorted(), [
        ...Array.from({ length: 11 }, () => 'full'),
        ...Array.from({ length: 5 }, () => 'inserted'),
      ]);
      assert.equal((await store.listEpisodes({ owner, limit: 99 })).length, 5);
      const open = all[race.indexOf('inserted')];
      assert.equal(await store.insertEpisode(episode({ owner: 'another' }), 5), 'inserted');
      await store.endEpisode(open?.id ?? '', 0, ending, 5);
      assert.equal(await store.insertEpisode(episode({ owner, id: open?.id ?? '' }), 5), 'taken');
      assert.equal(await other.insertEpisode(episode({ owner }), 5), 'inserted');
      assert.equal(await store.insertEpisode(episode({ owner }), 5), 'full');
    });

    test('an episode that goes on from another is there with its turns, or not at all', async () => {
      for (const limit of [undefined, 1]) {
        const record = episode({ owner: `forks ${limit}`, turnCount: 2 });
        const turns = [turn(record, 1), turn(record, 2)];
        assert.equal(await store.insertEpisode(record, limit, turns), 'inserted');
        assert.deepEqual(await store.readTurns(record.id), turns);
        assert.deepEqual(await store.readEpisode(record.id), record);
        assert.equal(await store.appendTurn(turn(record, 3), moved), true);
        const other = episode({ owner: record.owner, id: limit === undefined ? record.id : 'ep_late' });
        const late = await store.insertEpisode(other, limit, [turn(other, 1)]);
        assert.equal(late, limit === undefined ? 'taken' : 'full');
        assert.deepEqual(await store.readTurns('ep_late'), []);
      }
    });

    test('takes the turns of an episode strictly in order, and each number once', async () => {
      const record = episode();
      await store.insertEpisode(record);
      assert.equal(await store.appendTurn(turn(record, 2), moved), false);
      const race = await Promise.all([
        store.appendTurn(turn(record, 1, { bodyHash: 'a' }), moved),
        store.appendTurn(turn(record, 1, { bodyHash: 'b' }), moved),
      ]);
      assert.deepEqual(race.toSorted(), [false, true]);
      assert.equal(await store.appendTurn(turn(record, 2), moved), true);
      assert.deepEqual(
        (await store.readTurns(record.id)).map((row) => row.turn),
        [1, 2],
      );
      assert.deepEqual(
        (await store.readTurns(record.id, 1)).map((row) => row.turn),
        [2],
      );
    });

    test('two servers that race for a turn: one wins', async () => {
      const record = episode();
      await store.insertEpisode(record);
      await using other = await kind.open();
      const race = await Promise.all([
        store.appendTurn(turn(record, 1), moved),
        other.appendTurn(turn(record, 1), moved),
      ]);
      assert.deepEqual(race.toSorted(), [false, true]);
    });

    test('turns that come at the same moment stand each for itself: who loses takes nobody along', async () => {
      const records = Array.from({ length: 30 }, () => episode());
      for (const record of records) await store.insertEpisode(record);
      const [skips, done, twice, ends, ...others] = records as [
        ...[EpisodeRecord, EpisodeRecord, EpisodeRecord, EpisodeRecord],
        ...EpisodeRecord[],
      ];
      await store.endEpisode(done.id, 0, ending, 5);
      const [skipped, late, one, other, last, ...rest] = await Promise.all([
        store.appendTurn(turn(skips, 2), moved),
        store.appendTurn(turn(done, 1), moved),
        store.appendTurn(turn(twice, 1, { bodyHash: 'a' }), moved),
        store.appendTurn(turn(twice, 1, { bodyHash: 'b' }), moved),
        store.appendTurn(turn(ends, 1), { ...moved, end: ending }),
        ...others.map((record) => store.appendTurn(turn(record, 1, { key: 'own' }), moved)),
      ]);
      assert.deepEqual([skipped, late, last, new Set(rest)], [false, false, true, new Set([true])]);
      await using server = await kind.open();
      for (const record of others)
        assert.deepEqual(await server.readTurns(record.id), [turn(record, 1, { key: 'own' })]);
      const [kept] = await server.readTurns(twice.id);
      assert.deepEqual([one, other], [kept?.bodyHash === 'a', kept?.bodyHash === 'b']);
      assert.deepEqual(await server.readTurns(skips.id), []);
      assert.equal((await server.readEpisode(ends.id))?.grade, ending.grade);
      assert.equal((await server.readEpisode(others[0]?.id ?? ''))?.state, moved.state);
    });

    test('a turn that the database refuses takes none of those along that came with it', async () => {
      const [failing, ...others] = Array.from({ length: 10 }, () => episode()) as [
        EpisodeRecord,
        ...EpisodeRecord[],
      ];
      for (const record of [failing, ...others]) await store.insertEpisode(record);
      await store.appendTurn(turn(failing, 1, { key: 'taken' }), moved);
      const [failed, ...rest] = await Promise.allSettled([
        // Its number is free and its key is not.
        store.appendTurn(turn(failing, 2, { key: 'taken' }), moved),
        ...others.map((record) => store.appendTurn(turn(record, 1), moved)),
      ]);
      assert.equal(failed?.status, 'rejected');
      for (const result of rest) assert.deepEqual(result, { status: 'fulfilled', value: true });
      await using server = await kind.open();
      assert.equal((await server.readEpisode(failing.id))?.turnCount, 1);
      for (const record of others) assert.deepEqual(await server.readTurns(record.id), [turn(record, 1)]);
    });

    test('two servers that race for many turns at once: each turn has one winner, and none waits in a circle', async () => {
      const records = Array.from({ length: 40 }, () => episode());
      for (const record of records) await store.insertEpisode(record);
      await using other = await kind.open();
      for (let number = 1; number <= 5; number += 1) {
        const play = (server: Store, list: readonly EpisodeRecord[]) =>
          Promise.all(list.map((record) => server.appendTurn(turn(record, number), moved)));
        const [ours, theirs] = await Promise.all([play(store, records), play(other, records.toReversed())]);
        assert.deepEqual(
          ours.map((won) => !won),
          theirs.toReversed(),
        );
      }
    });

    test('ends an episode once, with its last turn or without one, and takes no turn after', async () => {
      const played = episode();
      await store.insertEpisode(played);
      assert.equal(await store.appendTurn(turn(played, 1), { ...moved, end: ending }), true);
      assert.equal(await store.appendTurn(turn(played, 2), moved), false);
      assert.equal(await store.endEpisode(played.id, 1, ending, 5), false);
      const row = await store.readEpisode(played.id);
      assert.equal(row?.status, 'complete');
      assert.equal(row?.terminalReason, 'completed');
      assert.equal(row?.reward, 0.1 + 0.2);
      assert.equal(row?.success, 1);
      assert.equal(row?.grade, '{"reward":0.3}');

      const left = episode();
      await store.insertEpisode(left);
      assert.equal(await store.endEpisode(left.id, 1, ending, 5), false);
      assert.equal(await store.endEpisode(left.id, 0, ending, 5), true);
      assert.equal((await store.readEpisode(left.id))?.updatedAt, 5);
    });

    test('lists the episodes of one owner, newest first, page by page, also when they are equally old', async () => {
      const owner = 'lister';
      const records = [1, 2, 2, 2, 3].map((createdAt) => episode({ owner, createdAt, group: 'g' }));
      await Promise.all(records.map((record) => store.insertEpisode(record)));
      const seen: string[] = [];
      let before: { createdAt: number; id: string } | undefined;
      for (;;) {
        const page = await store.listEpisodes({ owner, limit: 2, ...(before && { before }) });
        seen.push(...page.map((row) => row.id));
        const last = page.at(-1);
        if (last === undefined) break;
        before = { createdAt: last.createdAt, id: last.id };
      }
      assert.deepEqual(seen.toSorted(), records.map((record) => record.id).toSorted());
      assert.equal(seen[0], records[4]?.id);
      assert.equal(seen[4], records[0]?.id);
      const filter = async (query: object): Promise<number> =>
        (await store.listEpisodes({ owner, limit: 9, ...query })).length;
      assert.equal(await filter({ group: 'g', status: 'open', scenario: 'lumbar-strain' }), 5);
      assert.equal(await filter({ group: 'h' }), 0);
      assert.equal(await filter({ status: 'complete' }), 0);
      assert.equal(await filter({ collection: 'other' }), 0);
    });

    test('lists ended episodes by reward, duration or tokens, either way, page by page', async () => {
      const owner = 'ranker';
      const usage = (inputTokens: number, outputTokens?: number): string =>
        JSON.stringify({ errors: 0, inputTokens, ...(outputTokens !== undefined && { outputTokens }) });
      const values = [
        [0.1 + 0.2, 500, usage(7, 3)],
        [0, 20, usage(11)],
        [1, 20, '{"errors":1}'],
        [0.25, 9, null],
        [null, 70, usage(1, 2)],
      ] as const;
      const records = values.map(([reward, took, totalUsage], index) =>
        episode({
          owner,
          status: 'complete',
          reward,
          totalUsage,
          createdAt: 100 + index,
          updatedAt: 100 + index + took,
        }),
      );
      for (const record of records) await store.restoreEpisode(record, []);
      await store.insertEpisode(episode({ owner, reward: 0.9, totalUsage: usage(99) }));
      const listed = async (by: RankName, ascending: boolean): Promise<readonly number[]> => {
        const found: EpisodeRecord[] = [];
        for (let after: RankPlace | undefined; ;) {
          const page = await store.listEpisodes({ owner, limit: 1, rank: { by, ascending, after } });
          const [one] = page;
          if (one === undefined) break;
          found.push(one);
          after = placeOf(one, by);
        }
        return found.map(({ id }) => records.findIndex((record) => record.id === id));
      };
      assert.deepEqual(await listed('reward', false), [2, 0, 3, 1]);
      assert.deepEqual(await listed('reward', true), [1, 3, 0, 2]);
      assert.deepEqual(await listed('tokens', false), [1, 0, 4]);
      const byDuration = await listed('duration', true);
      assert.deepEqual([byDuration[0], ...byDuration.slice(3)], [3, 4, 0]);
      assert.deepEqual(byDuration.slice(1, 3).toSorted(), [1, 2], 'of two that took as long the id decides');
      assert.deepEqual(
        (await listed('begun', true)).filter((index) => index >= 0),
        [0, 1, 2, 3, 4],
      );
    });

    test('tells which episodes of an owner have changed since a time: opened, played or ended', async () => {
      const owner = 'changer';
      const [opened, played, ended] = [1, 2, 3].map((at) => episode({ owner, createdAt: at, updatedAt: at }));
      const all = [opened!, played!, ended!, episode({ createdAt: 9, updatedAt: 9 })];
      for (const record of all) await store.insertEpisode(record);
      await store.appendTurn(turn(played!, 1, { at: 20 }), moved);
      await store.endEpisode(ended!.id, 0, ending, 10);
      const changed = async (since: number, limit = 9) =>
        (await store.changedEpisodes(owner, since, limit)).map(({ id }) => id);
      assert.deepEqual(await changed(0), [opened!.id, ended!.id, played!.id]);
      assert.deepEqual(await changed(0, 1), [opened!.id]);
      assert.deepEqual(await changed(10), [ended!.id, played!.id]);
      assert.deepEqual(await changed(21), []);
    });

    test('searches the words of ended episodes: those said, called and answered, and none of the grade', async () => {
      const owner = 'searcher';
      const [first, second, open] = [episode({ owner }), episode({ owner }), episode({ owner })] as const;
      const say = (content: string, input = {}) =>
        JSON.stringify([{ role: 'assistant', content, toolCalls: [{ name: 'claim_status', input }] }]);
      const answer = JSON.stringify({
        observation: { content: 'Zoë hurt her back.\u0000' },
        results: [{ name: 'look_up', output: 'Room 17' }],
        breakdown: 'secret',
      });
      for (const record of [first, second, open]) await store.insertEpisode(record);
      await store.appendTurn(turn(first, 1, { messages: say('When did it happen?'), answer }), moved);
      await store.appendTurn(
        turn(second, 1, { messages: say('Who happened by?', { value: 'denied' }) }),
        moved,
      );
      await store.appendTurn(turn(open, 1, { messages: say('When?') }), moved);
      for (const { id } of [first, second]) await store.endEpisode(id, 1, ending, 10);
      while ((await store.readWords(50)) > 0);
      const found = async (words: string) =>
        (await store.listEpisodes({ owner, limit: 9, words })).map(({ id }) => id).toSorted();
      const both = [first.id, second.id].toSorted();
      const cases: readonly (readonly [string, readonly string[]])[] = [
        ['happen', both],
        ['happen ', [first.id]],
        ['HURT zoe', [first.id]],
        ['"her back"', [first.id]],
        ['"back her"', []],
        ['claim_status', both],
        ['denied', [second.id]],
        ['17 look_up', [first.id]],
        ['secret', []],
        ['assistant', []],
        [`"'; & | !`, []],
      ];
      for (const [words, ids] of cases) assert.deepEqual(await found(words), ids, words);
      const [sums] = await store.sums.read({ owner, words: 'denied' }, []);
      assert.equal(sums?.episodes, 1);
      await store.removeEpisodes(11, 99);
      assert.deepEqual(await found('happen'), []);
    });

    test('finds the open episodes whose time has come, and a touched one not', async () => {
      const [old, touched, done] = [episode({ expiresAt: 10 }), episode({ expiresAt: 10 }), episode()];
      for (const record of [old, touched, done]) await store.insertEpisode(record);
      await store.touchEpisode(touched.id, 5_000);
      assert.deepEqual(
        (await store.expiredEpisodes(1_000, 10)).map((row) => row.id),
        [old.id],
      );
      await store.endEpisode(old.id, 0, ending, 5);
      assert.deepEqual(await store.expiredEpisodes(1_000, 10), []);
    });

    test('a turn puts off when its episode ends by itself, and leaves it as it is else', async () => {
      const [idle, busy] = [episode({ expiresAt: 10 }), episode({ expiresAt: 20 })];
      for (const record of [idle, busy]) await store.insertEpisode(record);
      await store.appendTurn(turn(busy, 1), { state: '{"turn":1}', expiresAt: 2_000, totalUsage: '{}' });
      await using other = await kind.open();
      for (const server of [store, other]) {
        assert.deepEqual(
          (await server.expiredEpisodes(1_000, 1)).map((row) => row.id),
          [idle.id],
        );
        const { expiresAt, state, turnCount, updatedAt, status } =
          (await server.readEpisode(busy.id)) ?? idle;
        assert.deepEqual(
          { expiresAt, state, turnCount, updatedAt, status },
          {
            expiresAt: 2_000,
            state: '{"turn":1}',
            turnCount: 1,
            updatedAt: turn(busy, 1).at,
            status: 'open',
          },
        );
      }
      await store.endEpisode(idle.id, 0, ending, 5);
      assert.deepEqual(await store.expiredEpisodes(1_000, 1), []);
      assert.deepEqual(
        (await store.expiredEpisodes(2_000, 9)).map((row) => row.id),
        [busy.id],
      );
      assert.equal(await store.endEpisode(busy.id, 1, ending, 5), true);
      assert.equal((await other.readEpisode(busy.id))?.state, '{"turn":1}');
      assert.equal((await other.readEpisode(busy.id))?.turnCount, 1);
    });

    test('counts the evaluations of a task by a key, up to as many as it may have', async () => {
      const count = (task: string, most: number) => store.scores.countEvaluation('key_1', task, most);
      const several = await Promise.all([count('c/s/0', 2), count('c/s/0', 2), count('c/s/0', 2)]);
      assert.deepEqual(several.toSorted(), [false, true, true]);
      assert.deepEqual(
        [await count('c/s/1', 1), await count('c/s/1', 1), await count('c/s/2', 0)],
        [true, false, false],
      );
      assert.equal(await store.scores.countEvaluation('key_2', 'c/s/1', 1), true);
    });

    test('summarizes the scores of a window in time, and of the last so many', async () => {
      const score = (reward: number, at: number): ScoreRecord => ({
        id: `score_${(counter += 1)}`,
        owner: 'key_1',
        normalizationKey: 'run',
        collection: 'c',
        scenario: 's',
        scoringVersion: '1',
        reward,
        at,
      });
      for (const [reward, at] of [
        [0, 100],
        [0.5, 200],
        [1, 300],
      ] as const)
        await store.scores.insert(score(reward, at));
      await store.scores.insert({ ...score(0.9, 400), normalizationKey: 'another run' });
      const key = { owner: 'key_1', normalizationKey: 'run' };
      assert.deepEqual(await store.scores.summarize({ ...key, last: 2 }), {
        count: 2,
        mean: 0.75,
        deviation: 0.25,
      });
      assert.equal((await store.scores.summarize({ ...key, since: 100 })).count, 3);
      assert.deepEqual(await store.scores.summarize({ ...key, since: 300 }), {
        count: 1,
        mean: 1,
        deviation: 0,
      });
      assert.equal((await store.scores.summarize({ ...key, since: 301 })).count, 0);
    });

    test('episodes are summed up by what they have in common and by scenario, for their owner alone', async () => {
      const owner = 'sums';
      const of = (more: object) =>
        store.insertEpisode(
          episode({ owner, collection: 'c', scenario: 'one', status: 'complete', ...more }),
        );
      await of({
        player: 'a',
        reward: 0,
        success: 0,
        progress: 0,
        gate: 0,
        turnCount: 3,
        totalUsage: '{"errors":1}',
      });
      await of({ player: 'a', reward: 1, success: 1, progress: 1, gate: 1, turnCount: 5 });
      await of({ player: 'a', scenario: 'two', reward: 0.5, success: 0, progress: 1, gate: 1 });
      await of({
        player: null,
        reward: 0.25,
        success: 0,
        progress: 0.5,
        gate: 1,
        totalUsage: '{"costUsd":0.5,"errors":0}',
      });
      await of({ player: 'a', status: 'open', reward: null, success: null });
      await store.insertEpisode(
        episode({ owner: `${owner}-other`, player: 'a', collection: 'c', scenario: 'one' }),
      );
      const look = async () => {
        const sums = await store.sums.read({ owner }, ['player']);
        const found = sums.find(({ by, template }) => by['player'] === 'a' && template === 'c/one')!;
        assert.equal(sums.length, 3);
        assert.deepEqual(
          [
            found.episodes,
            found.complete,
            found.reward,
            found.squares,
            found.successes,
            found.closed,
            found.turns,
          ],
          [3, 2, 1, 1, 1, 1, 8],
        );
        assert.deepEqual(found.usage, { errors: 1 });
        assert.deepEqual([found.bins[0], found.bins.at(-1)], [1, 1]);
        const nobody = sums.find(({ by }) => by['player'] === null)!;
        assert.deepEqual(
          [nobody.reward, nobody.bins[5], nobody.usage],
          [0.25, 1, { costUsd: 0.5, errors: 0 }],
        );
        const two = await store.sums.read({ owner, scenario: 'two' }, []);
        assert.deepEqual(
          two.map(({ template, episodes, reward }) => [template, episodes, reward]),
          [['c/two', 1, 0.5]],
        );
        const all = await store.sums.read({ owner }, [
          'collection',
          'scenario',
          'variant',
          'group',
          'version',
          'player',
        ]);
        assert.equal(all.length, 3);
      };
      await look();
      assert.equal(await store.sums.add(2), 2);
      await look();
      assert.equal((await store.sums.add(1000)) > 0, true);
      assert.equal(await store.sums.add(1000), 0);
      await look();
    });

    test('sums that are kept stay those of the episodes, whatever is graded again, removed or ends', async () => {
      const owner = `kept-${kind.name}`;
      const add = (reward: number, change: Partial<EpisodeRecord> = {}) => {
        const record = episode({
          owner,
          status: 'complete',
          terminalReason: 'ended',
          reward,
          success: 0,
          progress: reward,
          gate: 1,
          player: 'a',
          ...change,
        });
        return store.insertEpisode(record).then(() => record);
      };
      const second = await add(0.5);
      const first = await add(0.25, { updatedAt: 1000 });
      await add(0.75, { player: 'b', updatedAt: 1000 });
      const open = episode({ owner, player: 'a' });
      await store.insertEpisode(open);
      // By variant nothing is kept: all is added up anew.
      const agree = async (counts: readonly [episodes: number, complete: number, reward: number]) => {
        const kept = await store.sums.read({ owner }, ['player']);
        const anew = await store.sums.read({ owner }, ['player', 'variant']);
        assert.deepEqual(
          kept,
          anew.map((sums) => ({ ...sums, by: { player: sums.by['player'] } })),
        );
        const add = (read: (sums: EpisodeSums) => number) => kept.reduce((sum, one) => sum + read(one), 0);
        assert.deepEqual(
          [add((one) => one.episodes), add((one) => one.complete), add((one) => one.reward)],
          counts,
        );
      };
      await store.sums.add(1000);
      await agree([4, 3, 1.5]);
      await store.regradeEpisode(second.id, { ...ending, reward: 1 });
      await agree([4, 3, 2]);
      await store.sums.add(1000);
      await agree([4, 3, 2]);
      await store.appendTurn(turn(open, 1), { ...moved, end: { ...ending, reward: 0.5 } });
      await agree([4, 4, 2.5]);
      await store.sums.add(1000);
      await agree([4, 4, 2.5]);
      while ((await store.removeEpisodes(1_700_000_000_000, 100)) > 0);
      assert.equal(await store.readEpisode(first.id), undefined);
      await agree([2, 2, 1.5]);
    });

    test('a study is asked for by its name, and how the values of each dimension are spread is counted', async () => {
      const owner = 'student';
      const of = (study: string | null, discovery: number) =>
        store.insertEpisode(episode({ owner, study, scores: JSON.stringify({ discovery, rubrics: 1 }) }));
      await Promise.all([of('s', 0), of('s', 0.07), of('s', 1), of('t', 0.5), of(null, 0.5)]);
      assert.deepEqual(
        (await store.listEpisodes({ owner, study: 's', limit: 9 })).map(({ study }) => study),
        ['s', 's', 's'],
      );
      const sums = await store.sums.read({ owner }, ['study']);
      assert.deepEqual(
        new Map(sums.map(({ by, episodes }) => [by['study'], episodes])),
        new Map<unknown, number>([
          [null, 1],
          ['s', 3],
          ['t', 1],
        ]),
      );
      const {
        discovery = [],
        rubrics = [],
        best_practices: untold = [],
      } = await store.sums.countScores({ owner, study: 's' });
      assert.deepEqual([discovery[0], discovery[1], discovery[19], rubrics[19]], [1, 1, 1, 3]);
      assert.ok([...discovery, ...untold].reduce((sum, count) => sum + count, 0) === 3);
    });

    test('groups are told by the spread of their rewards, the latest only', async () => {
      const done = (group: string | null, reward: number, more: Partial<EpisodeRecord> = {}) =>
        store.insertEpisode(
          episode({
            group,
            reward,
            status: 'complete',
            success: reward === 1 ? 1 : 0,
            terminalReason: 'ended',
            ...more,
          }),
        );
      const before = await store.sums.summarizeGroups(1000);
      await done('even', 0.5);
      await done('even', 0.5);
      await done('uneven', 0.5);
      await done('uneven', 1);
      await done('lonely', 1);
      await done('even', 0.7, { variant: 1 });
      await done(null, 0.2);
      await store.insertEpisode(episode({ group: 'even' }));
      assert.deepEqual(await store.sums.summarizeGroups(1000), {
        groups: before.groups + 2,
        withoutSpread: before.withoutSpread + 1,
      });
      assert.deepEqual(await store.sums.summarizeGroups(1), { groups: 0, withoutSpread: 0 });
    });

    test('keeps keys by their hash, and revokes them', async () => {
      const key = bareKey('abc', {
        id: 'key_9',
        name: 'trainer',
        explain: true,
        collections: '["case-management"]',
        rateLimit: 60,
      });
      await store.keys.insert(key);
      assert.deepEqual(await store.keys.read('abc'), key);
      assert.equal(await store.keys.read('abd'), undefined);
      assert.equal(await store.keys.revoke('key_9', 77), true);
      assert.equal(await store.keys.revoke('key_9', 99), true);
      assert.equal(await store.keys.revoke('key_none', 77), false);
      assert.deepEqual(await store.keys.list(), [{ ...key, revokedAt: 77 }]);
    });

    test('an export put into another store, of either kind, is the same, and once is enough', async () => {
      const record = episode({ id: `exported ${kind.name}`, status: 'complete', turnCount: 2, grade: '{}' });
      assert.equal(
        await store.restoreEpisode(record, [turn(record, 1), turn(record, 2, { key: 'k' })]),
        true,
      );
      assert.equal(await store.restoreEpisode(record, []), false);
      const lines: string[] = [];
      for await (const line of exportStore(store)) lines.push(JSON.stringify(line));
      const place =
        kind.name === 'sqlite' ? await postgres.database('imported') : join(folder, 'imported.db');
      await using other = await openStore(place);
      const feed = async function* (): AsyncGenerator<string> {
        yield* lines;
      };
      assert.ok((await importInto(other, feed(), { keys: true })).episodes > 0);
      assert.deepEqual(await other.readEpisode(record.id), record);
      assert.deepEqual(await other.readTurns(record.id), [turn(record, 1), turn(record, 2, { key: 'k' })]);
      const { skipped, ...again } = await importInto(other, feed(), { keys: true });
      assert.deepEqual(again, { episodes: 0, keys: 0, scores: 0, runs: 0, conversations: 0 });
      assert.equal(skipped, lines.length - 1);
      for (const [wrong, told] of [
        [[], /^Line 1 is not one of a Whetstone export\.$/],
        [['{"kind":"episode"}'], /^Line 1 is not/],
        [['{"kind":"whetstone_export","version":2}'], /is of version 2, and this Whetstone reads version 1/],
        [[lines[0], '{"kind":"key","record":null}'], /^Line 2 is not one of a Whetstone export: /],
        [[lines[0], '{"kind":"episode","record":{"id":"x"},"turns":[]}'], /^Line 2 is not .*: .*owner/],
        [[lines[0], '{"kind":"tune"}'], /^Line 2 is not .*: its kind is unknown\.$/],
      ] as const) {
        const given = async function* (): AsyncGenerator<string> {
          yield* wrong as readonly string[];
        };
        await assert.rejects(importInto(other, given(), { keys: true }), {
          code: 'export_invalid',
          message: told,
        });
      }
    });

    test('removes complete episodes by their age, with their turns, and no open one', async () => {
      const old = episode({ id: `old ${kind.name}`, status: 'complete', updatedAt: 5, turnCount: 1 });
      const open = episode({ id: `open ${kind.name}`, updatedAt: 5 });
      await store.restoreEpisode(old, [turn(old, 1)]);
      await store.restoreEpisode(open, []);
      let removed = 0;
      for (let count = 1; count > 0; removed += count) count = await store.removeEpisodes(6, 2);
      assert.ok(removed >= 1);
      assert.equal(await store.readEpisode(old.id), undefined);
      assert.deepEqual(await store.readTurns(old.id), []);
      assert.equal((await store.readEpisode(open.id))?.id, open.id);
      await store.compact();
    });

    test('exports and imports the journals of runs, and removes those of runs that ended, and wait for nobody', async () => {
      const start = '{"type":"start","at":1,"messages":[{"role":"user","content":"\\u0000 \\ud800"}]}';
      const end = (stop: string, at: number) => JSON.stringify({ type: 'end', at, stop });
      const runs = {
        ended: [start, end('done', 5)],
        late: [start, end('done', 50)],
        waits: [start, end('waiting', 5)],
        open: [start],
        again: [start, end('waiting', 5), '{"type":"call","step":1,"callId":"a"}'],
      };
      for (const [run, entries] of Object.entries(runs))
        assert.equal(await store.runs.append(`${run} run`, 0, entries), true);
      const lines: string[] = [];
      for await (const line of exportStore(store)) if (line.kind === 'run') lines.push(JSON.stringify(line));
      await using other = await openStore(join(folder, `runs of ${kind.name}.db`));
      const feed = async function* (): AsyncGenerator<string> {
        yield* ['{"kind":"whetstone_export","version":1}', ...lines];
      };
      assert.ok((await importInto(other, feed(), { keys: true })).runs >= 5);
      assert.deepEqual(await other.runs.read('again run'), runs.again);
      assert.equal((await importInto(other, feed(), { keys: true })).runs, 0);
      assert.equal(await store.runs.remove(6, 10), 1);
      assert.equal(await store.runs.remove(6, 10), 0);
      const left = (await store.runs.scan('', 100)).filter((run) => run.endsWith(' run'));
      assert.deepEqual(left, ['again run', 'late run', 'open run', 'waits run']);
    });

    test('answers a ping', () => store.ping());
  });
}
