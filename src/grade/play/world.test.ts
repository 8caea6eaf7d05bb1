import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import type { JsonObject } from '../../base/json/value.ts';
import { findScenario, loadCatalog } from '../scenario/load/catalog.ts';
import { playConditionHolds } from '../scenario/play-condition.ts';
import { playTurn, startPlay } from './play.ts';
import { changedScenario } from '../scenario/scenario.ts';
import { endsOf, sessionIsOver } from './session.ts';
import { buildTask } from '../scenario/build-task.ts';
import type { Task } from '../scenario/task.ts';
import type { TurnCall } from '../scenario/transcript.ts';
import { runSteps } from './world.ts';
import { readPath, writePath } from '../scenario/world-path.ts';
import { diffWorlds, hashWorld, rewindTo, takeSnapshot } from './world-state.ts';
import type { PlayState } from '../scenario/play-state.ts';

const bundled = loadCatalog(fileURLToPath(new URL('../../../scenarios', import.meta.url)));
const task = buildTask(findScenario(bundled, 'customer-support', 'damaged-item'));

function call(on: Task, state: PlayState, name: string, input: TurnCall['input']) {
  const played = playTurn(on, state, [{ role: 'assistant', content: '', toolCalls: [{ name, input }] }]);
  return {
    state: played.state,
    outcome: played.outcomes[0]!,
    revealed: played.revealed,
    fault: played.fault,
  };
}

test('tools read the world, change it, and say why not', () => {
  const { state } = startPlay(task);
  for (const email of ['nora.lind@example.com', ' Nora.Lind@Example.com']) {
    const found = call(task, state, 'find_orders', { email });
    assert.equal((JSON.parse(found.outcome.output) as unknown[]).length, 2);
    assert.deepEqual(found.revealed, ['number', 'item', 'record']);
  }
  const looked = call(task, state, 'look_up_order', { order_id: 'A-1041' });
  assert.deepEqual(looked.revealed, ['email', 'item', 'record']);
  assert.match(call(task, state, 'look_up_order', { order_id: 'X' }).outcome.output, /There is no order X/);
  const refunded = call(task, state, 'refund_order', { order_id: 'A-1041', amount: 64.5 });
  assert.equal(readPath(refunded.state.world, 'orders.A-1041.refund'), 64.5);
  assert.equal(
    call(task, refunded.state, 'refund_order', { order_id: 'A-1041', amount: 1 }).outcome.isError,
    true,
  );
  assert.equal(readPath(state.world, 'orders.A-1041.status'), 'delivered', 'the earlier state is untouched');
});

test('an input that the schema of a tool refuses never reaches its steps: the model is told what is wrong', () => {
  const { state } = startPlay(task);
  const sent = call(task, state, 'refund_order', { amount: 'much' });
  assert.deepEqual([sent.outcome.isError, hashWorld(sent.state.world)], [true, hashWorld(state.world)]);
  assert.match(
    sent.outcome.output,
    /order_id: expected a string, nothing is there.*amount: expected a number/,
  );
});

test('a snapshot can be gone back to and gone on from in two ways; a diff shows what they changed', () => {
  const { state } = startPlay(task);
  const before = takeSnapshot(state);
  const one = call(task, rewindTo(before), 'replace_order', { order_id: 'A-1041' });
  const other = call(task, rewindTo(before), 'refund_order', { order_id: 'A-1041', amount: 5 });
  assert.deepEqual(diffWorlds(state.world, one.state.world), [
    { path: 'orders.A-1041.status', before: 'delivered', after: 'replaced' },
  ]);
  assert.deepEqual(diffWorlds(one.state.world, other.state.world), [
    { path: 'orders.A-1041.refund', after: 5 },
    { path: 'orders.A-1041.status', before: 'replaced', after: 'refunded' },
  ]);
  assert.equal(hashWorld(rewindTo(before).world), before.worldHash);
  assert.notEqual(hashWorld(one.state.world), before.worldHash);
  assert.equal(hashWorld({ a: 1, b: 2 }), hashWorld({ b: 2, a: 1 }));
});

test("an injected fault is told apart from the model's own errors, and passes", () => {
  const flaky = buildTask(findScenario(bundled, 'customer-support', 'charged-twice'));
  const id = Object.keys(readPath(flaky.world, 'orders') as object)[0]!;
  const first = call(flaky, startPlay(flaky).state, 'look_up_order', { order_id: id });
  assert.deepEqual([first.outcome.isError, first.outcome.injected], [true, true]);
  const second = call(flaky, first.state, 'look_up_order', { order_id: id });
  assert.equal(second.outcome.isError, undefined);
  assert.equal(call(flaky, second.state, 'look_up_order', { order_id: 'X' }).outcome.injected, undefined);
});

