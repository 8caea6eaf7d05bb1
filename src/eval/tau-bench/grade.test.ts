import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';

import { openTauBench, type TauBenchGrade } from './grade.ts';

const folder = mkdtempSync(join(tmpdir(), 'tau-bench-'));
let grade: (line: string) => TauBenchGrade;

const tables = {
  'airline/data/flights.json':
    '{"HAT001": {"flight_number": "HAT001", "origin": "JFK", "destination": "SEA", "scheduled_departure_time_est": "06:00:00", ' +
    '"scheduled_arrival_time_est": "12:00:00+1", "dates": {"2024-05-20": {"status": "available", "available_seats": ' +
    '{"economy": 2}, "prices": {"economy": 100}}}}}',
  'airline/data/reservations.json': '{}',
  'airline/data/users.json':
    '{"mia_1": {"name": {"first_name": "Mia"}, "payment_methods": {"card_1": {"source": "credit_card", "id": "card_1"}, ' +
    '"gift_card_1": {"source": "gift_card", "amount": 150, "id": "gift_card_1"}}, "reservations": []}}',
  'airline/tasks_test.py':
    'from tau_bench.types import Action, Task\n\nTASKS = [\n    Task(user_id="mia_1", actions=[], outputs=["1786"]),\n' +
    '    Task(user_id="mia_1", actions=[Action(name="send_certificate", kwargs={"user_id": "mia_1", "amount": 50})], outputs=[]),\n]\n',
  'retail/data/orders.json':
    '{"#W1": {"order_id": "#W1", "user_id": "mia_1", "status": "delivered", "items": [{"item_id": "9690244451", ' +
    '"product_id": "1", "price": 5.0}], "payment_history": [{"transaction_type": "payment", "payment_method_id": "card_1", "amount": 5.0}]}}',
  'retail/data/products.json':
    '{"1": {"name": "Cup", "product_id": "1", "variants": {"9690244451": {}, "1656367028": {}}}}',
  'retail/data/users.json':
    '{"mia_1": {"email": "Mia@example.com", "payment_methods": {"card_1": {"source": "card"}}}}',
  'retail/tasks_test.py': 'TASKS_TEST = []\n',
};

