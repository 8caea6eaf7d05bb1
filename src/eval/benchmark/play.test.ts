import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';

import type { Message } from '../../base/message/message.ts';
import { textOf } from '../../base/message/message.ts';
import { mockModel } from '../../wire/mock/index.ts';
import { openBfclTasks } from '../bfcl/play.ts';
import { openTauBench } from '../tau-bench/grade.ts';
import { openTauBenchTasks } from '../tau-bench/play.ts';
import { agentSeat } from '../seat/agent-seat.ts';
import { modelSeat, personSeat } from '../seat/model-seat.ts';
import { scriptSeat } from '../seat/script-seat.ts';

const folder = mkdtempSync(join(tmpdir(), 'whet-play-'));

/** A checkout of tau-bench as its authors lay it out, tools in Python. */
const checkout = {
  'wiki.md': '# Policy\n\nBe kind.\n',
  'data/flights.json': '{}',
  'data/reservations.json': '{}',
  'data/users.json': '{"mia_1": {"name": {"first_name": "Mia"}, "payment_methods": {}, "reservations": []}}',
  'tasks_test.py':
    'TASKS = [\n    Task(user_id="mia_1", instruction="You are Mia and want 50.0 dollars.", outputs=["50"],\n' +
    '        actions=[Action(name="send_certificate", kwargs={"user_id": "mia_1", "amount": 50.0}),\n' +
    '            Action(name="transfer_to_human_agents", kwargs={"summary": "x"})]),\n]\n',
  'tools/__init__.py': 'ALL_TOOLS = []\n',
  'tools/send_certificate.py':
    'class SendCertificate(Tool):\n    @staticmethod\n    def invoke(data, user_id, amount):\n        return "no"\n\n' +
    '    @staticmethod\n    def get_info() -> Dict[str, Any]:\n        return {\n            "type": "function",\n            "function": {\n' +
    '                "name": "send_certificate",\n                "description": "Send " "a certificate.",\n' +
    '                "parameters": {"type": "object", "properties": {"amount": {"type": "number"}}, "required": ["amount"]},\n' +
    '            },\n        }\n',
};

before(() => {
  for (const [file, text] of Object.entries(checkout)) write(`tau_bench/envs/airline/${file}`, text);
  write(
    'BFCL_v4_simple_python.json',
    `${JSON.stringify({
      id: 'simple_python_0',
      question: [
        [
          { role: 'system', content: 'Be exact.' },
          { role: 'user', content: 'Area of 10 by 5?' },
        ],
      ],
      function: [
        {
          name: 'math.area',
          description: 'Area.',
          parameters: {
            type: 'dict',
            properties: {
              base: { type: 'float' },
              sides: { type: 'tuple', items: { type: 'integer' } },
              more: { type: 'any' },
            },
            required: ['base'],
          },
        },
      ],
    })}\n`,
  );
  write(
    'possible_answer/BFCL_v4_simple_python.json',
    '{"id": "simple_python_0", "ground_truth": [{"math.area": {"base": [10.0], "sides": [""], "more": [""]}}]}\n',
  );
});
after(() => rmSync(folder, { recursive: true }));

