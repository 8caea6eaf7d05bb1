import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { systemClock } from '../../../base/host/clock.ts';
import type { Clock } from '../../../base/host/clock.ts';
import { resultText } from '../../../base/message/result.ts';
import { mockModel } from '../../../wire/mock/model.ts';
import { run } from '../../loop/run.ts';
import { mcpTools } from './mcp-tools.ts';
import type { McpTools } from './mcp-tools.ts';
import { ask, call } from '../testing/call.ts';
import { listTools } from './tool-list.ts';
import type { McpProblem } from './tool-list.ts';
import { ToolNames } from './tool-names.ts';

const command = process.execPath;
const odd = { command, args: [fileURLToPath(new URL('../testing/odd-server.ts', import.meta.url))] };
const now = { step: 1, messages: [], injected: {} };

/** It takes the SDK four seconds to lose patience, so this begins before the other tests. */
const stubborn = (async () => {
  const program = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); import(${JSON.stringify(odd.args[0])});`;
  const closing = await mcpTools({ odd: { command, args: ['-e', program] } });
  const pid = Number(await ask(closing, 'odd_process_id'));
  await closing.close();
  return pid;
})();

let mcp: McpTools;
before(async () => (mcp = await mcpTools({ odd })));
after(() => mcp.close());

test('reads a list that comes in pages', () => {
  for (const name of ['odd_hang', 'odd_summary', 'odd_keyed', 'odd_without_schema'])
    assert.ok(mcp.tools.names.includes(name), name);
});

test('null types in a schema start up and are checked; a broken one costs only its own tool', async () => {
  assert.equal(
    await ask(mcp, 'odd_nullable', { a: null, b: null, c: null, d: null, e: null }),
    '{"a":null,"b":null,"c":null,"d":null,"e":null}',
  );
  const { result } = await call(mcp, 'odd_nullable', { b: 3 });
  assert.equal(result.errorCode, 'invalid_arguments');
  assert.ok(!mcp.tools.names.includes('odd_type_is_null'));
});

test('propertyNames is kept, and checked before the call is made', async () => {
  assert.equal(await ask(mcp, 'odd_keyed', { labels: { ab: 'x' } }), '{"labels":{"ab":"x"}}');
  const { result } = await call(mcp, 'odd_keyed', { labels: { A1: 'x' } });
  assert.equal(result.errorCode, 'invalid_arguments');
  assert.match(resultText(result), /labels/);
});

test('what cannot be a tool is told by name with its reason', () => {
  const told = Object.fromEntries(mcp.problems.map(({ tool = '', code }) => [tool, code]));
  assert.deepEqual(told, {
    '': 'tool_name_invalid',
    hang: 'tool_duplicate',
    type_is_null: 'schema_invalid',
    pattern_is_none: 'schema_invalid',
    points_nowhere: 'schema_invalid',
    schema_is_null: 'schema_invalid',
  });
  for (const { message } of mcp.problems) assert.match(message, /MCP server "odd"/);
});

test('a name that no provider takes gets one that every provider takes, and is called by its own', async () => {
  const name = mcp.tools.names.find((each) => each.startsWith('odd_files'));
  assert.match(String(name), /^[A-Za-z][A-Za-z0-9_-]{0,63}$/);
  assert.equal(await ask(mcp, String(name), { path: 'a' }), '{"path":"a"}');
  assert.match(mcp.tools.find(String(name))?.tool.description ?? '', /files\/read file/);
});

test('huge text beside the same structured content is told once, within its budget, and kept whole', async () => {
  const record = await call(mcp, 'odd_huge');
  const { result, whole } = record;
  assert.ok(resultText(result).length < 51_000);
  assert.ok(whole !== undefined && whole.length > 900_000 && whole.length < 1_500_000);
  assert.equal((result.artifact as { rows: unknown[] }).rows.length, 20_000);
});

test('structured content that the text does not say reaches the model too', async () => {
  const { result } = await call(mcp, 'odd_summary');
  assert.equal(resultText(result), '2 rows\n{"rows":[1,2]}');
  assert.deepEqual(result.artifact, { rows: [1, 2] });
});

test('what no part can show is named to the model and kept as it came', async () => {
  const { result } = await call(mcp, 'odd_sound');
  assert.match(resultText(result), /audio of type audio\/wav/);
  assert.deepEqual(result.content[1], {
    type: 'other',
    api: 'mcp',
    raw: { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' },
  });
});

test('an error result is a failure that the model reads, and so is a protocol error', async () => {
  const refused = await call(mcp, 'odd_refuse');
  assert.equal(refused.success, false);
  assert.equal(refused.result.errorCode, 'failed');
  assert.equal(resultText(refused.result), 'No such file: a.txt');
  assert.match(await ask(mcp, 'odd_protocol_error'), /the database is away/);
});

test('an answer with nothing in it is success, and says so', async () => {
  const { result, success } = await call(mcp, 'odd_nothing');
  assert.equal(success, true);
  assert.match(resultText(result), /completed/);
});

test('a deadline ends the call although the server hangs, and the server hears that it was cancelled', async () => {
  const cancelled = Number(await ask(mcp, 'odd_cancellations'));
  const { result } = await call(mcp, 'odd_hang', {}, { toolTimeout: 50 });
  assert.equal(result.errorCode, 'timeout');
  assert.equal(await ask(mcp, 'odd_cancellations'), String(cancelled + 1));
});

test('an abort ends the call, and the server hears of it', async () => {
  const cancelled = Number(await ask(mcp, 'odd_cancellations'));
  const controller = new AbortController();
  const { result } = await call(
    mcp,
    'odd_hang',
    {},
    {
      signal: controller.signal,
      on: (event) => {
        if (event.type === 'progress') controller.abort();
      },
    },
  );
  assert.equal(result.errorCode, 'cancelled');
  assert.equal(await ask(mcp, 'odd_cancellations'), String(cancelled + 1));
});

test('silence is a timeout; progress is reported, and starts the time anew', async () => {
  await using short = await mcpTools({ odd: { ...odd, only: ['beat', 'hang'] } }, { timeout: 300 });
  const heard: unknown[] = [];
  const beaten = await call(
    short,
    'odd_beat',
    {},
    {
      on: (event) => {
        if (event.type === 'progress') heard.push(event.progress);
      },
    },
  );
  assert.equal(resultText(beaten.result), 'beaten', 'it took 450 ms, and never 300 without a word');
  assert.deepEqual(
    heard,
    [1, 2, 3].map((beat) => ({ progress: beat, total: 3, message: `beat ${beat}` })),
  );
  const { result } = await call(short, 'odd_hang');
  assert.equal(result.errorCode, 'timeout');
  assert.match(resultText(result), /no sign of life for 300 ms/);
});

// Each has a server of its own, and most of its time is the start of a process.
describe('a server of its own', { concurrency: 4 }, () => {
  test('a changed list is read again: new tools come, lost ones become unavailable', async () => {
    let changed: () => void = () => undefined;
    await using changing = await mcpTools({ odd }, { onChange: () => changed() });
    const next = (): Promise<void> => new Promise((resolve) => (changed = resolve));
    const kept = changing.tools.find('odd_hang')?.tool;
    let hearing = next();
    await ask(changing, 'odd_grow');
    await hearing;
    assert.ok(changing.tools.names.includes('odd_grown'));
    assert.equal(changing.tools.find('odd_hang')?.tool, kept, 'what is the same stays the same');
    const grown = changing.tools;
    hearing = next();
    await ask(changing, 'odd_shrink');
    await hearing;
    assert.ok(!changing.tools.names.includes('odd_grown'));
    assert.ok(!(await grown.available(now)).names.includes('odd_grown'), 'also in the box of before');
  });

  test('a changed list that cannot be read leaves the one before, and is told', async () => {
    const told = Promise.withResolvers<McpProblem>();
    await using losing = await mcpTools(
      { odd },
      { onProblem: (problem) => problem.code === 'list_unread' && told.resolve(problem) },
    );
    const { size } = losing.tools;
    await ask(losing, 'odd_lose_list');
    assert.match((await told.promise).message, /"odd".*the list is away/);
    assert.equal(losing.tools.size, size);
  });

  test('a server that dies in a call is a failure to the model, and comes back at the next call', async () => {
    await using dying = await mcpTools({ odd });
    const before = await ask(dying, 'odd_process_id');
    const { result } = await call(dying, 'odd_die');
    assert.equal(result.isError, true);
    assert.match(resultText(result), /went away while "die" ran/);
    const back = await ask(dying, 'odd_process_id');
    assert.match(back, /^\d+$/);
    assert.notEqual(back, before);
  });

  test('a server that was killed between calls comes back before its tools are offered', async () => {
    await using killed = await mcpTools({ odd });
    const pid = Number(await ask(killed, 'odd_process_id'));
    process.kill(pid, 'SIGKILL');
    assert.notEqual(Number(await ask(killed, 'odd_process_id')), pid);
    assert.equal((await killed.tools.available(now)).size, killed.tools.size);
  });

  test('in a run, a killed server costs one failed call and no more', async () => {
    await using killed = await mcpTools({ odd: { ...odd, only: ['die', 'process_id'] } });
    const model = mockModel([
      { calls: [{ name: 'odd_die', arguments: {} }] },
      { calls: [{ name: 'odd_process_id', arguments: {} }] },
      'It is back.',
    ]);
    const { text, calls } = await run({ model, tools: killed.tools, prompt: 'Go on.' });
    assert.equal(text, 'It is back.');
    assert.deepEqual(
      calls.map(({ success }) => success),
      [false, true],
    );
  });

  test('close leaves no process behind, and closed tools are unavailable', async () => {
    const closing = await mcpTools({ odd });
    const pid = Number(await ask(closing, 'odd_process_id'));
    await closing.close();
    assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
    assert.equal((await closing.tools.available(now)).size, 0);
    assert.match(await ask(closing, 'odd_process_id'), /was closed/);
  });

  test('names that would meet stay apart, and a name that was given stays', () => {
    const names = new ToolNames();
    const first = names.nameOf('a', 'b_c');
    const second = names.nameOf('a_b', 'c');
    assert.equal(first, 'a_b_c');
    assert.match(second, /^a_b_c_[0-9a-f]{8}$/);
    assert.deepEqual([names.nameOf('a_b', 'c'), names.nameOf('a', 'b_c')], [second, first]);
    assert.match(names.nameOf('1', 'x'.repeat(100)), /^[A-Za-z][A-Za-z0-9_-]{0,63}$/);
  });

  test('approval of a server holds for all its tools, and settings for one of them', async () => {
    await using careful = await mcpTools(
      { odd: { ...odd, approval: 'always' } },
      { settings: { odd_nothing: { approval: 'never' }, odd_refuse: { isAvailable: () => false } } },
    );
    assert.ok(!(await careful.tools.available(now)).names.includes('odd_refuse'));
    assert.equal((await call(careful, 'odd_process_id')).waitsFor, 'approval');
    assert.equal((await call(careful, 'odd_nothing')).success, true);
  });

  test('a server that cannot be started is mcp_unreachable with its last words; an optional one is a problem', async () => {
    const broken = { command, args: ['-e', 'console.error("no licence"); process.exit(3)'] };
    await assert.rejects(mcpTools({ odd, broken }), (error: Error & { code?: string }) => {
      assert.equal(error.code, 'mcp_unreachable');
      assert.match(error.message, /"broken".*no licence/s);
      return true;
    });
    await assert.rejects(mcpTools({ none: { command: 'no-such-program-here' } }), {
      code: 'mcp_unreachable',
    });
    await using some = await mcpTools({ odd, broken: { ...broken, optional: true } });
    assert.ok(some.tools.size > 0);
    assert.ok(some.problems.some(({ server, code }) => server === 'broken' && code === 'mcp_unreachable'));
  });

  test('an optional server that was away comes back when it has rested', async (context) => {
    const folder = mkdtempSync(join(tmpdir(), 'whet-mcp-away-'));
    context.after(() => rmSync(folder, { recursive: true, force: true }));
    const flag = join(folder, 'here');
    const program = `process.argv[1] = ${JSON.stringify(odd.args[0])};
    if (!require('node:fs').existsSync(${JSON.stringify(flag)})) process.exit(1);
    import(process.argv[1]);`;
    let time = 0;
    const clock: Clock = { ...systemClock, monotonic: () => time };
    const away = { command, args: ['--input-type=commonjs', '-e', program], optional: true };
    await using mcp = await mcpTools({ away }, { clock });
    assert.equal(mcp.tools.size, 0);
    writeFileSync(flag, '');
    await mcp.refresh();
    assert.ok(mcp.tools.names.includes('away_hang'), 'asked for, it is tried at once');
    assert.ok(!mcp.problems.some(({ code }) => code === 'mcp_unreachable'));

    const pid = Number(await ask(mcp, 'away_process_id'));
    rmSync(flag);
    process.kill(pid, 'SIGKILL');
    assert.match(await ask(mcp, 'away_process_id'), /could not be started/);
    assert.equal((await mcp.tools.available(now)).size, 0);
    writeFileSync(flag, '');
    assert.equal((await mcp.tools.available(now)).size, 0, 'it is not tried at every step');
    time += 5000;
    assert.equal((await mcp.tools.available(now)).size, mcp.tools.size);
  });

  test('an answer that is too large is a failure that says so, and the next call works', async () => {
    await using narrow = await mcpTools({ odd }, { maxMessageBytes: 100_000 });
    assert.match(await ask(narrow, 'odd_huge'), /larger than 100000 bytes.*Ask it for less/);
    assert.match(await ask(narrow, 'odd_process_id'), /^\d+$/);
  });
});

test('a list whose cursors go in circles ends, and is told', async () => {
  const page = { tools: [{ name: 'a', inputSchema: { type: 'object' } }], nextCursor: 'x' };
  const { tools, problems } = await listTools('round', async () => page);
  assert.equal(tools.length, 1);
  assert.ok(problems.some(({ code }) => code === 'cursor_repeats'));
});

test('a server that ignores its end is ended all the same', async () => {
  const pid = await stubborn;
  assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
});

test('a setting that is none is mcp_server_invalid, and says what it needs', async () => {
  for (const setting of [{}, { command: 'a', url: 'http://b' }, { url: 'ftp://c' }, { command: '' }]) {
    await assert.rejects(mcpTools({ files: setting as never }), {
      code: 'mcp_server_invalid',
      message: /"files"/,
    });
  }
});

test('a header that cannot be sent is told without its value (header_invalid)', async () => {
  const headers = { authorization: 'Bearer secret\nvalue' };
  await assert.rejects(mcpTools({ files: { url: 'http://127.0.0.1:1/mcp', headers } }), {
    code: 'header_invalid',
    message:
      'The header "authorization" cannot be sent: its value holds a line break, which no header may have. Look at the headers of the MCP server "files".',
  });
});

test('without the SDK there is peer_missing, and it says what to install', async () => {
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      if (specifier.startsWith('@modelcontextprotocol/sdk')) throw new Error('Cannot find package');
      return next(specifier, context);
    },
  });
  try {
    await assert.rejects(mcpTools({ odd }), {
      code: 'peer_missing',
      message: /npm install @modelcontextprotocol\/sdk/,
    });
  } finally {
    hooks.deregister();
  }
});
