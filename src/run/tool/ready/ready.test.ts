import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';

import type { JsonObject } from '../../../base/json/value.ts';
import { resultText } from '../../../base/message/result.ts';
import { runCall } from '../call/run-call.ts';
import type { ToolSource } from '../toolbox.ts';
import { fetchTool, fileTools, noteTools, shellTool } from './index.ts';
import { isInternalAddress } from './internal-address.ts';

/** What a model reads, and what a program does. */
async function ask(tools: ToolSource, name: string, args: JsonObject): Promise<readonly [string, string]> {
  const { result } = await runCall(
    { type: 'call', id: 'c', name, arguments: args, kind: 'function', requiresLocalExecution: true },
    tools,
    { approver: () => true },
  );
  return [result.errorCode ?? 'ok', resultText(result)];
}

function folderOf(context: TestContext, files: Readonly<Record<string, string | Buffer>>): string {
  const around = mkdtempSync(join(tmpdir(), 'whet-ready-'));
  context.after(() => rmSync(around, { recursive: true, force: true }));
  const root = join(around, 'root');
  mkdirSync(root);
  writeFileSync(join(around, 'secret.txt'), 'secret');
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(root, name, '..'), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return root;
}

test('files are listed, read, searched and edited', async (context) => {
  const root = folderOf(context, {
    'a.txt': 'one\ntwo\nthree\n',
    'b/c.ts': 'const two = 2;\n',
    '.git/x': 'two',
  });
  const tools = fileTools({ root });
  assert.deepEqual(await ask(tools, 'list_files', {}), ['ok', 'a.txt (14 bytes)\nb/']);
  assert.deepEqual(await ask(tools, 'search_files', { text: 'TWO', ignoreCase: true }), [
    'ok',
    'a.txt:2: two\nb/c.ts:1: const two = 2;',
  ]);
  assert.deepEqual(await ask(tools, 'search_files', { text: 'two', name: '.ts' }), [
    'ok',
    'b/c.ts:1: const two = 2;',
  ]);
  const edit = { path: 'a.txt', old: 'two', new: '2' };
  assert.match((await ask(tools, 'edit_file', edit))[1], /was not read yet/);
  assert.deepEqual(await ask(tools, 'read_file', { path: 'a.txt', from: 2, lines: 1 }), [
    'ok',
    '2\ttwo\n… 1 more lines: read on from 3',
  ]);
  assert.deepEqual(await ask(tools, 'edit_file', edit), ['ok', 'Replaced one place in a.txt.']);
  assert.equal(readFileSync(join(root, 'a.txt'), 'utf8'), 'one\n2\nthree\n');
  writeFileSync(join(root, 'a.txt'), 'changed\n');
  assert.match((await ask(tools, 'edit_file', { ...edit, old: '2' }))[1], /has changed since/);
  assert.deepEqual(await ask(tools, 'edit_file', { path: 'new/d.txt', old: '', new: 'x x' }), [
    'ok',
    'Made new/d.txt.',
  ]);
  assert.match((await ask(tools, 'edit_file', { path: 'new/d.txt', old: '', new: 'y' }))[1], /there already/);
  assert.match((await ask(tools, 'edit_file', { path: 'new/d.txt', old: 'x', new: 'y' }))[1], /2 times/);
  await ask(tools, 'edit_file', { path: 'new/d.txt', old: 'x', new: 'y', all: true });
  assert.equal(readFileSync(join(root, 'new/d.txt'), 'utf8'), 'y y');
});

test('lines that end as on Windows are shown without it, and keep it', async (context) => {
  const root = folderOf(context, { 'w.txt': 'one\r\ntwo\r\n' });
  const tools = fileTools({ root });
  assert.equal((await ask(tools, 'read_file', { path: 'w.txt' }))[1], '1\tone\n2\ttwo');
  await ask(tools, 'edit_file', { path: 'w.txt', old: 'one\ntwo', new: '1\n2' });
  assert.equal(readFileSync(join(root, 'w.txt'), 'utf8'), '1\r\n2\r\n');
});