function write(file: string, text: string): void {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

test('a model plays a task of tau-bench with a person, and what was played is graded again alike', async () => {
  const tasks = openTauBenchTasks(folder, { part: 'airline' });
  const heard: (readonly Message[])[] = [];
  const agent = mockModel([
    ({ request }) => {
      heard.push(request.messages);
      assert.deepEqual(
        request.tools?.map((tool) => [tool.name, 'description' in tool ? tool.description : '']),
        [['send_certificate', 'Send a certificate.']],
      );
      return {
        calls: [
          { name: 'send_certificate', arguments: '{"user_id": "mia_1", "amount": 50.0}' },
          { name: 'send_certificate', arguments: '{"user_id": "mia_1", "amount": 7}' },
        ],
      };
    },
    ({ request }) => {
      heard.push(request.messages);
      return 'You have 50 now.';
    },
  ]);
  const person = mockModel([
    ({ request }) => {
      assert.match(textOf(request.messages[0]!), /You are Mia and want 50\.0 dollars\./);
      return 'I want a certificate.';
    },
    'Thanks. ###STOP###',
  ]);
  const played = await tasks.play('0', { agent: modelSeat(agent), person: personSeat(person) });
  assert.deepEqual([played.reward, played.reasons, played.ended], [1, [], 'person']);
  assert.deepEqual(
    heard[0]!.map((message) => [message.role, message.role === 'tool' ? '' : textOf(message)]),
    [
      ['system', checkout['wiki.md']],
      ['user', 'I want a certificate.'],
    ],
  );
  const [first, second] = heard[1]!.flatMap((message) => (message.role === 'tool' ? message.results : []));
  assert.match(JSON.stringify(first), /Certificate certificate_\d+ added/);
  assert.match(JSON.stringify(second), /not run/);
  assert.match(played.line, /50\.0/, 'numbers stay as the model wrote them');
  assert.equal(openTauBench(folder)(played.line).reward, 1);
});

test('the limit of steps, a person who never stops, and a call that is not JSON earn nothing', async () => {
  const tasks = openTauBenchTasks(folder, { part: 'airline' });
  const talks = () => mockModel([{ text: 'And now?', times: Infinity }]);
  const played = await tasks.play('0', {
    agent: modelSeat(
      mockModel([
        { calls: [{ name: 'send_certificate', arguments: '[5' }] },
        { text: 'Hm.', times: Infinity },
      ]),
    ),
    person: personSeat(talks()),
  });
  assert.deepEqual([played.reward, played.ended, played.turns], [0, 'limit', 30]);
  assert.match(played.reasons.join(' '), /did not end/);
});

test('the calls of the task itself earn the reward; a hand-over among them is left out', async () => {
  const tasks = openTauBenchTasks(folder, { part: 'airline' });
  const played = await tasks.play('0', tasks.gold!('0'));
  assert.deepEqual([played.reward, played.reasons], [1, []]);
});

test('an agent of the user’s own is told the policy, and its calls are those of the benchmark', async () => {
  const tasks = openTauBenchTasks(folder, { part: 'airline' });
  const told: string[] = [];
  const agent = agentSeat(async ({ words, call }) => {
    told.push(words);
    const answer = await call('send_certificate', { user_id: 'mia_1', amount: 50 });
    return `${answer} That is 50.`;
  });
  const played = await tasks.play('0', { agent, person: personSeat(mockModel(['Hi', '###STOP###'])) });
  assert.match(told[0]!, /Be kind\.\n\n\n?Hi$/);
  assert.equal(played.reward, 0, '50 and 50.0 are two amounts to tau-bench');
  assert.match(played.reasons.join(' '), /users mia_1/);
});

test('a person whose model fails is no fault of the player', async () => {
  const tasks = openTauBenchTasks(folder, { part: 'airline' });
  const person = mockModel([{ fault: { status: 400, message: 'no' } }]);
  await assert.rejects(tasks.play('0', { agent: scriptSeat([]), person: personSeat(person) }), {
    code: 'person_failed',
  });
});

test('a question of BFCL is one reply, with functions as providers take them', async () => {
  const tasks = openBfclTasks(folder, { part: 'simple_python' });
  const agent = mockModel([
    ({ request }) => {
      const [tool] = request.tools ?? [];
      assert.equal(tool?.name, 'math_area');
      assert.deepEqual('input' in tool! ? tool.input : {}, {
        type: 'object',
        required: ['base'],
        properties: {
          base: { type: 'number' },
          sides: { type: 'array', items: { type: 'integer' } },
          more: {},
        },
      });
      assert.deepEqual(
        request.messages.map((message) => message.role),
        ['system', 'user'],
      );
      return { calls: [{ name: 'math_area', arguments: '{"base": 10.0}' }] };
    },
    'I cannot.',
  ]);
  const right = await tasks.play('simple_python_0', { agent: modelSeat(agent) });
  assert.deepEqual([right.reward, right.reasons], [1, []]);
  const without = await tasks.play('simple_python_0', { agent: modelSeat(agent) });
  assert.match(without.reasons.join(' '), /^ast_decoder:decoder_failed/);
});

test('a domain or category that is not there is told with those that are', () => {
  assert.throws(() => openTauBenchTasks(folder, { part: 'bank' }), /airline and retail: "domain" is "bank"/);
  assert.throws(() => openBfclTasks(folder, {}), /simple_python.*"category" is missing/);
});
