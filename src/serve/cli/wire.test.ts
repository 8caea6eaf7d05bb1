import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import type { JsonObject } from '../../base/json/value.ts';
import { recordings } from '../../../test/recordings.ts';

const whet = fileURLToPath(new URL('../../../bin/whet.js', import.meta.url));

function run(args: readonly string[], input = '') {
  const { status, stdout, stderr } = spawnSync(process.execPath, [whet, ...args], {
    input,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

const stream = [
  {
    type: 'message_start',
    message: { id: 'msg_1', model: 'claude', usage: { input_tokens: 5, output_tokens: 1 } },
  },
  {
    type: 'content_block_start',
    index: 0,
    content_block: { type: 'tool_use', id: 't1', name: 'look', input: {} },
  },
  { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"at":' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: ' 1}' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 9 } },
  { type: 'message_stop' },
].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);

test('`whet wire decode` prints a recorded stream as canonical JSON, and says where it was cut', () => {
  const whole = run(['wire', 'decode', '--api', 'anthropic'], stream.join(''));
  assert.equal(whole.status, 0, whole.stderr);
  assert.deepEqual(JSON.parse(whole.stdout), {
    text: '',
    calls: [{ id: 't1', name: 'look', arguments: { at: 1 }, rawArguments: '{"at": 1}', server: false }],
    finish: 'tool_use',
    usage: { input: 5, output: 9 },
    truncated: false,
    error: null,
  });
  const cut = JSON.parse(
    run(['wire', 'decode', '--api', 'anthropic'], stream.slice(0, 4).join('')).stdout,
  ) as JsonObject;
  assert.deepEqual([cut['calls'], cut['truncated'], (cut['cut'] as unknown[]).length], [[], true, 1]);
});

test('`whet wire decode --jsonl` prints a line a record, and a record that is none costs only its own', () => {
  const record = {
    id: 'a',
    api: 'openai-chat',
    status: 200,
    response: { choices: [{ message: { content: 'hi' }, finish_reason: 'stop' }] },
  };
  const { status, stdout, stderr } = run(
    ['wire', 'decode', '--jsonl'],
    `${JSON.stringify(record)}\nnot json\n${JSON.stringify({ ...record, id: 'b', api: 'nope' })}\n`,
  );
  assert.equal(status, 1);
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as JsonObject);
  assert.deepEqual(
    lines.map(({ id, text, usage }) => [id, text, usage]),
    [['a', 'hi', null]],
  );
  assert.match(stderr, /line 2: The line is not a JSON object/);
  assert.match(stderr, /line 3 \(b\): There is no API "nope"/);
});

test('`whet wire encode` prints the body for a provider; `whet wire read` goes the other way', () => {
  const request = {
    model: 'gpt-test',
    messages: [{ role: 'user', content: 'hi' }],
    tools: [{ kind: 'function', name: 'look', input: { type: 'object', properties: {} }, strict: false }],
    toolChoice: 'required',
  };
  const encoded = run(
    ['wire', 'encode', '--api', 'anthropic', '--model', 'claude-test'],
    JSON.stringify(request),
  );
  assert.equal(encoded.status, 0, encoded.stderr);
  const body = JSON.parse(encoded.stdout) as JsonObject;
  assert.deepEqual([body['model'], body['tool_choice']], ['claude-test', { type: 'any' }]);
  const read = JSON.parse(run(['wire', 'read', '--api', 'anthropic'], encoded.stdout).stdout) as JsonObject;
  assert.deepEqual([read['toolChoice'], read['messages']], ['required', [{ role: 'user', content: 'hi' }]]);
  const chat = run(['wire', 'encode', '--api', 'openai-chat', '--from', 'anthropic'], encoded.stdout);
  assert.equal((JSON.parse(chat.stdout) as JsonObject)['tool_choice'], 'required');
});

test('bad input is answered with a sentence and the exit code 2', () => {
  const said = (args: readonly string[], input = '') => {
    const { status, stderr } = run(['wire', ...args], input);
    assert.equal(status, 2, stderr);
    return stderr;
  };
  assert.match(said(['decode', '--api', 'nope'], '{}'), /There is no API "nope"/);
  assert.match(said(['decode'], '{}'), /Give --api NAME/);
  assert.match(said(['decode', '--api', 'anthropic', '/no/such/file']), /cannot be opened/);
  assert.match(said(['decode', '--api', 'anthropic'], '<html><title>502</title>'), /HTML page \(502\)/);
  assert.match(
    said(['encode', '--api', 'anthropic'], 'x'),
    /standard input is not a JSON object: Unexpected/,
  );
  assert.match(said(['encode', '--api', 'anthropic']), /not a JSON object: it is empty/);
  assert.match(said(['encode', '--api', 'anthropic'], '<html>'), /it is a page, "<html>"/);
  assert.match(said(['encode', '--api', 'antropic'], '{}'), /Did you mean "anthropic"/);
  assert.match(
    said(['encode', '--api', 'anthropic'], '{"messages":[{"role":"usr","content":"a"}]}'),
    /`messages\[0\]\.role`: expected .* found "usr"/,
  );
  const file = join(mkdtempSync(join(tmpdir(), 'whet-wire-')), 'reply.json');
  writeFileSync(file, '{}');
  assert.match(said(['decode', '--api', 'nope', file]), /There is no API "nope"/);
  assert.match(said(['encode', '--api', 'anthropic'], '{"messages":[{"role":"user"}]}'), /messages/);
});

test('the recordings can be decoded from the command line', () => {
  const records = recordings('anthropic').slice(0, 5);
  if (records.length === 0) return;
  const { status, stdout } = run(
    ['wire', 'decode', '--jsonl'],
    records.map((record) => JSON.stringify(record)).join('\n'),
  );
  assert.equal(status, 0);
  assert.equal(stdout.trim().split('\n').length, records.length);
});

test(
  '`whet mock` answers from a script until it is stopped, and tells what nobody asked for',
  { timeout: 20_000 },
  async () => {
    const script = join(mkdtempSync(join(tmpdir(), 'whet-mock-')), 'script.yaml');
    writeFileSync(
      script,
      'replies:\n  - text: Hello\n  - when: { contains: refund }\n    calls: [{ name: refund, arguments: { id: 1 } }]\n',
    );
    const child = spawn(process.execPath, [whet, 'mock', script, '--port', '0']);
    let told = '';
    child.stderr.on('data', (piece: Buffer) => (told += piece.toString()));
    const line = await new Promise<string>((resolve) =>
      child.stdout.once('data', (piece: Buffer) => resolve(piece.toString())),
    );
    const { url } = JSON.parse(line) as { url: string };
    const response = await fetch(`${url}/v1/messages`, {
      method: 'POST',
      body: JSON.stringify({ model: 'm', max_tokens: 5, messages: [{ role: 'user', content: 'hi' }] }),
    });
    assert.deepEqual(((await response.json()) as JsonObject)['content'], [{ type: 'text', text: 'Hello' }]);
    child.kill('SIGTERM');
    const code = await new Promise((resolve) => child.once('exit', resolve));
    assert.equal(code, 1);
    assert.match(told, /1\. anthropic m\n/);
    assert.match(told, /1 reply was not asked for/);
  },
);

test('a script that says nothing is refused by its place (mock_script_invalid)', () => {
  const script = join(mkdtempSync(join(tmpdir(), 'whet-mock-')), 'script.yaml');
  writeFileSync(script, '- text: ok\n- tekst: oops\n');
  const { status, stderr } = run(['mock', script]);
  assert.equal(status, 2);
  assert.match(stderr, /reply 2: it has no field "tekst"/);
});
