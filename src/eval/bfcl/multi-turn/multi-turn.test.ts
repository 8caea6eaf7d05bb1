import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

import type { JsonObject } from '../../../base/json/value.ts';
import { userMessage } from '../../../base/message/message.ts';
import { mockModel } from '../../../wire/mock/index.ts';
import { readJson } from '../../python/json.ts';
import type { PythonDict } from '../../python/value.ts';
import { modelSeat } from '../../seat/model-seat.ts';
import { openBfcl } from '../open.ts';
import { openBfclTasks } from '../play.ts';
import { Backend } from './backend.ts';
import { preciseLogarithm, preciseRoot } from './precise.ts';

const root = mkdtempSync(join(tmpdir(), 'whet-bfcl-turns-'));
after(() => rmSync(root, { recursive: true }));

const files = {
  root: { home: { type: 'directory', contents: { 'a.txt': { type: 'file', content: 'b\na' } } } },
};

/** A checkout with one question: sort a file, then (with a function that comes later) count it, then nothing to call. */
function checkout(): string {
  const question = {
    question: [[{ role: 'user', content: 'Sort it.' }], [], [{ role: 'user', content: 'Thanks.' }]],
    initial_config: { GorillaFileSystem: files },
    involved_classes: ['GorillaFileSystem'],
    missed_function: { 1: ['wc'] },
  };
  const ground_truth = [["sort('a.txt')", "mkdir(dir_name='b')"], ["wc(file_name='a.txt', mode='l')"], []];
  const described = ['sort', 'mkdir', 'wc'].map((name) => ({
    name,
    description: 'd',
    parameters: { type: 'dict', properties: {}, required: [] },
    response: { type: 'dict' },
  }));
  const write = (file: string, ...lines: readonly object[]): void =>
    writeFileSync(join(root, file), lines.map((line) => JSON.stringify(line)).join('\n'));
  mkdirSync(join(root, 'possible_answer'));
  mkdirSync(join(root, 'multi_turn_func_doc'));
  const again = { ...question, question: [[]], missed_function: {} };
  write(
    'BFCL_v4_multi_turn_miss_func.json',
    { id: 'multi_turn_miss_func_0', ...question },
    { id: 'multi_turn_miss_func_1', ...again },
  );
  write(
    'possible_answer/BFCL_v4_multi_turn_miss_func.json',
    { id: 'multi_turn_miss_func_0', ground_truth },
    { id: 'multi_turn_miss_func_1', ground_truth: [['pwd()', 'pwd()']] },
  );
  write('multi_turn_func_doc/gorilla_file_system.json', ...described);
  return root;
}

const data = checkout();
const task = 'multi_turn_miss_func_0';
const grade = openBfcl(data);

function errorOf(turns: readonly unknown[]): string | undefined {
  const verdict = grade(JSON.stringify({ id: 'q', task, turns }));
  return verdict.valid ? undefined : verdict.error_type;
}

const sort = { name: 'sort', arguments: { file_name: 'a.txt' } };
const mkdir = { mkdir: { dir_name: 'b' } };
const count = "wc('a.txt')";

test('grades turns by what the APIs are and what they answered', () => {
  assert.equal(errorOf([[[sort], [mkdir]], [[count]], []]), undefined);
  assert.equal(errorOf([[['ls()', mkdir, count], [sort]], [[count], ['ls()']], []]), undefined);
  // What was answered in an earlier turn need not be asked again, but something must be called.
  assert.equal(errorOf([[[sort, mkdir, count]], [['pwd()']], []]), undefined);
  assert.equal(errorOf([[[sort, mkdir, count]], [null, []], []]), 'multi_turn:empty_turn_model_response');
  assert.equal(errorOf([[[sort]], [[count]], []]), 'multi_turn:instance_state_mismatch');
  assert.equal(errorOf([[[mkdir]], [[count]], []]), 'multi_turn:execution_response_mismatch');
  assert.equal(errorOf([[[sort, mkdir]], [[count]]]), 'multi_turn:force_terminated');
  // Where nothing should be called, a call does no harm by itself.
  assert.equal(errorOf([[[sort, mkdir]], [[count]], [['touch("c")']]]), undefined);
});

