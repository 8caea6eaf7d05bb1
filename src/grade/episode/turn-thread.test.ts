import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { findScenario } from '../scenario/load/catalog.ts';
import { messagesOf } from '../scenario/paths.ts';
import { startPlay, playTurn } from '../play/play.ts';
import { taskOf } from '../scenario/task-of.ts';
import type { Task } from '../scenario/task.ts';
import type { TurnMessage } from '../scenario/transcript.ts';
import type { EpisodeRecord } from '../store/record.ts';
import { SqliteStore } from '../store/sqlite-store.ts';
import { EpisodeEngine } from './engine.ts';
import type { LiveEpisode } from './live-episode.ts';
import { hashOf } from './request-hash.ts';
import type { Caller } from './request.ts';
import { TaskBook } from './task-book.ts';
import { bundledCatalog } from './testing/changed-catalog.ts';
import { TurnThread } from './turn-thread.ts';
import { takeTurn, workTurn, type WorkedTurn } from './work-turn.ts';

const folder = mkdtempSync(join(tmpdir(), 'whet-thread-'));
const thread = new TurnThread();
after(async () => {
  await thread[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const catalog = bundledCatalog;
const taskNamed = (collection: string, slug: string): Task => taskOf(findScenario(catalog, collection, slug));
const task = taskNamed('case-management', 'lumbar-strain');
// Without lessons: to learn them on two threads would take most of the time.
const withTools: Task = { ...taskNamed('customer-support', 'late-parcel'), lessons: () => undefined };
const ofCode = taskNamed('customer-support', 'partial-return');
const says = (content: string): readonly TurnMessage[] => [{ role: 'assistant', content }];

let opened = 0;

function openLive(of: Task): LiveEpisode {
  const { state, observation } = startPlay(of);
  const options = { scoreTurns: true, explain: true, idleMs: 1, maxTurns: of.limits.turns };
  const record = { id: `ep_${(opened += 1)}` } as EpisodeRecord;
  return { record, options, task: of, opening: observation, state, turns: [] };
}

function goOn(live: LiveEpisode, { entry, standing: { state } }: WorkedTurn): LiveEpisode {
  return { ...live, state, turns: [...live.turns, entry] };
}

const workThere = (live: LiveEpisode, messages: readonly TurnMessage[], by = thread) =>
  by.work(live, {
    messages,
    messagesText: JSON.stringify(messages),
    rewardConfig: undefined,
    isTest: false,
  });

function workHere(live: LiveEpisode, messages: readonly TurnMessage[]): WorkedTurn {
  const taken = takeTurn(live, messages, playTurn(live.task, live.state, messages));
  return workTurn(live, taken, { rewardConfig: undefined, verdicts: {}, isTest: false });
}

before(() => thread.offer(task));

test('a task is played here until the thread has learnt what its person must know', async () => {
  await using fresh = new TurnThread();
  assert.equal(await workThere(openLive(task), says('What happened?'), fresh), undefined);
  await fresh.offer(task);
  assert.ok(await workThere(openLive(task), says('What happened?'), fresh));
});

test('the thread plays and grades gold paths as this one does', async () => {
  for (const played of [task, withTools]) {
    let here = openLive(played);
    let there = here;
    for (const path of played.gold) {
      const messages = messagesOf(path);
      const worked = await workThere(there, messages);
      assert.deepEqual(worked, workHere(here, messages), played.name);
      [here, there] = [goOn(here, worked!), goOn(there, worked!)];
    }
  }
});

test('what the thread does not know is left to the caller', async () => {
  const first = await workThere(openLive(task), says('What happened?'));
  assert.ok(first);
  const live = goOn(openLive(task), first);
  // The turn was made for another episode: over there, this one does not stand.
  assert.equal(await workThere(live, says('When did it happen?')), undefined);
  const read = { ...live, turns: structuredClone(live.turns) };
  assert.equal(await workThere(read, says('When did it happen?')), undefined);
});

test('the thread goes on only from where the episode stands', async () => {
  const live = openLive(task);
  const stored = await workThere(live, says('What happened?'));
  // A turn that was played and not stored, because the store said no.
  assert.ok(await workThere(live, says('Have you seen a doctor?')));
  assert.equal(await workThere(goOn(live, stored!), says('When did it happen?')), undefined);
});

test('a world of code stays here', async () => {
  assert.equal(await workThere(openLive(ofCode), says('What happened?')), undefined);
});

test('what fails over there is left to the caller, and fails there', async () => {
  const live = openLive(task);
  const ended: LiveEpisode = { ...live, state: { ...live.state, ended: 'completed' } };
  assert.equal(await workThere(ended, says('What happened?')), undefined);
});

test('nobody waits for a thread that has ended', async () => {
  const gone = new TurnThread();
  const learning = gone.offer(task);
  const waiting = workThere(openLive(withTools), says('What happened?'), gone);
  await gone[Symbol.asyncDispose]();
  assert.equal(await waiting, undefined);
  await learning;
  assert.equal(await workThere(openLive(withTools), says('What happened?'), gone), undefined);
});

test('a thread that ends by itself is told of once, one that is closed is not', async () => {
  const lost: string[] = [];
  const turn = { messages: [], messagesText: 'no JSON', rewardConfig: undefined, isTest: false };
  const broken = new TurnThread((reason) => lost.push(reason));
  assert.equal(await broken.work(openLive(withTools), turn), undefined);
  await broken[Symbol.asyncDispose]();
  assert.match(lost.join(), /^SyntaxError: .*is not valid JSON$/);
  const closed = new TurnThread((reason) => lost.push(reason));
  await closed[Symbol.asyncDispose]();
  assert.equal(lost.length, 1);
});

test('who waits for a turn keeps the process, an idle thread does not', () => {
  const source = (name: string): string => JSON.stringify(new URL(name, import.meta.url).href);
  const script = `
    const { TurnThread } = await import(${source('./turn-thread.ts')});
    const live = { record: { id: 'ep' }, task: { functions: {}, lessons: () => undefined }, turns: [], state: {} };
    // No task at all: the thread answers that it cannot.
    console.log('answered', await new TurnThread().work(live, { messages: [], messagesText: '[]', isTest: false }));`;
  const args = ['--conditions=whetstone-source', '--input-type=module', '--eval', script];
  const { stdout, status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 60_000 });
  assert.equal(stdout, 'answered undefined\n', stderr);
  assert.equal(status, 0);
});

test('a crowd of episodes is stored alike with a second thread and without', async (t) => {
  const work = t.mock.method(TurnThread.prototype, 'work');
  const offer = t.mock.method(TurnThread.prototype, 'offer');
  const caller: Caller = { id: 'local', explain: true };
  const rows: Record<string, string[]>[] = [];
  for (const threadAfter of [0, Infinity]) {
    await using store = new SqliteStore(join(folder, `${threadAfter}.db`));
    await using engine = new EpisodeEngine({ store, tasks: new TaskBook(catalog), threadAfter });
    const stored: Record<string, string[]> = {};
    const play = (from: number) =>
      Array.from({ length: 15 }, async (_, at) => {
        const index = from + at;
        const id = `crowd-${index}`;
        const { collection, scenario } = [task, withTools][index % 2]!.reference;
        await engine.create(caller, { id, collection, scenario, scoreTurns: true, hash: id });
        await Promise.all(offer.mock.calls.map(async ({ result }) => result));
        for (const words of ['Hello.', `What is wrong, number ${index}?`, 'When did it begin?', 'Where?'])
          await engine.submitTurn(caller, id, { messages: says(words), hash: hashOf(words) });
        await engine.end(caller, id, 'client_terminated');
        const turns = await store.readTurns(id);
        const { state, grade } = (await store.readEpisode(id))!;
        stored[id] = [state, grade ?? '', ...turns.map(({ outcomes, answer }) => outcomes + answer)];
      });
    // The first ones make a crowd, and bring the thread.
    await Promise.all(play(0));
    await Promise.all(play(15));
    rows.push(stored);
  }
  assert.deepEqual(rows[0], rows[1]);
  const worked = await Promise.all(work.mock.calls.map(async ({ result }) => result));
  assert.ok(worked.filter((one) => one !== undefined).length > 20, 'hardly a turn went over');
});

test('a turn that another server took first is played again from what is stored', async () => {
  const caller: Caller = { id: 'local', explain: true };
  const file = join(folder, 'two.db');
  await using mine = new SqliteStore(file);
  await using other = new SqliteStore(file);
  await using engine = new EpisodeEngine({ store: mine, tasks: new TaskBook(catalog), threadAfter: 0 });
  await using rival = new EpisodeEngine({ store: other, tasks: new TaskBook(catalog) });
  const { collection, scenario } = task.reference;
  const ids = Array.from({ length: 8 }, (_, index) => `raced-${index}`);
  const request = (words: string) => ({ messages: says(words), hash: hashOf(words), waits: true });
  await Promise.all(
    ids.map((id) => engine.create(caller, { id, collection, scenario, scoreTurns: true, hash: id })),
  );
  await Promise.all(ids.map((id) => engine.submitTurn(caller, id, request('What happened?'))));
  const all = await Promise.all(
    ids.flatMap((id) => [
      rival.submitTurn(caller, id, request('When did it happen?')),
      engine.submitTurn(caller, id, request('Who saw it?')),
    ]),
  );
  assert.ok(all.every(({ repeated }) => !repeated));
  for (const id of ids) {
    const { turns, state } = await engine.read(caller, id);
    let live = openLive(task);
    for (const { messages } of turns) live = goOn(live, workHere(live, messages));
    assert.equal(turns.length, 3);
    assert.deepEqual(state, live.state);
  }
});
