import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';

import { connect } from '../client/client.ts';
import { demoGroup } from './demo.ts';

const whet = fileURLToPath(new URL('../../../bin/whet.js', import.meta.url));

function emptyFolder(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'whet-start-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** `whet start`, read until it has said what to try next. */
async function startIn(
  folder: string,
  port: string,
): Promise<{ child: ChildProcess; said: string; url: string }> {
  const child = spawn(process.execPath, [whet, 'start', '--port', port], { cwd: folder });
  let said = '';
  child.stderr.on('data', (piece: Buffer) => (said += piece.toString()));
  for await (const piece of child.stdout) {
    said += String(piece);
    if (said.includes('Try next:')) break;
  }
  const url = /The page: (\S+)/.exec(said)?.[1];
  assert.ok(url, `it did not start:\n${said}`);
  return { child, said, url };
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  assert.deepEqual(await ended, [0, null], 'it ends cleanly when asked to');
}

test('a start plays four operators, says who did worst and why, and a second start keeps them', async (context) => {
  const folder = emptyFolder(context);
  const first = await startIn(folder, '0');
  context.after(() => first.child.kill());
  assert.match(first.said, /^ {2}gold +12 +1\.000 +0\.\d\d–1\.00 +1\.000/m);
  for (const name of ['careful', 'hasty', 'random'])
    assert.match(first.said, new RegExp(`^ {2}${name} +12 +0\\.\\d{3} +\\d\\.\\d\\d–`, 'm'));
  assert.match(first.said, /What cost most \(\w+ in .+\): .+/);
  const before = await connect({ url: first.url }).episodes({ group: demoGroup, limit: 100 });
  assert.equal(before.episodes.length, 48);
  await stop(first.child);

  const second = await startIn(folder, '0');
  context.after(() => second.child.kill());
  const after = await connect({ url: second.url }).episodes({ group: demoGroup, limit: 100 });
  assert.deepEqual(after.episodes, before.episodes, 'nothing was played again, nothing was lost');
  await stop(second.child);
});

test('a taken port gives a sentence, and the next free one', async (context) => {
  const taken = createServer();
  context.after(() => taken.close());
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const { port } = taken.address() as AddressInfo;
  const { child, said, url } = await startIn(emptyFolder(context), String(port));
  context.after(() => child.kill());
  const other = Number(new URL(url).port);
  assert.ok(other > port);
  assert.match(said, new RegExp(`port ${port} is taken, so this is on ${other}\\.`));
  await stop(child);
});
