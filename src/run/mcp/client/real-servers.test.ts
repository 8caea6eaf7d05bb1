import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';

import { resultText } from '../../../base/message/result.ts';
import { mockModel } from '../../../wire/mock/model.ts';
import { run } from '../../loop/run.ts';
import { mcpTools } from './mcp-tools.ts';
import type { McpTools } from './mcp-tools.ts';
import type { McpServerSetting } from './server-setting.ts';
import { ask, call } from '../testing/call.ts';
import { everythingOverHttp, programOf } from '../testing/real-server.ts';

const command = process.execPath;
const stdio = { command, args: [programOf('server-everything')] };

/** What holds for `server-everything` however it is reached. */
async function judge(setting: McpServerSetting): Promise<void> {
  await using mcp = await mcpTools({ every: setting });
  await offersItsTools(mcp);
  await answersInEveryForm(mcp);
  await tellsItsProgress(mcp);
  await keepsToDeadlines(mcp);
}

async function offersItsTools(mcp: McpTools): Promise<void> {
  assert.ok(mcp.tools.size >= 12, mcp.tools.names.join());
  assert.deepEqual(
    mcp.problems.map(({ code }) => code),
    ['tool_needs_tasks'],
    'the one tool that only tasks can run is left out',
  );
  assert.match(mcp.instructions['every'] ?? '', /./);
  assert.equal(mcp.tools.find('every_echo')?.tool.description, 'Echoes back the input string');
  assert.equal((await mcp.tools.available({ step: 1, messages: [], injected: {} })).size, mcp.tools.size);
}

async function answersInEveryForm(mcp: McpTools): Promise<void> {
  assert.equal(await ask(mcp, 'every_echo', { message: 'hei' }), 'Echo: hei');
  const wrong = await call(mcp, 'every_echo', { message: 3 });
  assert.equal(wrong.result.errorCode, 'invalid_arguments');
  assert.match(resultText(wrong.result), /message: expected a string/);

  const image = (await call(mcp, 'every_get-tiny-image')).result.content.find(({ type }) => type === 'image');
  assert.ok(image?.type === 'image' && image.source.kind === 'base64');
  assert.equal(image.source.mediaType, 'image/png');
  assert.equal(Buffer.from(image.source.data, 'base64').toString('latin1', 1, 4), 'PNG');

  const weather = { temperature: 36, conditions: 'Light rain / drizzle', humidity: 82 };
  const { result } = await call(mcp, 'every_get-structured-content', { location: 'Chicago' });
  assert.deepEqual(result.artifact, weather);
  assert.deepEqual(JSON.parse(resultText(result)), weather, 'told once');

  assert.match(
    await ask(mcp, 'every_get-resource-reference', { resourceType: 'Text' }),
    /plaintext resource/,
  );
  assert.match(await ask(mcp, 'every_get-resource-reference', { resourceType: 'Blob' }), /base64 blob/);
  assert.match(await ask(mcp, 'every_get-resource-links', { count: 2 }), /Resource link .*demo:\/\//);
}

async function tellsItsProgress(mcp: McpTools): Promise<void> {
  const heard: unknown[] = [];
  await call(
    mcp,
    'every_trigger-long-running-operation',
    // Long enough that a busy machine does not read progress and result at once: the SDK drops progress behind a result.
    { duration: 1, steps: 4 },
    {
      on: (event) => {
        if (event.type === 'progress') heard.push(event.progress);
      },
    },
  );
  assert.deepEqual(heard[0], { progress: 1, total: 4 });
}

async function keepsToDeadlines(mcp: McpTools): Promise<void> {
  const { result } = await call(
    mcp,
    'every_trigger-long-running-operation',
    { duration: 0.5, steps: 1 },
    { toolTimeout: 50 },
  );
  assert.equal(result.errorCode, 'timeout');
}

describe('real servers', { concurrency: 4 }, () => {
  test('server-everything over stdio', () => judge(stdio));

  test('server-everything over streamable HTTP', async () => {
    await using server = await everythingOverHttp();
    await judge({ url: server.url, headers: { 'x-of': 'a test' } });
  });

  test('a server reached by HTTP that dies in a call ends the call, and comes back with a new session', async () => {
    const first = await everythingOverHttp();
    await using mcp = await mcpTools({ every: { url: first.url } });
    const { result } = await call(
      mcp,
      'every_trigger-long-running-operation',
      { duration: 2, steps: 20 },
      {
        on: (event) => {
          if (event.type === 'progress') void first.kill();
        },
      },
    );
    assert.equal(result.isError, true, resultText(result));
    assert.match(resultText(result), /every/);
    const at = { step: 1, messages: [], injected: {} };
    assert.equal((await mcp.tools.available(at)).size, 0, 'while it is away');
    assert.match(await ask(mcp, 'every_echo', { message: 'hei' }), /could not be reached/);

    await using second = await everythingOverHttp(first.port);
    assert.equal(second.url, first.url);
    assert.equal(await ask(mcp, 'every_echo', { message: 'hei' }), 'Echo: hei');
    assert.equal((await mcp.tools.available(at)).size, mcp.tools.size);
  });

  test('a server that was restarted between calls and knows the session no more is called all the same', async () => {
    const first = await everythingOverHttp();
    await using mcp = await mcpTools({ every: { url: first.url } });
    assert.equal(await ask(mcp, 'every_echo', { message: '1' }), 'Echo: 1');
    await first.kill();
    await using second = await everythingOverHttp(first.port);
    assert.ok(second.port > 0);
    assert.equal(await ask(mcp, 'every_echo', { message: '2' }), 'Echo: 2');
  });

  test('server-filesystem writes and reads in a run, and says what it may not', async (context) => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'whet-mcp-')));
    context.after(() => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(join(folder, 'a.txt'), 'one\n');
    await using mcp = await mcpTools({
      files: { command, args: [programOf('server-filesystem'), folder], approval: 'never' },
    });
    assert.ok(mcp.tools.names.includes('files_read_text_file'), mcp.tools.names.join());
    assert.deepEqual(mcp.problems, []);
    const model = mockModel([
      {
        calls: [
          { name: 'files_read_text_file', arguments: { path: join(folder, 'a.txt') } },
          { name: 'files_write_file', arguments: { path: join(folder, 'b.txt'), content: 'two\n' } },
          { name: 'files_read_text_file', arguments: { path: '/etc/hostname' } },
          { name: 'files_read_text_file', arguments: { path: 7 } },
        ],
      },
      'Done.',
    ]);
    const { calls } = await run({ model, tools: mcp.tools, prompt: 'Copy it.' });
    assert.deepEqual(
      calls.map(({ result }) => result.errorCode ?? 'fine'),
      ['fine', 'fine', 'failed', 'invalid_arguments'],
    );
    assert.match(resultText(calls[0]!.result), /^one/);
    assert.equal(readFileSync(join(folder, 'b.txt'), 'utf8'), 'two\n');
    assert.match(resultText(calls[2]!.result), /Access denied/);
  });
});
