import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';

import { openTau2, type Tau2Grade } from './grade.ts';

const files = {
  'mock/db.json':
    '{"tasks": {"task_1": {"task_id": "task_1", "title": "Test", "status": "pending"}}, ' +
    '"users": {"user_1": {"user_id": "user_1", "name": "Mia", "tasks": ["task_1"]}}}',
  'mock/user_db.json': '{"notifications": {"n_1": {"notification_id": "n_1", "message": "New"}}}',
  'mock/tasks.json':
    '[{"id": "finish", "evaluation_criteria": {"actions": [{"action_id": "a", "name": "update_task_status", ' +
    '"arguments": {"task_id": "task_1", "status": "completed"}}], "reward_basis": ["DB"]}}]',
  'airline/db.json': JSON.stringify({
    flights: {
      HAT001: {
        flight_number: 'HAT001',
        origin: 'JFK',
        destination: 'SEA',
        scheduled_departure_time_est: '06:00:00',
        scheduled_arrival_time_est: '12:00:00',
        dates: {
          '2024-05-20': { status: 'available', available_seats: { economy: 2 }, prices: { economy: 100 } },
        },
      },
    },
    users: {
      mia_1: {
        user_id: 'mia_1',
        name: { first_name: 'Mia', last_name: 'Li' },
        address: { address1: '1 Elm', city: 'Denver', country: 'USA', state: 'CO', zip: '80218' },
        email: 'mia@example.com',
        dob: '1990-04-05',
        payment_methods: { gift_card_1: { source: 'gift_card', id: 'gift_card_1', amount: 500 } },
        saved_passengers: [],
        membership: 'gold',
        reservations: [],
      },
    },
    reservations: {},
  }),
  'telecom/db.toml': `
[[plans]]
plan_id = "P1"
name = "Basic"
data_limit_gb = 5.0
price_per_month = 40.0
data_refueling_price_per_gb = 2.0
[[lines]]
line_id = "L1"
phone_number = "555"
status = "Active"
plan_id = "P1"
data_used_gb = 6.0
[[bills]]
bill_id = "B1"
customer_id = "C1"
period_start = "2025-01-01"
period_end = "2025-01-31"
issue_date = "2025-01-01"
due_date = "2025-01-15"
total_due = 40
status = "Overdue"
[[customers]]
customer_id = "C1"
full_name = "Mia Li"
date_of_birth = "1990-04-05"
email = "mia@example.com"
phone_number = "555"
line_ids = ["L1"]
bill_ids = ["B1"]
[customers.address]
street = "1 Elm"
city = "Denver"
state = "CO"
zip_code = "80218"
`,
};

const folder = mkdtempSync(join(tmpdir(), 'tau2-'));
let grade: (line: string) => Tau2Grade;

