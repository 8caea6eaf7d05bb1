import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';

import { textOf } from '../../base/message/message.ts';
import { mockModel } from '../../wire/mock/index.ts';
import { modelSeat, personSeat } from '../seat/model-seat.ts';
import { openTau2 } from './grade.ts';
import { openTau2Tasks } from './play.ts';

const folder = mkdtempSync(join(tmpdir(), 'whet-tau2-'));

const task = {
  id: 'title',
  user_scenario: {
    persona: 'Brief.',
    instructions: {
      domain: 'mock',
      reason_for_call: 'You want a task.',
      known_info: 'You are user_1.',
      unknown_info: null,
      task_instructions: 'Look at your notifications first.',
    },
  },
  evaluation_criteria: {
    actions: [
      { name: 'dismiss_notification', requestor: 'user', arguments: { notification_id: 'n1' } },
      { name: 'create_task', arguments: { user_id: 'user_1', title: 'Meet' } },
    ],
    env_assertions: [
      {
        env_type: 'user',
        func_name: 'assert_notification_status',
        arguments: { notification_id: 'n1', expected_status: 'read' },
      },
    ],
    communicate_info: ['task_1'],
    reward_basis: ['DB', 'ENV_ASSERTION', 'COMMUNICATE'],
  },
};
const alone = { ...task, id: 'alone', ticket: 'user_1 wants a task to meet, and to have read n1.' };
const claimed = {
  ...task,
  id: 'claimed',
  evaluation_criteria: {
    ...task.evaluation_criteria,
    nl_assertions: ['The agent is polite.', 'The agent names the task.'],
    reward_basis: ['DB', 'NL_ASSERTION'],
  },
};