test('what a call was answered stands for one right call', () => {
  const ask = (...steps: readonly string[][]) =>
    grade(JSON.stringify({ id: 'q', task: 'multi_turn_miss_func_1', turns: [steps] })).valid;
  assert.deepEqual([ask(['pwd()']), ask(['pwd()'], ['pwd()'])], [false, true]);
});

test('names the turn and the attribute that differ', () => {
  const verdict = grade(JSON.stringify({ id: 'q', task, turns: [[[sort]], [[count]], []] }));
  assert.deepEqual(verdict.valid ? [] : verdict.reasons, [
    'After turn 0, GorillaFileSystem.root is not as it should be.',
  ]);
});

test('refuses what it cannot read or does not grade', () => {
  assert.throws(() => errorOf([[['sort(x)']], [], []]), /“turns\[0\]” has a call that could not be read/);
  assert.throws(() => errorOf([[[{ name: 'sort' }]], [], []]), /“turns\[0\]/);
  const ask = (id: string) => grade(JSON.stringify({ id: 'q', task: id, turns: [] }));
  assert.throws(() => ask('multi_turn_miss_func_7'), /the id of a question in the data/);
  assert.throws(() => ask('multi_turn_long_context_0'), /keeps the long texts/);
});

test('is played by a model, whose missing function comes in its turn', async () => {
  const calls = (...made: readonly (readonly [string, JsonObject])[]) => ({
    calls: made.map(([name, input], index) => ({ id: `c${index}`, name, arguments: input })),
  });
  const model = mockModel([
    calls(['sort', { file_name: 'a.txt' }], ['mkdir', { dir_name: 'b' }]),
    { text: 'Sorted.' },
    calls(['wc', { file_name: 'a.txt' }]),
    { text: 'Two lines.' },
    { text: 'You are welcome.' },
  ]);
  const seen: { readonly tools: readonly string[]; readonly last: unknown }[] = [];
  const watched: typeof model = {
    ...model,
    generate: (request) => {
      seen.push({
        tools: (request.tools ?? []).map((tool) => String('name' in tool && tool.name)),
        last: request.messages.at(-1),
      });
      return model.generate(request);
    },
  };
  const tasks = openBfclTasks(data, { part: 'multi_turn_miss_func' });
  const played = await tasks.play(task, { agent: modelSeat(watched) });
  assert.deepEqual([played.reward, played.turns, played.ended], [1, 5, 'answered']);
  assert.deepEqual(grade(played.line), { id: task, valid: true });
  assert.deepEqual(seen[0]?.tools, ['sort', 'mkdir']);
  assert.deepEqual(seen[2]?.tools, ['sort', 'mkdir', 'wc']);
  assert.deepEqual(
    seen[2]?.last,
    userMessage('I have updated some more functions you can choose from. What about now?'),
  );
});

test('the right calls earn everything, and a player that never stops is stopped', async () => {
  const tasks = openBfclTasks(data, { part: 'multi_turn_miss_func' });
  assert.equal((await tasks.play(task, tasks.gold!(task))).reward, 1);
  const endless = () => ({
    next: () =>
      Promise.resolve({ text: '', calls: [{ id: 'c', name: 'sort', arguments: '{"file_name": "a.txt"}' }] }),
  });
  const played = await tasks.play(task, { agent: endless });
  assert.deepEqual([played.reward, played.turns, played.ended], [0, 21, 'limit']);
  assert.match(played.reasons[0]!, /^multi_turn:force_terminated/);
});

/** The answers of Python to calls of one API. */
function answers(api: string, initial: string, ...calls: readonly string[]): readonly string[] {
  const backend = new Backend([api], new Map([[api, readJson(initial)]]));
  return calls.map((line) => {
    const [name, given] = line.split(/ (.*)/s) as [string, string?];
    return backend.run({ name, named: readJson(given ?? '{}') as PythonDict });
  });
}