before(() => {
  for (const [file, text] of Object.entries(files)) {
    const path = join(folder, 'data/tau2/domains', file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  grade = openTau2(folder);
});
after(() => rmSync(folder, { recursive: true }));

type Call = readonly [name: string, kwargs: object, requestor?: 'assistant' | 'user'];

function message([name, kwargs, requestor = 'assistant']: Call, content: string | null = null): object {
  return { role: requestor, content, tool_calls: [{ id: 'c', name, arguments: kwargs, requestor }] };
}

const hello = { role: 'user', content: 'Hello' };

function action([name, kwargs, requestor = 'assistant']: Call): object {
  return { action_id: name, name, arguments: kwargs, requestor };
}

function gradeOf(
  domain: string,
  line: { readonly criteria: object; readonly state?: object; readonly messages: readonly object[] },
): Tau2Grade {
  const task = { id: 't', initial_state: line.state ?? null, evaluation_criteria: line.criteria };
  return grade(
    JSON.stringify({ id: 'a', domain, task, messages: line.messages, termination_reason: 'user_stop' }),
  );
}

/** Whether the data after what was played are those after what was expected. */
function isSame(domain: string, played: readonly Call[], expected: readonly Call[]): boolean {
  const criteria = { actions: expected.map(action), reward_basis: ['DB'] };
  return gradeOf(domain, { criteria, messages: [hello, ...played.map((call) => message(call))] }).checks!.db;
}

const finish: Call = ['update_task_status', { task_id: 'task_1', status: 'completed' }];
const dismiss: Call = ['dismiss_notification', { notification_id: 'n_1' }, 'user'];

test('looks a task up in the data, and grades nothing that was cut short', () => {
  const line = { id: 'a', domain: 'mock', task_id: 'finish', messages: [hello, message(finish)] };
  const whole = grade(JSON.stringify({ ...line, termination_reason: 'agent_stop' }));
  assert.deepEqual(whole, {
    id: 'a',
    reward: 1,
    basis: { DB: 1 },
    checks: { db: true, env_assertions: [], actions: [true], communicate: [] },
    reasons: [],
  });
  const cut = grade(JSON.stringify({ ...line, termination_reason: 'max_steps' }));
  assert.deepEqual([cut.reward, cut.basis, cut.checks], [0, {}, undefined]);
  assert.match(cut.reasons.join(), /max_steps/);
});

test('gives the agent the user’s tools only where no user speaks', () => {
  const byAgent: Call = [dismiss[0], dismiss[1]];
  const criteria = { actions: [action(dismiss)], reward_basis: ['DB'] };
  assert.equal(gradeOf('mock', { criteria, messages: [message(byAgent)] }).reward, 1);
  const together = gradeOf('mock', { criteria, messages: [hello, message(byAgent)] });
  assert.equal(together.reward, 0);
  assert.match(together.reasons.join(), /notifications/);
  assert.ok(isSame('mock', [dismiss], [dismiss]));
});

test('replays only what changes something; what is unknown or errs changes nothing', () => {
  const others: readonly Call[] = [
    ['delete_task', { task_id: 'task_1' }],
    ['get_users', {}],
    ['update_task_status', { task_id: 'task_9', status: 'completed' }],
    ['update_task_status', { task_id: 'task_1' }],
    ['create_task', { user_id: 'user_1', title: 5 }],
  ];
  assert.ok(isSame('mock', [...others, finish], [finish]));
});

const booking = {
  user_id: 'mia_1',
  origin: 'JFK',
  destination: 'SEA',
  flight_type: 'one_way',
  cabin: 'economy',
  flights: [{ flight_number: 'HAT001', date: '2024-05-20' }],
  passengers: [{ first_name: 'Mia', last_name: 'Li', dob: '1990-04-05' }],
  payment_methods: [{ payment_id: 'gift_card_1', amount: 100 }],
  total_baggages: 1,
  nonfree_baggages: 0,
  insurance: 'no',
};
const book: Call = ['book_reservation', booking];

test('converts what is put into a record, and nothing else', () => {
  const payment = (amount: unknown): Call => [
    'book_reservation',
    { ...booking, total_baggages: '1', payment_methods: [{ payment_id: 'gift_card_1', amount }] },
  ];
  assert.ok(isSame('airline', [payment('100')], [book]));
  assert.ok(!isSame('airline', [payment(100.5)], [book]));
  const bags = (total: unknown): Call => [
    'update_reservation_baggages',
    { reservation_id: 'HATHAT', total_baggages: total, nonfree_baggages: 0, payment_id: 'gift_card_1' },
  ];
  assert.ok(isSame('airline', [book, bags(2)], [book, bags(2)]));
  assert.ok(!isSame('airline', [book, bags('2')], [book, bags(2)]));
});

test('takes seats when it books, and keeps what was charged before a call erred', () => {
  const full: Call = [
    'book_reservation',
    { ...booking, passengers: [...booking.passengers, ...booking.passengers] },
  ];
  assert.ok(isSame('airline', [book, full], [book]));
  const half: Call = [
    'update_reservation_baggages',
    { reservation_id: 'HATHAT', total_baggages: 2, nonfree_baggages: 0.5, payment_id: 'gift_card_1' },
  ];
  const odd: Call = ['update_reservation_baggages', { ...half[1], nonfree_baggages: 0.01 }];
  assert.ok(isSame('airline', [book, half], [book, half]));
  // Fifty cents are charged to the card, and then are not whole dollars to write down.
  assert.ok(!isSame('airline', [book, odd], [book]));
});

test('compares actions by the arguments that count, with Python’s equality', () => {
  const actionsOf = (played: object, expected: object): readonly boolean[] => {
    const criteria = { actions: [{ action_id: 'a', name: 'think', ...expected }], reward_basis: ['ACTION'] };
    return gradeOf('mock', { criteria, messages: [hello, message(['think', played, 'user'])] }).checks!
      .actions;
  };
  assert.deepEqual(actionsOf({ a: 1 }, { arguments: { a: true, b: 2 } }), [true]);
  assert.deepEqual(actionsOf({ a: 1, c: 3 }, { arguments: { a: 1.0, b: 2 } }), [false]);
  assert.deepEqual(actionsOf({ a: 1 }, { arguments: { a: 1, b: 2 }, compare_args: ['a', 'b'] }), [false]);
  assert.deepEqual(actionsOf({ a: 1 }, { arguments: { a: 2 }, compare_args: [] }), [true]);
  assert.deepEqual(actionsOf({ a: 1 }, { arguments: { a: 2 }, compare_args: ['z'] }), [true]);
});

test('looks for what should be said also beside tool calls, without commas in what was said', () => {
  const said = (text: string, wanted: string): number | null =>
    gradeOf('mock', {
      criteria: { actions: [action(finish)], communicate_info: [wanted] },
      messages: [hello, message(finish, text)],
    }).reward;
  assert.equal(said('It is $1,786.', '1786'), 1);
  assert.equal(said('It is $1,786.', '1,786'), 0);
});

test('prepares both sides of the comparison as the task says', () => {
  const state = {
    initialization_data: {
      agent_data: {
        tasks: { task_2: { task_id: 'task_2', title: 'Review', status: 'pending' } },
        users: { user_1: { tasks: ['task_1', 'task_2'] } },
      },
    },
    initialization_actions: [
      {
        env_type: 'user',
        func_name: 'add_notification',
        arguments: { notification_id: 'n_2', message: 'More' },
      },
    ],
  };
  const assertion = (name: string, kwargs: object, side = 'assistant'): object => ({
    env_type: side,
    func_name: name,
    arguments: kwargs,
  });
  const graded = gradeOf('mock', {
    state,
    criteria: {
      actions: [action(['update_task_status', { task_id: 'task_2', status: 'completed' }])],
      env_assertions: [
        assertion('assert_task_status', { task_id: 'task_2', expected_status: 'completed' }),
        assertion('assert_number_of_tasks', { user_id: 'user_1', expected_number: 2 }),
        assertion('assert_notification_status', { notification_id: 'n_2', expected_status: 'read' }, 'user'),
        assertion('assert_nothing', {}),
      ],
      reward_basis: ['DB', 'ENV_ASSERTION'],
    },
    messages: [hello, message(['update_task_status', { task_id: 'task_2', status: 'completed' }])],
  });
  assert.deepEqual(graded.checks?.env_assertions, [true, true, false, false]);
  assert.deepEqual(graded.basis, { DB: 1, ENV_ASSERTION: 0 });
  assert.match(graded.reasons.join(), /assert_notification_status/);
});

test('leaves open what needs a judge, unless another part has failed', () => {
  const criteria = {
    actions: [action(finish)],
    nl_assertions: ['It was kind.'],
    reward_basis: ['DB', 'NL_ASSERTION'],
  };
  const done = gradeOf('mock', { criteria, messages: [hello, message(finish)] });
  assert.deepEqual([done.reward, done.basis], [null, { DB: 1, NL_ASSERTION: null }]);
  assert.equal(gradeOf('mock', { criteria, messages: [hello] }).reward, 0);
});

test('keeps phone and carrier in step after each call, but not between the expected ones', () => {
  const known = {
    initialization_actions: [
      { env_type: 'user', func_name: 'set_user_info', arguments: { name: 'Mia Li', phone_number: '555' } },
    ],
  };
  const working = (expected: boolean): object => ({
    env_type: 'user',
    func_name: 'assert_mobile_data_status',
    arguments: { expected_status: expected },
  });
  const paid = {
    env_type: 'assistant',
    func_name: 'assert_no_overdue_bill',
    arguments: { overdue_bill_id: 'B1' },
  };
  const request: Call = ['send_payment_request', { customer_id: 'C1', bill_id: 'B1' }];
  const pay: Call = ['make_payment', {}, 'user'];
  const refuel: Call = ['refuel_data', { customer_id: 'C1', line_id: 'L1', gb_amount: 2 }];
  const criteria = {
    actions: [action(request), action(pay)],
    env_assertions: [paid],
    reward_basis: ['ENV_ASSERTION'],
  };
  const settled = gradeOf('telecom', {
    state: known,
    criteria,
    messages: [hello, message(request), message(pay)],
  });
  assert.deepEqual([settled.reward, settled.checks!.db], [1, false]);

  const exceeded = gradeOf('telecom', {
    state: known,
    criteria: { env_assertions: [working(false)] },
    messages: [hello],
  });
  assert.deepEqual(exceeded.checks!.env_assertions, [true]);
  const refueled = gradeOf('telecom', {
    state: known,
    criteria: { actions: [action(refuel)], env_assertions: [working(true)] },
    messages: [hello, message(refuel)],
  });
  // A new bill has an id that was drawn at random: no two runs agree in it.
  assert.deepEqual([refueled.checks!.env_assertions, refueled.checks!.db], [[true], false]);
});

test('refuses a line that lacks what it needs, and names the field', () => {
  const whole = { id: 'a', domain: 'mock', task_id: 'finish', messages: [], termination_reason: 'user_stop' };
  const cases: readonly (readonly [object, RegExp])[] = [
    [{ ...whole, domain: 'trains' }, /“domain”/],
    [{ ...whole, task_id: 'start' }, /“task_id”/],
    [{ ...whole, task_id: undefined }, /“task_id” is missing/],
    [{ ...whole, messages: undefined }, /“messages” is missing/],
    [{ ...whole, messages: [{ content: 'a' }] }, /“messages\[0\]\.role” is missing/],
    [{ ...whole, termination_reason: 5 }, /“termination_reason”/],
    [{ ...whole, task: { evaluation_criteria: { reward_basis: ['LUCK'] } } }, /reward_basis\[0\]/],
    [
      {
        ...whole,
        task: {
          initial_state: { initialization_data: { agent_data: { trains: {} } } },
          evaluation_criteria: { actions: [] },
        },
      },
      /agent_data/,
    ],
  ];
  for (const [line, message] of cases) {
    assert.throws(() => grade(JSON.stringify(line)), { code: 'benchmark_line', message });
  }
  assert.throws(() => openTau2(tmpdir()), { code: 'benchmark_data', message: /looked for/ });
});
