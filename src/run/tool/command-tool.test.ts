import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { call } from '../../../test/scripted-model.ts';
import { resultText } from '../../base/message/result.ts';
import type { CallRecord } from './call/call-record.ts';
import { commandTool, commandTools } from './command-tool.ts';
import { runCall } from './call/run-call.ts';
import { toolbox } from './toolbox.ts';

const posixOnly = { skip: process.platform === 'win32' ? 'needs executables with a #! line' : false };
const spec = {
  name: 'count',
  description: 'Counts letters',
  input: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
};

function folderOf(files: Readonly<Record<string, string>>, fields: object = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'whet-command-'));
  writeFileSync(join(folder, 'spec.json'), JSON.stringify({ ...spec, ...fields }));
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, name), text);
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
}

async function ran(program: string, fields: object = {}): Promise<CallRecord> {
  return runCall(call('1', 'count', { word: 'four' }), await commandTool(folderOf({ run: program }, fields)));
}

test('runs an executable with its arguments on stdin and in the environment', posixOnly, async () => {
  const record = await ran('#!/bin/sh\nread line; echo "$line $WHET_ARGUMENTS $WHET_TOOL"');
  assert.equal(resultText(record.result), '{"word":"four"} {"word":"four"} count\n');
});

test('checks the arguments before the program runs', posixOnly, async () => {
  const it = await commandTool(folderOf({ run: '#!/bin/sh\necho ran' }));
  assert.equal((await runCall(call('1', 'count', { word: 4 }), it)).result.errorCode, 'invalid_arguments');
});

test('maps its exit code, and tells what it printed', posixOnly, async () => {
  const failed = await ran('#!/bin/sh\necho half; echo "no such word" >&2; exit 3');
  assert.equal(failed.result.errorCode, 'failed');
  assert.equal(resultText(failed.result), '"count" ended with exit code 3.\nno such word\nhalf');
  const silent = await ran('#!/bin/sh\nexit 0');
  assert.match(resultText(silent.result), /completed successfully and returned nothing/);
});

test('shows a program no keys: only what its spec names', posixOnly, async () => {
  process.env['WHET_TEST_KEY'] = 'secret';
  try {
    const program = '#!/bin/sh\necho "[$WHET_TEST_KEY]"';
    assert.equal(resultText((await ran(program)).result), '[]\n');
    assert.equal(resultText((await ran(program, { env: ['WHET_TEST_KEY'] })).result), '[secret]\n');
  } finally {
    delete process.env['WHET_TEST_KEY'];
  }
});

test('ends a program whose time is over, and all that it has started', posixOnly, async () => {
  const record = await ran('#!/bin/sh\nsleep 600 & sleep 600', { timeout: 50 });
  assert.equal(record.result.errorCode, 'timeout');
});

test('bounds what it keeps of an endless output', posixOnly, async () => {
  const record = await ran('#!/bin/sh\nhead -c 6000000 /dev/zero | tr "\\0" x', { outputBudget: 1000 });
  assert.equal(record.success, true);
  assert.ok(resultText(record.result).length < 1300);
  assert.match(resultText(record.result), /2000000 more bytes were not kept/);
});

test('asks a program whether the tool is available', posixOnly, async () => {
  const box = toolbox(await commandTool(folderOf({ run: '#!/bin/sh\n', available: '#!/bin/sh\nexit 1' })));
  assert.deepEqual((await box.available({ step: 1, messages: [], injected: {} })).names, []);
});

test('says what is wrong with a folder (command_tool_invalid)', posixOnly, async () => {
  const refuses = (folder: string, message: RegExp) =>
    assert.rejects(commandTool(folder), { code: 'command_tool_invalid', message });
  await refuses(folderOf({}), /no executable file "run"/);
  await refuses(folderOf({ run: '#!/bin/sh\n' }, { description: ' ' }), /"description" is missing or empty/);
  await refuses(folderOf({ run: '#!/bin/sh\n' }, { timeuot: 3 }), /"timeuot" is not a field/);
  await refuses(
    mkdtempSync(join(tmpdir(), 'whet-command-')),
    /spec\.json is not a command tool: it is not there/,
  );
});

test('finds all tools of a folder', posixOnly, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'whet-command-'));
  for (const name of ['b', 'a']) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'spec.json'), JSON.stringify({ ...spec, name }));
    writeFileSync(join(folder, name, 'run'), '#!/bin/sh\n', { mode: 0o755 });
  }
  mkdirSync(join(folder, 'none'));
  assert.deepEqual((await commandTools(folder)).names, ['a', 'b']);
});

test('bounds what a failure says, too, and keeps the whole', posixOnly, async () => {
  const record = await ran('#!/bin/sh\nhead -c 300000 /dev/zero | tr "\\0" e >&2; exit 1', {
    outputBudget: 1000,
  });
  assert.equal(record.result.errorCode, 'failed');
  assert.ok(resultText(record.result).length < 1300);
  assert.ok((record.whole ?? '').length > 300_000);
});

test('does not wait for what a program leaves running behind it', posixOnly, async () => {
  const record = await ran('#!/bin/sh\nsleep 600 & echo "$!"');
  process.kill(Number(resultText(record.result)));
  assert.equal(record.success, true);
});

test(
  'takes output without a last line end, bytes that are not text, and a program that reads nothing',
  posixOnly,
  async () => {
    assert.equal(resultText((await ran('#!/bin/sh\nprintf abc')).result), 'abc');
    assert.equal(resultText((await ran('#!/bin/sh\nprintf "a\\377b"')).result), 'a\ufffdb');
    assert.equal(resultText((await ran('#!/bin/sh\nexec 0<&-; printf done')).result), 'done');
    assert.match(resultText((await ran('#!/bin/sh\nkill -KILL $$')).result), /was ended by SIGKILL/);
    assert.match(
      resultText((await ran('#!/no/such/program\n')).result),
      /named in its first line does not exist/,
    );
  },
);