test('no path leads out of the folder', async (context) => {
  const root = folderOf(context, { 'a.txt': 'a' });
  symlinkSync('..', join(root, 'up'));
  symlinkSync('../secret.txt', join(root, 'link'));
  symlinkSync('../nothing-yet', join(root, 'dangling'));
  symlinkSync('.', join(root, 'round'));
  const tools = fileTools({ root });
  const out = [
    '..',
    '../secret.txt',
    'b/../../secret.txt',
    join(root, '../secret.txt'),
    'link',
    'up/secret.txt',
  ];
  for (const path of [...out, '/etc/passwd', 'a\0.txt', 'up'])
    for (const [name, more] of [
      ['read_file', {}],
      ['list_files', {}],
      ['search_files', { text: 's' }],
      ['edit_file', { old: 's', new: '' }],
    ] as const) {
      const [code, text] = await ask(tools, name, { path, ...more });
      assert.notEqual(code, 'ok', `${name} ${path}`);
      assert.doesNotMatch(text, /secret(?!\.txt)/);
    }
  for (const path of ['../new.txt', 'up/new.txt', 'up/deep/new.txt', 'dangling', '.'])
    assert.notEqual((await ask(tools, 'edit_file', { path, old: '', new: 'x' }))[0], 'ok', path);
  for (const made of ['../new.txt', '../deep', '../nothing-yet'])
    assert.equal(existsSync(join(root, made)), false, made);
  assert.deepEqual(await ask(tools, 'search_files', { text: 'a' }), ['ok', 'a.txt:1: a']);
  assert.deepEqual(await ask(tools, 'read_file', { path: 'round/round/a.txt' }), ['ok', '1\ta']);
});

