import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const whet = fileURLToPath(new URL('../../../../bin/whet.js', import.meta.url));
const schema = {
  type: 'object',
  properties: {
    city: { type: 'string', minLength: 2 },
    tags: { type: 'object', additionalProperties: { type: 'string' } },
  },
  required: ['city'],
};
let folder = '';

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'whet-schema-'));
});
after(() => rmSync(folder, { recursive: true }));

function run(args: readonly string[], input: string): { code: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [whet, 'schema', ...args], {
    input,
    encoding: 'utf8',
  });
  return { code: status, out: stdout, err: stderr };
}

function put(name: string, value: unknown): string {
  const file = join(folder, name);
  writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
  return file;
}

test('lowers a schema, and raises a value by the plan that it printed', () => {
  const lowered = run(['lower', '--dialect', 'openai-strict'], JSON.stringify(schema));
  assert.equal(lowered.code, 0);
  const answer = JSON.parse(lowered.out) as {
    schema: { required: string[] };
    plan: unknown;
    report: { strict: boolean };
  };
  assert.deepEqual(answer.schema.required, ['city', 'tags']);
  assert.equal(answer.report.strict, true);
  const plan = put('plan.json', answer.plan);
  const raised = run(['raise', '--plan', plan], '{"city":"Oslo","tags":[{"key":"a","value":"b"}]}');
  assert.equal(raised.out, '{"city":"Oslo","tags":{"a":"b"}}\n');
  assert.equal(raised.code, 0);
  const wrong = run(['raise', '--plan', put('lowered.json', lowered.out)], '{"city":"O","tags":null}');
  assert.deepEqual([wrong.code, wrong.out], [1, '{"city":"O"}\n']);
  assert.match(wrong.err, /city: expected a string of at least 2 characters, got "O"/);
  const down = run(['raise', '--down', '--plan', plan], '{"city":"Oslo"}');
  assert.equal(down.out, '{"city":"Oslo","tags":null}\n');
});

test('checks a value and answers the shell', () => {
  const file = put('schema.json', schema);
  assert.deepEqual(run(['check', file], '{"city":"Oslo"}'), { code: 0, out: '{"valid":true}\n', err: '' });
  const bad = run(['check', file], '{"city":5}');
  assert.equal(bad.code, 1);
  assert.equal(
    (JSON.parse(bad.out) as { text: string }).text,
    'city: expected a string of at least 2 characters, got 5',
  );
});

test('says what is wrong with its own input, and exits with 2', () => {
  for (const [args, input, says] of [
    [['lower', '--dialect', 'openai'], '{', /Standard input: .*json_incomplete/],
    [['check', put('half.json', '{')], '{}', /half\.json: Not JSON at line 1.*json_incomplete/],
    [['lower', '--dialect', 'klingon'], '{}', /Known: openai-strict, .*dialect_unknown/],
    [['lower', '--dialect', 'openai'], '{"type":"strin"}', /\/type.*schema_invalid/],
    [['lower', '--dialect', 'gemini-parameters'], recursive, /"tree" at .*contains itself.*schema_refused/],
    [['raise', '--plan', 'nowhere.json'], '{}', /nowhere\.json cannot be read/],
    [['check', 'nowhere.json'], '{}', /cannot be read/],
  ] as const) {
    const { code, out, err } = run(args, input);
    assert.deepEqual([code, out], [2, ''], err);
    assert.match(err, says);
  }
});

const recursive = JSON.stringify({
  type: 'object',
  properties: { root: { $ref: '#/$defs/tree' } },
  $defs: { tree: { type: 'object', properties: { next: { $ref: '#/$defs/tree' } } } },
});

test('reports a folder of tools, as any of the APIs writes them', () => {
  const tools = mkdtempSync(join(folder, 'tools-'));
  writeFileSync(
    join(tools, 'a.json'),
    JSON.stringify({ type: 'function', function: { name: 'one', parameters: schema } }),
  );
  writeFileSync(
    join(tools, 'b.json'),
    JSON.stringify({ tools: [{ name: 'two', inputSchema: JSON.parse(recursive) as unknown }] }),
  );
  writeFileSync(join(tools, 'c.jsonl'), `${JSON.stringify({ id: 'three', schema: true })}\n`);
  const { code, out } = run(['report', tools, '--dialect', 'openai-strict', 'gemini-parameters'], '');
  const reports = JSON.parse(out) as {
    tool: string;
    dialects: Record<string, { strict?: boolean; error?: string }>;
  }[];
  assert.deepEqual(
    reports.map((one) => one.tool),
    ['one', 'two', 'three'],
  );
  assert.equal(reports[0]?.dialects['openai-strict']?.strict, true);
  assert.match(String(reports[1]?.dialects['gemini-parameters']?.error), /"tree"/);
  assert.equal(code, 1);
});

