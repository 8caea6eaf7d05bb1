import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { loadCatalog } from '../src/grade/scenario/load/catalog.ts';
import { openStore } from '../src/grade/store/open-store.ts';
import { startServer } from '../src/serve/server/server.ts';

const page = (name: string): string => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');

/** The shell blocks of a section, as one script. */
function shellOf(text: string, heading: string): string {
  const section = text.split(/^##+ /m).find((part) => part.startsWith(heading)) ?? '';
  return [...section.matchAll(/^```sh\n(.*?)^```/gms)].map((block) => block[1]).join('\n');
}

/** A server with the bundled scenarios, and a shell that knows its address. */
async function withServer(
  context: TestContext,
  script: (url: string) => string,
): Promise<Record<string, unknown>[]> {
  const folder = mkdtempSync(join(tmpdir(), 'whet-readme-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  await using store = await openStore(join(folder, 'data.db'));
  const catalog = loadCatalog(fileURLToPath(new URL('../scenarios', import.meta.url)));
  await using server = await startServer({ store, catalog, open: true });

  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script(server.url)], {
    env: { ...process.env, WHETSTONE_URL: server.url },
  });
  return stdout
    .replaceAll('}{', '}\n{')
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

test('README’s curl walk plays a whole episode, as printed', async (context) => {
  const script = shellOf(page('README.md'), 'A whole episode with curl');
  const printed = 'http://127.0.0.1:4170';
  assert.ok(script.includes(printed));
  // Only the address differs: the one that is printed may be taken on this machine.
  const answers = await withServer(context, (url) => script.replace(printed, url));
  assert.equal(answers.length, 7, 'five turns, an evaluation, the catalog');
  const [last, evaluation, listed] = answers.slice(4);
  assert.deepEqual(
    answers.slice(0, 5).map(({ turn }) => turn),
    [1, 2, 3, 4, 5],
  );
  assert.equal(last?.['episode_complete'], true);
  assert.equal(last['success'], 1);
  assert.ok(Number(last['reward']) > 0.9, `reward ${String(last['reward'])}`);
  assert.equal(typeof last['score_breakdown'], 'object');
  assert.ok(Number(evaluation?.['reward']) < 0.3, 'a decision at the first turn');
  assert.ok(Array.isArray(listed?.['collections']));
});

const noPython = spawnSync('python3', ['--version']).status !== 0 && 'there is no Python here';

test(
  'the loop of your own in the training page is three requests, the last with the grade',
  { skip: noPython },
  async (context) => {
    const script = shellOf(page('docs/guide/14-training.md'), 'A loop of your own');
    const [turn, ended] = await withServer(context, () => script);
    assert.deepEqual([turn?.['turn'], turn?.['episode_complete']], [1, false]);
    const grade = ended?.['grade'] as { reward: number } | undefined;
    assert.equal(grade?.reward, turn?.['reward']);
  },
);