test('what is not text, too large or no plain file is told and not read', async (context) => {
  const root = folderOf(context, {
    'zero.bin': Buffer.from([80, 0, 1]),
    'latin.txt': Buffer.from([0xe9, 0x0a]),
    'large.txt': 'x'.repeat(2000),
    'wide.txt': 'y'.repeat(3000),
  });
  const tools = fileTools({ root, maxFileBytes: 1000 });
  const told = async (path: string) => (await ask(tools, 'read_file', { path }))[1];
  assert.match(await told('zero.bin'), /not text \(3 bytes/);
  assert.match(await told('latin.txt'), /not UTF-8/);
  assert.match(await told('large.txt'), /has 2000 bytes; files up to 1000/);
  assert.match(await told('missing.txt'), /There is no "missing.txt"/);
  assert.match(await told('.'), /is a folder/);
  assert.match(await told('x'.repeat(5000)), /too long/);
  assert.match(
    (await ask(fileTools({ root }), 'read_file', { path: 'wide.txt' }))[1],
    /1000 more characters/,
  );
  assert.match(
    (await ask(tools, 'edit_file', { path: 'n', old: '', new: 'x'.repeat(1001) }))[1],
    /at most 1000/,
  );
  await ask([shellTool({ cwd: root })], 'shell', { command: 'mkfifo pipe' });
  assert.match(await told('pipe'), /not a plain file/);
  assert.deepEqual(fileTools({ root, readOnly: true }).names, ['list_files', 'read_file', 'search_files']);
});

test('a command runs within its limits, without keys, and only when a person agrees', async (context) => {
  const root = folderOf(context, {});
  const tools = [shellTool({ cwd: root, fileMegabytes: 1 })];
  assert.deepEqual(await ask(tools, 'shell', { command: 'echo "a  b"; echo c >&2' }), ['ok', 'a  b\n\nc\n']);
  assert.deepEqual(await ask(tools, 'shell', { command: 'exit 3' }), ['failed', 'Exit code 3.']);
  assert.equal((await ask(tools, 'shell', { command: 'a\0b' }))[0], 'invalid_arguments');
  await ask(tools, 'shell', { command: 'head -c 3000000 /dev/zero > big' });
  assert.ok(statSync(join(root, 'big')).size <= 1_048_576);
  process.env['WHET_TEST_KEY'] = 'k';
  context.after(() => delete process.env['WHET_TEST_KEY']);
  assert.deepEqual(await ask(tools, 'shell', { command: 'echo "[$WHET_TEST_KEY]"' }), ['ok', '[]\n']);
  const { waitsFor } = await runCall(
    {
      type: 'call',
      id: 'c',
      name: 'shell',
      arguments: { command: 'touch ran' },
      kind: 'function',
      requiresLocalExecution: true,
    },
    tools,
  );
  assert.equal(waitsFor, 'approval');
  assert.equal(existsSync(join(root, 'ran')), false);
});

test('notes are kept, in a file too, whatever their titles', async (context) => {
  const file = join(folderOf(context, {}), 'notes.json');
  const tools = noteTools({ file });
  for (const title of ['plan', '../x', '__proto__'])
    assert.deepEqual(await ask(tools, 'write_note', { title, text: `of ${title}` }), ['ok', 'Noted.']);
  const later = noteTools({ file });
  assert.deepEqual(await ask(later, 'list_notes', {}), ['ok', 'plan\n../x\n__proto__']);
  assert.deepEqual(await ask(later, 'read_note', { title: '__proto__' }), ['ok', 'of __proto__']);
  assert.equal((await ask(later, 'read_note', { title: 'toString' }))[0], 'failed');
  await ask(later, 'write_note', { title: 'plan', text: '' });
  assert.deepEqual(await ask(later, 'list_notes', {}), ['ok', '../x\n__proto__']);
});

async function serve(context: TestContext, answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  context.after(() => void server.close());
  return `localhost:${(server.address() as AddressInfo).port}`;
}

test('pages are fetched from hosts that are allowed, and redirects are held to the same', async (context) => {
  const asked: unknown[] = [];
  const other = await serve(context, ({ headers }, response) => {
    asked.push(headers['x-key']);
    response.end('other');
  });
  const host = await serve(context, ({ url, headers }, response) => {
    if (url === '/out') response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end();
    else if (url === '/other') response.writeHead(302, { location: `http://${other}/` }).end();
    else if (url === '/round') response.writeHead(302, { location: '/round' }).end();
    else if (url === '/file') response.writeHead(302, { location: 'file:///etc/passwd' }).end();
    else if (url === '/binary') response.writeHead(200, { 'content-type': 'application/zip' }).end('PK');
    else if (url === '/missing') response.writeHead(404, { 'content-type': 'text/plain' }).end('gone');
    else
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(`key ${String(headers['x-key'])} ${'x'.repeat(99)}`);
  });
  const tools = [fetchTool({ allow: [host, other], internal: true, maxBytes: 8, headers: { 'x-key': 'k' } })];
  const get = (path: string, from = host) => ask(tools, 'fetch', { url: `http://${from}${path}` });
  assert.deepEqual(await get('/'), ['ok', `200 http://${host}/\n\nkey k xx\n[… the rest was not read …]`]);
  assert.match(
    (await get('/out'))[1],
    /redirects to http:\/\/169\.254\.169\.254\/latest, which is not on an allowed host/,
  );
  assert.match((await get('/round'))[1], /more than 5 times/);
  assert.match((await get('/file'))[1], /must begin with https/);
  assert.match((await get('/binary'))[1], /not text \(application\/zip/);
  assert.match((await get('/missing'))[1], /404/);
  assert.match((await get('/other'))[1], /other/);
  assert.deepEqual(asked, [undefined]);
  // The name is allowed, and what it leads to is this machine.
  const strict = [fetchTool({ allow: [host, '*.example.com', '127.0.0.1'] })];
  assert.match((await ask(strict, 'fetch', { url: `http://${host}/` }))[1], /inside this network/);
  assert.match((await ask(strict, 'fetch', { url: 'http://2130706433/' }))[1], /inside this network/);
  for (const url of [
    'https://example.com/',
    'https://evil-example.com/',
    'https://a.example.com:8080/',
    'https://user:pass@a.example.com/',
    'ftp://a.example.com/',
    'javascript:alert(1)',
    'http://[::1]/',
    'not an address',
  ])
    assert.notEqual((await ask(strict, 'fetch', { url }))[0], 'ok', url);
});

test('addresses inside are known in every form', () => {
  for (const address of [
    ...['127.0.0.1', '10.1.2.3', '172.16.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0'],
    ...['224.0.0.1', '255.255.255.255', '::1', '::', 'fe80::1', 'fe80::1%eth0', 'fd00::1', 'ff02::1'],
    ...['::ffff:10.0.0.1', '::ffff:8.8.8.8', '64:ff9b::a00:1', '2002:7f00:1::', '2001:db8::1', 'nonsense'],
  ])
    assert.equal(isInternalAddress(address), true, address);
  for (const address of ['8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450:4001::200e'])
    assert.equal(isInternalAddress(address), false, address);
});
