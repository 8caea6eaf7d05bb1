import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { linkSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { openStore } from '../../grade/store/open-store.ts';
import { bareEpisode } from '../../grade/store/testing/bare-record.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'whet-cli-store-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string): string => join(folder, name);

function whet(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['bin/whet.js', ...args], {
    cwd: root,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

test('keys are made, listed without themselves, and revoked', () => {
  const data = at('keys.db');
  const made = whet('keys', 'create', '--data', data, '--name', 'trainer', '--rate', 'none', '--explain');
  const { key, key_id, rate_limit, explain } = JSON.parse(made.stdout);
  assert.match(key, /^lab_\w{40}$/);
  assert.deepEqual([rate_limit, explain], [null, true]);
  const listed = whet('keys', 'list', '--data', data);
  assert.equal(listed.stdout.includes(key), false);
  assert.equal(JSON.parse(listed.stdout)[0].key_id, key_id);
  assert.equal(whet('keys', 'revoke', key_id, '--data', data).status, 0);
  assert.ok(JSON.parse(whet('keys', 'list', '--data', data).stdout)[0].revoked_at);
  assert.equal(whet('keys', 'revoke', 'key_none', '--data', data).status, 1);
});

test('a key for a collection that is not there is made, with a warning that names those that are', () => {
  const data = at('warned.db');
  const names = 'case-management,case-managment';
  const { status, stdout, stderr } = whet('keys', 'create', '--data', data, '--collections', names);
  assert.equal(status, 0);
  assert.deepEqual(JSON.parse(stdout).collections, names.split(','));
  assert.match(stderr, /warning: there is no collection "case-managment" in .*Known: case-management, /);
  assert.doesNotMatch(stderr, /no collection "case-management"/);
});

test('data are exported, imported, copied, pruned and compacted', () => {
  const data = at('data.db');
  whet('keys', 'create', '--data', data);
  const exported = whet('store', 'export', '--data', data);
  const lines = exported.stdout.trim().split('\n');
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).kind),
    ['whetstone_export', 'key'],
  );
  writeFileSync(at('lines'), exported.stdout);
  const take = (...more: readonly string[]) =>
    JSON.parse(whet('store', 'import', at('lines'), '--data', at('other.db'), ...more).stdout);
  assert.deepEqual(take(), { episodes: 0, keys: 0, scores: 0, runs: 0, conversations: 0, skipped: 1 });
  assert.deepEqual(take('--keys'), {
    episodes: 0,
    keys: 1,
    scores: 0,
    runs: 0,
    conversations: 0,
    skipped: 0,
  });
  assert.equal(whet('store', 'backup', at('copy.db'), '--data', data).status, 0);
  assert.equal(JSON.parse(whet('keys', 'list', '--data', at('copy.db')).stdout).length, 1);
  for (const [target, fault] of [
    [folder, 'it cannot be opened'],
    [at('lines'), 'it is not a database'],
  ] as const) {
    const { status, stderr } = whet('store', 'backup', target, '--data', data);
    assert.deepEqual([status, stderr.includes(`${target} cannot be used now: ${fault}.`)], [2, true], stderr);
  }
  assert.deepEqual(JSON.parse(whet('store', 'prune', '--older-than', '1', '--data', data).stdout), {
    removed: 0,
    runs: 0,
  });
  assert.equal(whet('store', 'vacuum', '--data', data).status, 0);
  writeFileSync(at('lines'), 'no export\n');
  const refused = whet('store', 'import', at('lines'), '--data', data);
  assert.equal(refused.status, 2);
  assert.match(refused.stderr, /Line 1 .*\[export_invalid\]/);
});

test('data are not copied onto themselves, by whatever path', () => {
  const data = at('own.db');
  whet('keys', 'create', '--data', data);
  symlinkSync(data, at('symbolic.db'));
  linkSync(data, at('hard.db'));
  const before = readFileSync(data);
  for (const copy of [data, `${folder}/./own.db`, at('symbolic.db'), at('hard.db')]) {
    const { status, stderr } = whet('store', 'backup', copy, '--data', data);
    assert.equal(status, 2, stderr);
    assert.match(stderr, / belongs to the data that is to be copied\. Name another file\./);
  }
  assert.deepEqual(readFileSync(data), before);
  for (const round of ['new', 'again'])
    assert.equal(whet('store', 'backup', at('apart.db'), '--data', data).status, 0, round);
});

test('a prune that is killed half way leaves the sums of what is left', async () => {
  const data = at('half.db');
  const count = 5000;
  const ended = {
    owner: 'local',
    status: 'complete',
    terminalReason: 'completed',
    reward: 0.5,
    gate: 1,
  } as const;
  const countIn = async (groupBy: readonly ('player' | 'variant')[]): Promise<number> => {
    await using store = await openStore(data);
    return (await store.sums.read({ owner: 'local' }, groupBy))[0]?.episodes ?? 0;
  };
  {
    await using store = await openStore(data);
    const numbers = Array.from({ length: count }, (_, number) => number);
    await Promise.all(numbers.map((number) => store.restoreEpisode(bareEpisode(`ep_${number}`, ended), [])));
    await store.sums.add(count);
  }
  const prune = spawn(
    process.execPath,
    ['bin/whet.js', 'store', 'prune', '--older-than', '1', '--data', data],
    { cwd: root },
  );
  // By variant no sum is kept: all are counted.
  while ((await countIn(['variant'])) === count);
  prune.kill('SIGKILL');
  await once(prune, 'exit');
  const left = await countIn(['variant']);
  assert.ok(left > 0 && left < count, `${left} of ${count} are left`);
  assert.equal(await countIn(['player']), left);
});