const cases: readonly (readonly [
  title: string,
  api: string,
  initial: string,
  calls: Readonly<Record<string, string>>,
])[] = [
  [
    'a folder',
    'GorillaFileSystem',
    JSON.stringify(files),
    {
      'cd {"folder": "../"}': '{"error": "Cuurent directory is already the root. Cannot go back."}',
      'cat {"file_name": "x/y"}': `{"error": "cat: 'x/y': Invalid character"}`,
      'mkdir {"dir_name": "sub"}': 'None',
      'cp {"source": "a.txt", "destination": "sub"}': `{"result": "'a.txt' copied to 'sub/a.txt'"}`,
      'cp {"destination": "sub", "source": "a.txt"}':
        "Error during execution: File 'a.txt' already exists in directory 'sub'.",
      'mv {"source": "a.txt", "destination": "sub"}': `{"error": "mv: cannot move 'a.txt' to 'sub/a.txt': File exists"}`,
      'du {"human_readable": true}': '{"disk_usage": "6.00 B"}',
      'tail {"file_name": "a.txt", "lines": 1}': '{"last_lines": "a"}',
      'cd {}':
        "Error during execution: GorillaFileSystem.cd() missing 1 required positional argument: 'folder'",
      'remove {}': 'Error during execution: Function call remove is not allowed.',
      'steal {}': "Error during execution: name 'steal' is not defined",
    },
  ],
  [
    'numbers',
    'MathAPI',
    '{}',
    {
      'add {"a": 1, "b": 2.0}': '{"result": 3.0}',
      'divide {"a": 1, "b": 0}': '{"error": "Cannot divide by zero"}',
      'mean {"numbers": ["x"]}': '{"error": "All elements in the list must be numbers"}',
      'round_number {"number": 2.675, "decimal_places": 2}': '{"result": 2.67}',
      'round_number {"number": 0.125, "decimal_places": 2}': '{"result": 0.12}',
      'logarithm {"value": 36.0, "base": 6.0, "precision": 4}': "{'result': mpf('2.0')}",
      'square_root {"number": 2, "precision": 5}': "{'result': Decimal('1.4142')}",
    },
  ],
  [
    'posts',
    'TwitterAPI',
    '{"tweets": {"1": {"id": 1, "username": "john", "content": "Hi", "tags": [], "mentions": []}}, "tweet_counter": 2}',
    {
      'post_tweet {"content": "x"}':
        '{"error": "User not authenticated. Please authenticate before posting."}',
      'authenticate_twitter {"username": "john", "password": "john123"}': '{"authentication_status": true}',
      'post_tweet {"content": "x"}  ':
        '{"id": 2, "username": "john", "content": "x", "tags": [], "mentions": []}',
      'retweet {"tweet_id": 1.0}': '{"retweet_status": "Successfully retweeted"}',
      'retweet {"tweet_id": "1"}': '{"error": "Tweet with ID 1 not found."}',
      'get_user_tweets {"username": "ann"}': '[]',
    },
  ],
  [
    'a flight',
    'TravelAPI',
    '{"access_token": "t", "token_expires_in": 2, "credit_card_list": {"7": {"balance": 500}}}',
    {
      'get_flight_cost {"travel_from": "SFO", "travel_to": "LAX", "travel_date": "2024-10-01", "travel_class": "economy"}':
        '{"travel_cost_list": [400.0]}',
      'get_flight_cost {"travel_from": "SFO", "travel_to": "HKG", "travel_date": "2024-10-01", "travel_class": "economy"}':
        'Error during execution: No available route for the given airports.',
      'book_flight {"access_token": "t", "card_id": "7", "travel_date": "2024-10-01", "travel_from": "SFO", "travel_to": "LAX", "travel_class": "economy"}':
        '{"booking_id": "3426812", "transaction_id": "45451592", "booking_status": true, "booking_history": {}}',
      'compute_exchange_rate {"base_currency": "GBP", "target_currency": "USD", "value": 15400.0}':
        '{"exchanged_value": 22000.0}',
    },
  ],
];

for (const [title, api, initial, calls] of cases)
  test(`${title} answers as the official one`, () => {
    assert.deepEqual(answers(api, initial, ...Object.keys(calls)), Object.values(calls));
  });

test('logarithms and roots have the digits that were asked for', () => {
  assert.equal(preciseLogarithm(980, 20n, 10n), "mpf('2.299121531134')");
  assert.equal(preciseLogarithm(1e-9, 3n, 20n), "mpf('-18.863129468604461381971')");
  assert.equal(preciseRoot(0.1, 30n), "Decimal('0.316227766016837941976973025885')");
  assert.equal(preciseRoot(1e10, 3n), "Decimal('1.00E+5')");
});