test('an error may be a number that varies', () => {
  // A variable stands for whatever its value is.
  const steps = [{ error: 503 as unknown as string }];
  assert.equal(runSteps(steps, { world: {}, input: {} }).output, '503');
});

test('what an injected fault answered ends nothing, and was not done', () => {
  const flaky = buildTask(findScenario(bundled, 'customer-support', 'charged-twice'));
  const id = Object.keys(readPath(flaky.world, 'orders') as object)[0]!;
  const task: Task = { ...flaky, ends: ['look_up_order'] };
  const toolCalls = [{ name: 'look_up_order', input: { order_id: id } }];
  const busy = playTurn(task, startPlay(task).state, [{ role: 'assistant', content: '', toolCalls }]);
  assert.equal(busy.ended, undefined);
  assert.equal(playConditionHolds({ called: 'look_up_order' }, busy.state), false);
  assert.equal(playConditionHolds({ not_called: 'look_up_order' }, busy.state), true);
  const again = playTurn(task, busy.state, [{ role: 'assistant', content: '', toolCalls }]);
  assert.equal(again.ended, 'completed');
});

test('the tools that end a journey are those of its last session, or of the scenario where it names none', () => {
  const journey = buildTask(findScenario(bundled, 'case-management', 'return-to-work'));
  const last = journey.sessions.at(-1)!;
  const ends = last.ends;
  const task: Task = {
    ...journey,
    ends,
    sessions: [...journey.sessions.slice(0, -1), { ...last, ends: [] }],
  };
  const number = task.sessions.length;
  assert.deepEqual(endsOf(task, number), ends);
  assert.deepEqual(endsOf({ ...task, ends: ['other'] }, number - 1), journey.sessions.at(-2)!.ends);
  const state = { ...startPlay(task).state, session: number };
  const made = ends.map((name) => ({ turn: 1, session: number, name }));
  assert.equal(sessionIsOver(task, { ...state, calls: made }), true);
  assert.equal(
    sessionIsOver(task, { ...state, calls: made.map((call) => ({ ...call, session: 1 })) }),
    false,
  );
});

test('the last session of a journey ends after its own turns, or with those of the episode', () => {
  const journey = buildTask(findScenario(bundled, 'case-management', 'return-to-work'));
  const inLast = { ...startPlay(journey).state, session: journey.sessions.length, turn: 4 };
  const says = [{ role: 'assistant', content: 'I see.' }] as const;
  const { turns } = journey.sessions.at(-1)!;
  assert.equal(playTurn(journey, { ...inLast, sessionTurn: turns - 2 }, says).ended, undefined);
  assert.equal(playTurn(journey, { ...inLast, sessionTurn: turns - 1 }, says).ended, 'max_turns_reached');
  const written = findScenario(bundled, 'case-management', 'return-to-work');
  const sessions = written.template['sessions'] as readonly JsonObject[];
  const template = { ...written.template, sessions: [...sessions.slice(0, -1), {}] };
  const endless = buildTask(changedScenario(written, { template }));
  assert.equal(endless.sessions.at(-1)!.turns, endless.limits.turns);
});

test('paths reach own members only, and writing shares what is not on the way', () => {
  const world = { a: { b: [1, { c: 2 }] }, d: { e: 3 } };
  assert.equal(readPath(world, 'a.b.1.c'), 2);
  for (const path of ['__proto__', 'a.constructor', 'a.b.length', 'a.b.-1', 'x.y'])
    assert.equal(readPath(world, path), undefined, path);
  const next = writePath(world, 'a.b.1.c', 9);
  assert.equal(readPath(next, 'a.b.1.c'), 9);
  assert.equal(next['d'], world.d);
  const odd = writePath(world, '__proto__.polluted', true);
  assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
  assert.equal(readPath(odd, '__proto__.polluted'), true);
});

