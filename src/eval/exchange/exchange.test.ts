import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { crc32, zstdCompressSync } from 'node:zlib';

import { seededRandom, type Random } from '../../base/host/random.ts';
import type { JsonObject } from '../../base/json/value.ts';
import { callsOf, type Message, textOf } from '../../base/message/message.ts';
import { rounds, seed } from '../../../test/rounds.ts';
import { assistantOf, callOf, resultOf } from './chat-messages.ts';
import { csvRow } from './csv.ts';
import { cutObject } from './cut-object.ts';
import { lineFormats, readTrajectories } from './formats.ts';
import { writeInspectLog } from './inspect/write-log.ts';
import type { Trajectory } from './trajectory.ts';

const folder = mkdtempSync(join(tmpdir(), 'whet-exchange-'));
after(() => rmSync(folder, { recursive: true }));
const logs = fileURLToPath(new URL('../../../../shared/data/inspect-logs', import.meta.url));

async function all(path: string): Promise<readonly Trajectory[]> {
  return listOf(readTrajectories(path));
}

const texts = [
  '',
  'Hello.',
  'a "quoted"\n\u2028 line',
  '<think>no</think> é 👋',
  '{"not": "a call"}',
  'attachment://0',
  'NaN, Infinity',
];

function anyTrajectory(random: Random, index: number): Trajectory {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
  const messages: Message[] = [];
  if (random() < 0.5) messages.push({ role: 'system', content: pick(texts) });
  let replies = 0;
  for (let turn = Math.floor(random() * 5); turn >= 0; turn--) {
    messages.push({ role: 'user', content: pick(texts) });
    const calls = Array.from({ length: Math.floor(random() * 4) }, (_, at) => ({
      ...callOf(`call_${replies}_${at}`, pick(['look_up', 'refund', 'a.b-c']), {}),
      arguments: pick<JsonObject | string>([
        {},
        { order: 'E-1', note: pick(texts), list: [1, 2.5, null, { deep: true }] },
        '{"cut": ',
        '{"price": 5.0}',
        'not JSON',
        '[1]',
      ]),
    }));
    messages.push(assistantOf({ text: pick(texts), reasoning: random() < 0.2 ? 'Hm.' : '', calls }));
    replies += 1;
    const results = calls
      .filter(() => random() < 0.9)
      .map(({ id, name }) => resultOf(id, name, { text: pick(texts), isError: random() < 0.2 }));
    if (results.length > 0) messages.push({ role: 'tool', results });
  }
  return {
    id: `ep_${index}`,
    task: `shop/${pick(['refund', 'cancel'])}/${Math.floor(random() * 3)}`,
    trial: 1,
    agent: { name: pick(['small', 'large']), version: '1', ...(random() < 0.5 && { model: 'openai/x' }) },
    tools: [{ name: 'look_up', description: 'Looks', parameters: { type: 'object' } }],
    messages,
    grade: { reward: pick([0, 0.3, 1, null]), success: false, scores: { discovery: 0.25, rubrics: null } },
    tokens:
      random() < 0.5
        ? []
        : [{ reply: 0, promptIds: [1, 2], ids: [3], logprobs: [-0.5], mask: [1], policyVersion: '7' }],
    ended: 'completed',
    startedAt: '2026-01-02T03:04:05.000Z',
    metadata: { note: pick(texts) },
  };
}

async function listOf<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

/** Calls, results and words: what no format may lose. */
function matter({ messages, ...head }: Trajectory): unknown {
  return [
    head,
    messages.map((message) =>
      message.role === 'tool'
        ? message.results.map(({ callId, name, content, isError }) => [callId, name, content, isError])
        : [
            message.role,
            textOf(message),
            callsOf(message).map(({ id, name, arguments: given }) => [id, name, given]),
          ],
    ),
  ];
}

async function* each<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}

const random = seededRandom(seed('exchange'));
const many = Array.from({ length: rounds(250) }, (_, index) => anyTrajectory(random, index));

for (const [name, write] of Object.entries(lineFormats))
  test(`a round trip through ${name} loses no call`, async () => {
    const path = join(folder, `${name}.jsonl`);
    writeFileSync(path, many.map((one, index) => `${JSON.stringify(write(one, index))}\n`).join(''));
    assert.deepEqual((await all(path)).map(matter), many.map(matter));
  });

for (const extension of ['eval', 'json'])
  test(`a round trip through Inspect's .${extension} loses no call`, async () => {
    const path = join(folder, `log.${extension}`);
    assert.equal(await writeInspectLog(path, each(many), { task: 'shop', now: 0 }), many.length);
    assert.deepEqual((await all(path)).map(matter), many.map(matter));
  });

