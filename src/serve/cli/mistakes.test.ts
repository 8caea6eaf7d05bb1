/** What people mistype, and what they are told: what happened, with which value, what to do. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, mock, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { main } from './main.ts';

const folder = mkdtempSync(join(tmpdir(), 'whet-mistakes-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** In this process, to be quick. */
async function whet(...argv: readonly string[]): Promise<{ status: number; said: string }> {
  let said = '';
  const errors = mock.method(process.stderr, 'write', (text: string) => Boolean((said += text)));
  try {
    return { status: await main(argv), said };
  } finally {
    errors.mock.restore();
    process.exitCode = undefined;
  }
}

const lumbar = 'case-management/lumbar-strain';
const nowhere = join(folder, 'nowhere');
const mistakes: readonly (readonly [argv: readonly string[], told: RegExp])[] = [
  [['runn'], /unknown command 'runn'\n\(Did you mean run\?\)/],
  [['help', 'runn'], /unknown command 'runn'/],
  [['run'], /missing required argument 'scenario'\nRun `whet run --help`/],
  [['tools', 'call'], /missing required argument 'name'\nRun `whet tools call --help`/],
  [
    ['run', lumbar, '--varient', '1'],
    /unknown option '--varient'\n\(Did you mean --variant\?\)\nRun `whet run/,
  ],
  [
    ['run', 'case-management', '--operator', 'gold'],
    /"case-management" is not a scenario\. Write collection\/name/,
  ],
  [['run', lumbar, '--operator', 'golden'], /no operator "golden"\. Known: gold, careful/],
  [['run', lumbar.replace('/', '\\'), '--operator', 'golden'], /no operator "golden"/],
  [['grade', nowhere, '--scenario', lumbar], /nowhere cannot be opened: there is no such file/],
  [['grade', folder, '--scenario', lumbar], /cannot be opened: it is a folder, but a file is needed/],
  [
    ['grade', nowhere, '--scenario', lumbar, '--variant', 'two'],
    /'two' is invalid\. It must be a whole number/,
  ],
  [
    ['grade', '--scenario', lumbar, '--reward-config', '{"quality_weights": {"discovry": 1}}'],
    /--reward-config weighs "discovry", which is not a dimension\. Known: success_metrics, .*discovery/,
  ],
  [
    ['compare', '--scenario', lumbar, '--reward-config', '{"quality_weights": {"rubrics": "1"}}', 'a', 'b'],
    /gives "rubrics" the weight "1", but it must be a number, 0 or more/,
  ],
  [
    ['tools', 'check', folder],
    /There are no tools in .*: no folder in it has a spec\.json\. Tools in TypeScript/,
  ],
  [['schema', 'report', folder], /There is no \.json or \.jsonl file in .*`whet tools inspect`/],
  [['schema', 'batch', nowhere], /nowhere cannot be opened: there is no such file/],
  [['serve', '--person-recording', nowhere], /nowhere cannot be opened: there is no such file/],
  [
    ['store', 'export', '--data', nowhere],
    /There is no data at .*nowhere\. Go to the folder in which the server/,
  ],
  [['keys', 'list', '--data', nowhere], /There is no data at .*nowhere/],
  [['regrade', '--data', nowhere], /There is no data at .*nowhere/],
  [['keys', 'create', '--data', nowhere, '--collections', ' ,'], /Name at least one; leave it out for all/],
  [['serve', '--data', nowhere, '--rate-limit', '0'], /'0' is invalid\. It must be a whole number from 1/],
  [['serve', '--data', nowhere, '--page', nowhere], /There is no page in .*nowhere: no index\.html/],
  [
    ['scenario', 'list', '--scenarios', nowhere],
    /There is no folder .*nowhere\. Name a folder of collections/,
  ],
  [['run', lumbar, '--operator', 'gold', '--scenarios', nowhere], /There is no folder .*nowhere\. Name/],
  [
    ['chat', '--model', 'vllm/m', '--history', join(nowhere, 'history.json')],
    /There is no folder .*nowhere for .*history\.json\. Make it/,
  ],
  [
    ['run', lumbar, '--operator', 'gold', '--url', '127.0.0.1:1'],
    /"127\.0\.0\.1:1" is not the address of a server/,
  ],
  [['keys', 'create', '--data', join(nowhere, 'x.db')], /There is no folder .*nowhere for .*x\.db\. Make it/],
];

for (const [argv, told] of mistakes)
  test(`whet ${argv.join(' ').replaceAll(folder, '…')}`, async () => {
    const { status, said } = await whet(...argv);
    assert.equal(status, 2, said);
    assert.match(said, told);
  });

test('what the world does wrong is told apart from a mistake: exit code 3', async () => {
  const server = createServer((_, response) => response.writeHead(503).end('{"message":"Full."}'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const play = () => whet('run', lumbar, '--operator', 'gold', '--url', url);
  const busy = await play();
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
  const away = await play();
  assert.match(busy.said, /refused with 503: Full\..*\[server_refused\]/);
  assert.match(away.said, /is the server running\? \[server_unreachable\]/);
  assert.deepEqual([busy.status, away.status], [3, 3]);
});

test('asking for data that are not there makes none', () => assert.equal(existsSync(nowhere), false));

test('whet help run is whet run --help, and --version is that of the package', () => {
  const bin = fileURLToPath(new URL('../../../bin/whet.js', import.meta.url));
  const printed = (...argv: readonly string[]) =>
    spawnSync(process.execPath, [bin, ...argv], { encoding: 'utf8' }).stdout;
  assert.equal(printed('help', 'run'), printed('run', '--help'));
  assert.match(printed('help', 'store', 'prune'), /--older-than/);
  assert.match(printed('--version'), /^\d+\.\d+\.\d+\n$/);
});