before(() => {
  const files = {
    'policy.md': 'Make tasks.',
    'policy_solo.md': 'Make tasks alone.',
    'db.json': '{"tasks": {}, "users": {"user_1": {"user_id": "user_1", "name": "A", "tasks": []}}}',
    'user_db.json': '{"notifications": {"n1": {"notification_id": "n1", "message": "Hello"}}}',
    'tasks.json': JSON.stringify([task, claimed, alone]),
    'split_tasks.json': '{"small": ["title"]}',
  };
  for (const [file, text] of Object.entries(files)) {
    const path = join(folder, 'data/tau2/domains/mock', file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
});
after(() => rmSync(folder, { recursive: true }));

const agent = () =>
  mockModel([
    ({ request }) => {
      assert.match(textOf(request.messages[0]!), /<policy>\nMake tasks\./);
      assert.deepEqual(
        request.tools?.map(({ name }) => name),
        ['create_task', 'get_users', 'update_task_status', 'transfer_to_human_agents'],
      );
      return { calls: [{ name: 'create_task', arguments: '{"user_id": "nobody", "title": "Meet"}' }] };
    },
    ({ request }) => {
      assert.match(JSON.stringify(request.messages.at(-1)), /Error: /);
      return { calls: [{ name: 'create_task', arguments: '{"user_id": "user_1", "title": "Meet"}' }] };
    },
    'It is task_1.',
  ]);

const person = () =>
  mockModel([
    ({ request }) => {
      assert.match(
        textOf(request.messages[0]!),
        /Persona:\nBrief\.\n\nWhy you write:\nYou want a task\.\n\nWhat you know:\nYou are user_1\./,
      );
      assert.equal(textOf(request.messages[1]!), 'Hi! How can I help you today?');
      return { calls: [{ name: 'check_notifications', arguments: {} }] };
    },
    ({ request }) => {
      assert.match(JSON.stringify(request.messages.at(-1)), /Hello/);
      return { calls: [{ name: 'dismiss_notification', arguments: { notification_id: 'n1' } }] };
    },
    'I want a task to meet.',
    'Thanks. ###STOP###',
  ]);

test('a model plays a task of tau2 with a person who has tools, and the line is graded again alike', async () => {
  const tasks = openTau2Tasks(folder, { part: 'mock', split: 'small' });
  assert.deepEqual(tasks.tasks, ['title']);
  const played = await tasks.play('title', { agent: modelSeat(agent()), person: personSeat(person()) });
  assert.deepEqual([played.reward, played.reasons, played.ended, played.turns], [1, [], 'user_stop', 3]);
  assert.equal(openTau2(folder)(played.line).reward, 1);
});

test('both sides make the calls of the task itself, and earn the reward', async () => {
  const tasks = openTau2Tasks(folder, { part: 'mock', split: 'small' });
  const played = await tasks.play('title', tasks.gold!('title'));
  assert.deepEqual([played.reward, played.reasons], [1, []]);
});

test('one who is alone has a ticket and the tools of both, and is graded as recorded ones are', async () => {
  const tasks = openTau2Tasks(folder, { part: 'mock', isSolo: true });
  assert.deepEqual([tasks.name, tasks.tasks, tasks.hasPerson], ['tau2/mock/solo', ['alone'], false]);
  const model = mockModel([
    ({ request }) => {
      assert.match(textOf(request.messages[0]!), /Make tasks alone\./);
      assert.match(textOf(request.messages[1]!), /^<ticket>\nuser_1 wants a task/);
      const names = request.tools!.map(({ name }) => name);
      for (const name of ['create_task', 'dismiss_notification', 'done'])
        assert.ok(names.includes(name), name);
      return { calls: [{ name: 'dismiss_notification', arguments: { notification_id: 'n1' } }] };
    },
    'I am at it.',
    { calls: [{ name: 'create_task', arguments: '{"user_id": "user_1", "title": "Meet"}' }] },
    ({ request }) => {
      assert.match(JSON.stringify(request.messages), /Nobody reads this/);
      return { text: 'It is task_1.', calls: [{ name: 'get_users', arguments: {} }] };
    },
    { calls: [{ name: 'done', arguments: {} }] },
  ]);
  const played = await tasks.play('alone', { agent: modelSeat(model) });
  assert.deepEqual([played.reward, played.reasons, played.ended, played.turns], [1, [], 'agent_stop', 5]);
  assert.equal(openTau2(folder)(played.line).reward, 1);
  const gold = await tasks.play('alone', tasks.gold!('alone'));
  // Nobody is told anything, which is all that the task's own calls lack.
  assert.deepEqual([gold.ended, gold.reasons.length], ['agent_stop', 1]);
  assert.throws(() => openTau2Tasks(folder, { part: 'mock', split: 'small', isSolo: true }), /has a ticket/);
});

test('claims in plain words wait for a judge, whose verdicts stay with what was played', async () => {
  const tasks = openTau2Tasks(folder, { part: 'mock' });
  assert.equal(tasks.needsJudge!('claimed'), true);
  assert.equal(tasks.needsJudge!('title'), false);
  const played = await tasks.play('claimed', tasks.gold!('claimed'));
  assert.equal(played.reward, null);
  const votes = [
    '{"verdicts": [{"reason": "yes", "holds": true}, {"reason": "yes", "holds": true}]}',
    '{"verdicts": [{"reason": "yes", "holds": true}, {"reason": "no", "holds": false}]}',
    '{"verdicts": [{"reason": "yes", "holds": true}, {"reason": "no", "holds": false}]}',
  ];
  const judged = await tasks.judge!(played.line, { model: mockModel(votes), votes: 3 });
  assert.ok(!('fault' in judged));
  assert.deepEqual(
    [judged.reward, judged.reasons],
    [0, ['The judge does not find: “The agent names the task.”.']],
  );
  assert.deepEqual(openTau2(folder)(judged.line).basis, { DB: 1, NL_ASSERTION: 0 });
  const silent = await tasks.judge!(played.line, { model: mockModel(['Hm.']), votes: 1 });
  assert.ok('fault' in silent);
});

test('ten errors, or a split that is not there, are told', async () => {
  const tasks = openTau2Tasks(folder, { part: 'mock' });
  const wrong = mockModel([{ calls: [{ name: 'fly', arguments: {} }], times: Infinity }]);
  const played = await tasks.play('title', {
    agent: modelSeat(wrong),
    person: personSeat(mockModel(['Hi'])),
  });
  assert.deepEqual([played.reward, played.ended], [0, 'too_many_errors']);
  assert.throws(() => openTau2Tasks(folder, { part: 'mock', split: 'large' }), /no split "large".*small/);
  assert.throws(() => openTau2Tasks(folder, {}), /"domain" is missing/);
});