test('what is not judged is NaN to Inspect, in a log that has what Inspect asks for', async () => {
  const path = join(folder, 'one.json');
  const [one] = many;
  await writeInspectLog(path, each([{ ...one!, grade: { reward: null, scores: { tone: 0.5 } } }]), {
    task: 'shop',
    now: 0,
  });
  const text = readFileSync(path, 'utf8');
  assert.match(text, /"whetstone":\{"value":NaN,/);
  const log = JSON.parse(text.replaceAll(':NaN', ':null'));
  assert.deepEqual(Object.keys(log), [
    'version',
    'status',
    'eval',
    'plan',
    'results',
    'stats',
    'invalidated',
    'samples',
  ]);
  for (const field of ['created', 'task', 'dataset', 'model', 'config']) assert.ok(field in log.eval, field);
  assert.deepEqual(
    log.results.scores.map(({ name }: { name: string }) => name),
    ['tone'],
  );
  assert.deepEqual([log.samples[0].id, log.samples[0].epoch], [one!.task, 1]);
});

test("ATIF's objects are closed, steps have no gaps, and a result names a call of its own step", () => {
  const known: Readonly<Record<string, readonly string[]>> = {
    root: [
      'schema_version',
      'session_id',
      'trajectory_id',
      'agent',
      'steps',
      'notes',
      'final_metrics',
      'extra',
    ],
    agent: ['name', 'version', 'model_name', 'tool_definitions', 'extra'],
    step: ['step_id', 'timestamp', 'source', 'message', 'observation', 'llm_call_count', 'extra'],
    agentStep: ['model_name', 'reasoning_content', 'tool_calls', 'metrics'],
    call: ['tool_call_id', 'function_name', 'arguments', 'extra'],
    result: ['source_call_id', 'content', 'extra'],
    metrics: [
      'prompt_tokens',
      'completion_tokens',
      'prompt_token_ids',
      'completion_token_ids',
      'logprobs',
      'extra',
    ],
  };
  const closed = (value: object, ...kinds: readonly string[]): void => {
    for (const key of Object.keys(value))
      assert.ok(
        kinds.some((kind) => known[kind]!.includes(key)),
        `${kinds[0]}.${key}`,
      );
  };
  for (const trajectory of many.slice(0, 50)) {
    // Written and read as JSON, as a reader meets it.
    const document = JSON.parse(JSON.stringify(lineFormats.atif(trajectory)));
    closed(document, 'root');
    closed(document.agent, 'agent');
    assert.equal(document.notes === undefined, trajectory.tokens.length > 0);
    document.steps.forEach((step: JsonObject, index: number) => {
      assert.equal(step['step_id'], index + 1);
      closed(step, 'step', ...(step['source'] === 'agent' ? ['agentStep'] : []));
      const {
        tool_calls: calls = [],
        observation,
        metrics,
      } = step as never as {
        readonly tool_calls?: readonly { readonly tool_call_id: string; readonly arguments: unknown }[];
        readonly observation?: { readonly results: readonly { readonly source_call_id?: string }[] };
        readonly metrics?: object;
      };
      if (metrics) closed(metrics, 'metrics');
      for (const call of calls) {
        closed(call, 'call');
        assert.ok(typeof call.arguments === 'object');
      }
      for (const result of observation?.results ?? []) {
        closed(result, 'result');
        const { source_call_id: id } = result;
        assert.ok(id === undefined || calls.some((call) => call.tool_call_id === id));
      }
    });
  }
});

test(
  'every log of Inspect is read, and what is none is said to be none',
  { skip: !existsSync(logs) && 'there are no logs of Inspect here' },
  async () => {
    const counts: Record<string, number> = {};
    const none: string[] = [];
    for (const file of readdirSync(logs).filter((name) => /\.(?:eval|json)$/.test(name))) {
      const path = join(logs, file);
      const isLog = file.endsWith('.eval') || 'eval' in (JSON.parse(readFileSync(path, 'utf8')) as object);
      if (isLog) {
        const samples = await all(path);
        counts[file] = samples.length;
        for (const { messages, task } of samples) assert.ok(messages.length > 0 && task !== '', file);
        assert.doesNotMatch(JSON.stringify(samples), /"attachment:\/\//, file);
      } else {
        await assert.rejects(all(path), { code: 'log_unreadable' });
        none.push(file);
      }
    }
    assert.deepEqual([Object.keys(counts).length, none.length], [21, 10]);
    assert.equal(counts['log_streaming.eval'], 4);
    assert.equal(counts['2025-05-12T20-28-13-04-00_no-samples.json'], 0);
    const [browsed] = await all(join(logs, '2025-05-12T20-27-36-04-00_browser.json'));
    const calls = browsed!.messages.flatMap(callsOf);
    assert.ok(calls.length > 0 && calls.every(({ name }) => name.startsWith('web_browser')));
    // A log is the same in both forms.
    const both = await Promise.all(['json', 'eval'].map((form) => all(join(logs, `log_formats.${form}`))));
    assert.deepEqual(both[0]!.map(matter), both[1]!.map(matter));
  },
);

test('members that are packed with zstandard are read, and a file that is cut off is said to be', async () => {
  const path = join(folder, 'zstd.eval');
  const sample = {
    id: 1,
    epoch: 1,
    input: 'Hi',
    target: '',
    messages: [],
    output: { choices: [{ message: { role: 'assistant', content: 'attachment://a1' } }] },
    attachments: { a1: 'Long.' },
    scores: { match: { value: 'C' }, tone: { value: Number.NaN } },
  };
  const entries = {
    'header.json': { version: 2, eval: { task: 't', model: 'm' } },
    'samples/1_epoch_1.json': sample,
  };
  const bytes = zstdZip(
    Object.entries(entries).map(([name, value]) => [
      name,
      JSON.stringify(value).replace('"tone":{"value":null}', '"tone":{"value":NaN}'),
    ]),
  );
  writeFileSync(path, bytes);
  const [read] = await all(path);
  assert.deepEqual(read!.messages.map(textOf), ['Hi', 'Long.']);
  assert.deepEqual(read!.grade, { reward: 1, scores: { match: 1, tone: null } });
  writeFileSync(path, bytes.subarray(0, bytes.length - 30));
  await assert.rejects(all(path), { code: 'log_unreadable', message: /zstd\.eval is not a whole zip file/ });
});

/** A zip file as Inspect writes it since 2026, by hand: ours packs with deflate, which every reader knows. */
function zstdZip(members: readonly (readonly [name: string, text: string])[]): Buffer {
  const pieces: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of members) {
    const raw = Buffer.from(text);
    const packed = zstdCompressSync(raw);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(63, 0);
    common.writeUInt16LE(93, 4);
    common.writeUInt32LE(crc32(raw), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(raw.length, 18);
    common.writeUInt16LE(name.length, 22);
    const local = [Buffer.from('PK\u0003\u0004'), common, Buffer.from(name), packed];
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\u0001\u0002'), Buffer.alloc(2), common, rest, Buffer.from(name));
    pieces.push(...local);
    offset += Buffer.concat(local).length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(members.length, 8);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...pieces, listed, end]);
}

test('an episode of verifiers is read as the way through its graph, with the tokens that it has', async () => {
  const node = (parent: number | null, role: string, content: string, ids?: readonly number[]) => ({
    parent,
    message: { role, content },
    sampled: role === 'assistant',
    ...(ids && { token_ids: ids, mask: ids.map(() => Number(role === 'assistant')) }),
  });
  const trace = {
    id: 'tr_1',
    task: { type: 'env', key: 'env/3' },
    agent: 'small',
    tools: [],
    nodes: [
      node(null, 'user', 'Hi', [1]),
      node(0, 'assistant', 'A wrong start', [9]),
      node(0, 'assistant', 'Hello', [2, 3]),
      node(2, 'user', 'Bye', [4]),
      node(3, 'assistant', 'See you', [5]),
    ],
    rewards: { exact: { score: 1, weight: 0.5 }, short: { score: 0.5, weight: 1 } },
    metrics: { turns: 2, tone: null },
    stop_condition: 'done',
  };
  const path = join(folder, 'traces.jsonl');
  writeFileSync(path, `${JSON.stringify({ id: 'e', env: 'env', traces: [trace] })}\n`);
  const [read] = await all(path);
  assert.deepEqual(read!.messages.map(textOf), ['Hi', 'Hello', 'Bye', 'See you']);
  assert.deepEqual(read!.tokens, [
    { reply: 0, ids: [2, 3], promptIds: [1], mask: [1, 1] },
    { reply: 1, ids: [5], promptIds: [1, 2, 3, 4], mask: [1] },
  ]);
  assert.deepEqual([read!.grade?.reward, read!.task, read!.ended], [1, 'env/3', 'done']);
});

test('an object is cut into its members wherever the pieces of its text end', async () => {
  const text = JSON.stringify({
    a: { b: '},"x":[' },
    samples: [{ c: ['\\"', 1] }, 2, []],
    'q"': null,
    samples2: [3],
  });
  for (let size = 1; size <= text.length; size += 3) {
    const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
      text.slice(at * size, (at + 1) * size),
    );
    const cut = await listOf(cutObject(each(pieces), new Set(['samples'])));
    assert.deepEqual(
      cut.map(({ key, text: member }) => [key, JSON.parse(member)]),
      [
        ['a', { b: '},"x":[' }],
        ['samples', { c: ['\\"', 1] }],
        ['samples', 2],
        ['samples', []],
        ['q"', null],
        ['samples2', [3]],
      ],
    );
  }
  await assert.rejects(listOf(cutObject(each([text.slice(0, -2)]), new Set())), {
    code: 'log_unreadable',
  });
});

test('a row of CSV is one row, and no formula', () => {
  const [one] = many;
  const row = csvRow({
    ...one!,
    id: '=1+1',
    group: 'a "b", c',
    messages: [assistantOf({ text: 'x', calls: [callOf('1', 'f', {}), callOf('2', 'f', {})] })],
  });
  assert.ok(row.startsWith("'=1+1,"));
  assert.match(row, /,"a ""b"", c",/);
  assert.match(row, /,1,2,0,f:2,x,/);
});