test('names with dots are found and written, and what a model writes into a path is one name', () => {
  const world = { by: { 'ann@example.com': { plan: 'basic' }, 'A-1': { status: 'open' } } };
  assert.equal(readPath(world, 'by.ann@example.com.plan'), 'basic');
  assert.equal(
    readPath(writePath(world, 'by.ann@example.com.plan', 'full'), 'by.ann@example.com.plan'),
    'full',
  );
  const steps = [
    { if: { 'by.{id}?': false }, error: 'There is no {id}.' },
    { set: { 'by.{id}.status': 'paid' }, read: 'by.{id}' },
  ];
  const run = (id: string) => runSteps(steps, { world, input: { id } });
  assert.equal(run('ann@example.com').output, '{"plan":"basic","status":"paid"}');
  for (const id of ['A-1.status', 'A-1.status.', 'ann@example.com.plan', '', '.', '__proto__']) {
    const done = run(id);
    assert.equal(done.isError, true, id);
    assert.equal(done.world, world, id);
  }
});

const room = mkdtempSync(join(tmpdir(), 'whet-world-'));
after(() => rmSync(room, { recursive: true }));

test('a world in TypeScript gets copies: what it does to them is seen only where it answers them', () => {
  const folder = join(room, 'c', 's');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(room, 'c', 'collection.yaml'), 'name: C\n');
  writeFileSync(
    join(folder, 'scenario.yaml'),
    `name: S
version: '1'
description: S.
canary: c
briefing: Count.
code: world.ts
world: { count: 1 }
facts:
  - { id: seen, is: It was seen., reveal: hidden }
tools:
  - { id: add, type: function, writes: true, json_schema: { type: object } }
  - { id: peek, type: function, json_schema: { type: object } }
  - { id: spoil, type: function, json_schema: { type: object } }
expect:
  - { call: add }
`,
  );
  writeFileSync(
    join(folder, 'world.ts'),
    `type World = { count: number };
export const tools = {
  add: (world: World, input: { by?: number }) => ({ world: { count: world.count + (input.by ?? 1) }, output: 'added' }),
  peek: (world: World) => ({ output: { count: world.count }, reveals: ['seen'] }),
  spoil: (world: World) => { world.count = 99; return { output: 'spoilt' }; },
};
`,
  );
  const catalog = loadCatalog(room);
  assert.deepEqual(catalog.faults, []);
  const coded = buildTask(findScenario(catalog, 'c', 's'));
  const added = call(coded, startPlay(coded).state, 'add', { by: 2 });
  assert.deepEqual(added.state.world, { count: 3 });
  const peeked = call(coded, added.state, 'peek', {});
  assert.deepEqual(peeked.state.world, { count: 3 });
  assert.equal(peeked.outcome.output, '{"count":3}');
  assert.deepEqual(peeked.revealed, ['seen']);
  const spoilt = call(coded, peeked.state, 'spoil', {});
  assert.deepEqual(spoilt.state.world, { count: 3 });
  assert.match(spoilt.fault!.message, /changed its world and did not answer it; add "world"/);
});

test('in a journey, what was missed early changes how the next session opens, and its world', () => {
  const journey = buildTask(findScenario(bundled, 'case-management', 'return-to-work'));
  const note = { name: 'medical_assessment', input: { condition: 'herniated_disc', severity: 'severe' } };
  const open = (question: string) => {
    const asked = playTurn(journey, startPlay(journey).state, [{ role: 'assistant', content: question }]);
    return playTurn(journey, asked.state, [{ role: 'assistant', content: '', toolCalls: [note] }]);
  };
  const knowing = open('What kind of work do you do?');
  const careless = open('How is the weather?');
  assert.equal(knowing.state.session, 2);
  assert.match(knowing.observation.content, /lighter work/);
  assert.match(careless.observation.content, /lifting again/);
  assert.deepEqual([knowing.state.world['work'], careless.state.world['work']], ['light', 'heavy']);
});

test('a person with tools of its own uses them when asked, and not when told about them', () => {
  const acting: Task = {
    ...task,
    person: {
      ...task.person,
      acts: [
        {
          id: 'restart',
          ask: ['restart router|device'],
          says: 'All right, I have restarted it.',
          does: [{ set: { router: 'restarted' }, reveals: ['record'] }],
        },
      ],
    },
  };
  const { state } = startPlay(acting);
  const say = (content: string) => playTurn(acting, state, [{ role: 'assistant', content }]);
  const done = say('Could you please restart the router?');
  assert.equal(done.state.world['router'], 'restarted');
  assert.deepEqual(done.revealed, ['record']);
  assert.match(done.observation.content, /restarted it/);
  assert.equal(say('We restart the router every night.').state.world['router'], undefined);
});