test('answers many lines, and a bad one stops no other', () => {
  const line = { id: 'a', dialect: 'openai-strict', schema, values: [{ city: 'Oslo' }] };
  const { plan } = JSON.parse(run(['lower', '--dialect', 'openai-strict'], JSON.stringify(schema)).out) as {
    plan: unknown;
  };
  const probe = [
    { city: 'Oslo', tags: null },
    { city: 'O', tags: [] },
  ];
  const input = [
    JSON.stringify(line),
    '{"id": "b", "dialect"',
    JSON.stringify({ id: 'c', dialect: 'none', schema }),
    JSON.stringify({ id: 'd', dialect: 'gemini-parameters', schema: JSON.parse(recursive) as unknown }),
    '',
    JSON.stringify({ id: 'e', dialect: 'openai-strict', schema, plan, probe }),
  ].join('\n');
  const { code, out } = run(['batch'], input);
  const answers = out
    .trim()
    .split('\n')
    .map((one) => JSON.parse(one) as Record<string, unknown>);
  assert.equal(code, 0);
  assert.deepEqual(Object.keys(answers[0] ?? {}), [
    'id',
    'dialect',
    'schema',
    'plan',
    'report',
    'lowered',
    'raised',
  ]);
  assert.deepEqual(answers[0]?.['lowered'], [{ city: 'Oslo', tags: null }]);
  assert.deepEqual(answers[0]?.['raised'], [{ city: 'Oslo' }]);
  assert.match(String(answers[1]?.['error']), /JSON/);
  assert.match(String(answers[2]?.['error']), /no schema dialect "none"/);
  assert.deepEqual([answers[3]?.['id'], answers[3]?.['code']], ['d', 'schema_refused']);
  assert.deepEqual(answers[4]?.['probed'], [
    { value: { city: 'Oslo' }, valid: true },
    {
      value: { city: 'O', tags: {} },
      valid: false,
      error: 'city: expected a string of at least 2 characters, got "O"',
    },
  ]);
});

test('keeps numbers that no double holds, in many lines and in one', () => {
  const numbers = '{"type":"object","properties":{"id":{"type":"integer","maximum":9007199254740993.0}}}';
  const line = `{"id":1,"dialect":"openai-strict","schema":${numbers},"values":[{"id":9007199254740991.0}]}`;
  const probe = `{"id":2,"dialect":"openai-strict","schema":${numbers},"probe":[{"id":1e400}]}`;
  const { out } = run(['batch'], `${line}\n${probe}\n{"id":3,"dialect":"ollama","schema":{},"values":{}}\n`);
  const [one = '', two = '', three = ''] = out.split('\n');
  assert.match(one, /"lowered":\[\{"id":9007199254740991\.0\}\],"raised":\[\{"id":9007199254740991\.0\}\]/);
  assert.match(
    two,
    /"value":\{"id":1e400\},"valid":false,"error":"id: expected an integer ≤ 9007199254740992, got 1e400"/,
  );
  assert.match(three, /"values\\" is a list of values\."/);
  const checked = run(['check', put('numbers.json', numbers)], '{"id":9007199254740993}');
  assert.match(checked.out, /"found":9007199254740993\}/);
});

test('reads what editors on Windows write: a byte order mark, and lines that end in two characters', () => {
  const marked = put('marked.json', `\uFEFF${JSON.stringify(schema)}`);
  assert.equal(run(['lower', '--dialect', 'openai', marked], '').code, 0);
  assert.equal(run(['check', marked], '{"city":"Oslo"}').code, 0);
  assert.equal(run(['report', marked], '').code, 0);
  const lines = `\uFEFF${JSON.stringify({ id: 1, dialect: 'openai', schema })}\r\n\r\n`;
  const { code, out } = run(['batch'], lines + lines.slice(1).replace('"id":1', '"id":2'));
  assert.equal(code, 0);
  const answers = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: number; error?: string });
  assert.deepEqual(
    answers.map(({ id, error }) => [id, error]),
    [
      [1, undefined],
      [2, undefined],
    ],
  );
});

test('a plan that was made from another schema than the one beside it is refused', () => {
  const [first] = run(
    ['batch'],
    `${JSON.stringify({ id: 1, dialect: 'openai-strict', schema })}\n`,
  ).out.split('\n');
  const { plan } = JSON.parse(first ?? '') as { plan: object };
  const ask = (other: object): string =>
    `${JSON.stringify({ dialect: 'openai-strict', schema: other, plan, probe: [{ city: 'Oslo' }] })}\n`;
  const { out } = run(['batch'], ask(schema) + ask({ type: 'object' }));
  const [same, another] = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  assert.deepEqual(same?.['probed'], [{ value: { city: 'Oslo' }, valid: true }]);
  assert.equal(another?.['code'], 'plan_invalid');
});

test('a report reads the lists of tools of every kind of request, and a bad line takes no other with it', () => {
  const parameters = { type: 'object', properties: { city: { type: 'string' } } };
  const lists = [
    {
      tools: [
        {
          functionDeclarations: [
            { name: 'gemini', parameters },
            { name: 'gemini_too', parameters },
          ],
        },
      ],
    },
    { toolConfig: { tools: [{ toolSpec: { name: 'bedrock', inputSchema: { json: parameters } } }] } },
    { jsonrpc: '2.0', id: 1, result: { tools: [{ name: 'mcp', inputSchema: parameters }] } },
    { name: 'one', input_schema: parameters, result: { type: 'string' } },
  ];
  const file = put(
    'lists.jsonl',
    ['{"name": broken', ...lists.map((list) => JSON.stringify(list))].join('\n'),
  );
  const { code, out } = run(['report', file, '--dialect', 'openai-strict'], '');
  assert.equal(code, 1);
  const reports = JSON.parse(out) as { tool: string; error?: string }[];
  assert.deepEqual(
    reports.map(({ tool, error }) => [tool, error === undefined]),
    [[`${file}#0`, false], ...['gemini', 'gemini_too', 'bedrock', 'mcp', 'one'].map((tool) => [tool, true])],
  );
});
