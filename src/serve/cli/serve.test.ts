import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';

const whet = fileURLToPath(new URL('../../../bin/whet.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'whet-serve-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const serve = [whet, 'serve', '--port', '0', '--data', join(folder, 'data.db')];

/** Starts a server that writes its log there, takes its reader away, and asks it on. */
async function outliveLog(context: TestContext, log: 'pipe' | number): Promise<void> {
  const child = spawn(process.execPath, serve, { stdio: ['ignore', 'pipe', log] });
  context.after(() => child.kill('SIGKILL'));
  const [line] = (await once(child.stdout!, 'data')) as [Buffer];
  const { url } = JSON.parse(line.toString()) as { url: string };
  child.stderr?.destroy();
  for (let count = 0; count < 3; count += 1)
    assert.equal((await fetch(`${url}/api/v1/key`)).status, 200, `request ${count}`);
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  assert.deepEqual(await ended, [0, null]);
}

test('a server goes on when the reader of its log has gone', (context) => outliveLog(context, 'pipe'));

const noFullDisk = !existsSync('/dev/full') && 'there is no /dev/full here';
test('a server goes on when there is no room for its log', { skip: noFullDisk }, (context) =>
  outliveLog(context, openSync('/dev/full', 'w')),
);

test('an address that is not this machine is told with what to do about it', () => {
  spawnSync(process.execPath, [whet, 'keys', 'create', '--data', join(folder, 'data.db')]);
  const { status, stderr } = spawnSync(process.execPath, [...serve, '--host', '203.0.113.7'], {
    encoding: 'utf8',
  });
  assert.equal(status, 2, stderr);
  assert.match(stderr, /^whet: No server can listen on 203\.0\.113\.7, port 0: .*\[address_unusable\]$/m);
});