before(() => {
  for (const [file, text] of Object.entries(tables)) {
    const path = join(folder, 'tau_bench/envs', file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  grade = openTauBench(folder);
});
after(() => rmSync(folder, { recursive: true }));

function gradeOf(line: object): TauBenchGrade {
  return grade(JSON.stringify({ id: 'a', domain: 'airline', ...line }));
}

const booking = {
  user_id: 'mia_1',
  origin: 'JFK',
  destination: 'SEA',
  flight_type: 'one_way',
  cabin: 'economy',
  flights: [{ flight_number: 'HAT001', date: '2024-05-20' }],
  passengers: [{ first_name: 'Mia' }],
  payment_methods: [{ payment_id: 'gift_card_1', amount: 100 }],
  total_baggages: 0,
  nonfree_baggages: 0,
  insurance: 'no',
};

function told(name: string, given: object, domain = 'airline'): string {
  return gradeOf({ domain, calls: [{ name, arguments: given }] }).observations[0]!;
}

test('says in Python’s words what is wrong with the arguments of a call', () => {
  const { insurance: _, ...uninsured } = booking;
  const { nonfree_baggages: __, ...less } = uninsured;
  const cases: readonly (readonly [string, object, string])[] = [
    [
      'book_reservation',
      uninsured,
      "BookReservation.invoke() missing 1 required positional argument: 'insurance'",
    ],
    [
      'book_reservation',
      less,
      "BookReservation.invoke() missing 2 required positional arguments: 'nonfree_baggages' and 'insurance'",
    ],
    ['calculate', {}, "Calculate.invoke() missing 1 required positional argument: 'expression'"],
    ['think', { seat: 1 }, "Think.invoke() got an unexpected keyword argument 'seat'"],
    ['book_reservation', { ...booking, flights: [{ flight_number: 'HAT001' }] }, "'date'"],
    [
      'book_reservation',
      { ...booking, nonfree_baggages: 'a' },
      "unsupported operand type(s) for +=: 'int' and 'str'",
    ],
    ['book_reservation', { ...booking, cabin: 'first' }, "'first'"],
    ['book_reservation', { ...booking, passengers: 5 }, "object of type 'int' has no len()"],
    ['get_user_details', { user_id: ['mia_1'] }, "unhashable type: 'list'"],
    ['search_onestop_flight', { origin: 'JFK', destination: 'SEA', date: 5 }, '[]'],
    ['calculate', { expression: 5 }, "'int' object is not iterable"],
    ['calculate', { expression: '2 +' }, 'invalid syntax (<string>, line 1)'],
  ];
  for (const [name, given, expected] of cases) {
    assert.equal(told(name, given), expected === '[]' ? expected : `Error: ${expected}`);
  }
  assert.equal(
    told('find_user_id_by_email', { email: null }, 'retail'),
    "Error: 'NoneType' object has no attribute 'lower'",
  );
  assert.equal(told('fly', {}), 'Unknown action fly');
});

test('books without taking seats, and pays from the gift card', () => {
  const book = { name: 'book_reservation', arguments: booking };
  const { observations } = gradeOf({
    calls: [
      book,
      { name: 'search_direct_flight', arguments: { origin: 'JFK', destination: 'SEA', date: '2024-05-20' } },
      book,
      { name: 'get_user_details', arguments: { user_id: 'mia_1' } },
    ],
  });
  assert.match(
    observations[0]!,
    /^\{"reservation_id": "HATHAT", .*"price": 100, "origin": "JFK", "destination": "SEA"/,
  );
  assert.match(observations[1]!, /"available_seats": \{"economy": 2\}/);
  assert.equal(observations[2], 'Error: not enough balance in payment method gift_card_1');
  assert.match(observations[3]!, /"amount": 50,.*"reservations": \["HATHAT"\]/);
});

test('keeps 5 and 5.0 apart, and keys in their order', () => {
  const send = (amount: string): TauBenchGrade =>
    grade(
      `{"id": "a", "domain": "airline", "calls": [{"name": "send_certificate", "arguments": {"user_id": "mia_1", "amount": ${amount}}}]}`,
    );
  assert.notEqual(send('50').hash, send('50.0').hash);
  assert.match(send('50.0').observations[0]!, /with amount 50\.0\.$/);
  assert.match(
    told('get_product_details', { product_id: '1' }, 'retail'),
    /"9690244451": \{\}, "1656367028": \{\}/,
  );
});

test('keeps what a tool changed before it erred, and begins each line anew', () => {
  const before = gradeOf({ calls: [] }).hash;
  const pays = [
    { payment_id: 'gift_card_1', amount: 60 },
    { payment_id: 'gift_card_1', amount: 40 },
  ];
  assert.notEqual(
    gradeOf({ calls: [{ name: 'book_reservation', arguments: { ...booking, payment_methods: pays } }] }).hash,
    before,
  );
  assert.equal(gradeOf({ calls: [] }).hash, before);
});

test('asks for the data, for every output, and for an end', () => {
  const calls = [{ name: 'send_certificate', arguments: '{"user_id": "mia_1", "amount": 50}' }];
  assert.equal(gradeOf({ task: 0, calls: [], said: ['It is $1,786.'] }).reward, 1);
  const unsaid = gradeOf({ task: 0, calls: [], said: ['It is 1 786.'] });
  assert.equal(unsaid.reward, 0);
  assert.match(unsaid.reasons!.join(), /“1786”/);
  assert.equal(gradeOf({ task: 1, calls }).reward, 1);
  const changed = gradeOf({ task: 0, calls, said: ['1786'] });
  assert.equal(changed.reward, 0);
  assert.match(changed.reasons!.join(), /users mia_1/);
  assert.match(gradeOf({ task: 1, calls, ended: false }).reasons!.join(), /did not end/);
});

test('reads messages as they are recorded: the first call of a message, and no text beside it', () => {
  const call = (amount: number): object => ({
    function: { name: 'send_certificate', arguments: JSON.stringify({ user_id: 'mia_1', amount }) },
  });
  const messages = [
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: '1786', tool_calls: [call(50), call(70)] },
    { role: 'tool', content: '…' },
    { role: 'assistant', content: 'Done.', tool_calls: null },
    { role: 'user', content: 'Thanks. ###STOP###' },
  ];
  const graded = gradeOf({ task: 1, messages });
  assert.equal(graded.observations.length, 1);
  assert.equal(graded.reward, 1);
  assert.equal(gradeOf({ task: 1, messages: messages.slice(0, -1) }).reward, 0);
  assert.match(gradeOf({ task: 0, messages }).reasons!.join(), /“1786”/);
});

test('refuses a line that lacks what it needs, and names the field', () => {
  const cases: readonly (readonly [object, RegExp])[] = [
    [{ domain: 'trains', calls: [] }, /“domain”/],
    [{}, /“calls” is missing/],
    [{ calls: [{ name: 'think' }] }, /“calls\[0\]\.arguments” is missing/],
    [{ calls: [{ name: 'think', arguments: '{' }] }, /“calls\[0\]\.arguments” is a text that is not JSON/],
    [{ calls: [], said: [5] }, /“said\[0\]”/],
    [{ calls: [], ended: 'yes' }, /“ended” should be true or false/],
    [{ calls: [], task: 7 }, /“task” should be the index/],
    [{ calls: [], task: { outputs: [] } }, /“task\.actions” is missing/],
  ];
  for (const [line, message] of cases)
    assert.throws(() => gradeOf(line), { code: 'benchmark_line', message });
  assert.throws(() => grade('{'), { code: 'json_syntax' });
  assert.throws(() => openTauBench(tmpdir()), { code: 'benchmark_data', message: /looked for/ });
});
