import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import type { JsonObject } from '../../base/json/value.ts';
import { textOf } from '../../base/message/message.ts';
import type { ModelRequest } from '../../base/message/model.ts';
import { SqliteStore } from '../../grade/store/sqlite/sqlite-store.ts';
import { mock } from '../../wire/mock/index.ts';
import { createKey } from '../http/keys.ts';
import { startServer } from '../server/server.ts';
import { bundledCatalog } from '../server/testing/test-server.ts';
import { pageFolder } from '../terminal/bundled.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const room = mkdtempSync(join(tmpdir(), 'whet-run-'));
after(() => rmSync(room, { recursive: true }));

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function whetRun(...given: readonly string[]): Promise<Ran> {
  return whet(['run', ...given, '--data', join(room, 'episodes.db')]);
}

function whet(given: readonly string[], typed = ''): Promise<Ran> {
  const child = spawn(process.execPath, [join(root, 'bin/whet.js'), ...given], { cwd: root });
  child.stdin.end(typed);
  let out = '';
  let err = '';
  child.stdout.on('data', (piece) => (out += String(piece)));
  child.stderr.on('data', (piece) => (err += String(piece)));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out, err })));
}

test('an operator plays a scenario live, and its episode is printed as JSON', async () => {
  const { code, out, err } = await whetRun('case-management/lumbar-strain', '--operator', 'gold');
  assert.equal(code, 0, err);
  const episode = JSON.parse(out) as JsonObject;
  assert.equal(episode['reward'], 1);
  assert.match(err, /→ Claim Status: claim_status \{"value":"approved"\}/);
  assert.match(err, /reward so far 0\.\d+/);
  assert.match(err, /Reward 1\.000: success/);
});

test('several trials of one that fails: a line each, and exit code 1', async () => {
  const { code, out, err } = await whetRun(
    'case-management/lumbar-strain',
    ...['--operator', 'hasty', '--trials', '2', '--json'],
  );
  assert.equal(code, 1, err);
  assert.deepEqual(
    out
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as JsonObject)['seed']),
    [0, 1],
  );
});

test('many are played side by side: a line each in their order, a table, and a page of their own', async () => {
  const { code, out, err } = await whetRun(
    ...['case-management/lumbar-strain', 'case-management/broken-*', '--variants', '2', '--variant', '1'],
    ...['--operator', 'careful', '--study', 'a study', '--concurrency', '3'],
  );
  assert.equal(code, 1, err);
  const lines = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as JsonObject);
  assert.deepEqual(
    lines.map(({ scenario_slug: scenario, variant, study }) => [scenario, variant, study]),
    [
      ['lumbar-strain', 1, 'a study'],
      ['lumbar-strain', 2, 'a study'],
      ['broken-wrist', 1, 'a study'],
      ['broken-wrist', 2, 'a study'],
    ],
  );
  const told = /The page: http:\/\/127\.0\.0\.1:\d+\/#\/runs\/a%20study\/careful\n/.test(err);
  assert.equal(told, pageFolder(undefined) !== undefined, 'where the page is built, and only there');
  assert.match(
    err,
    /4 of 4 played, [\d.]+ a minute\n\nscenario +episodes +reward +success\n[^]*broken-wrist +2 /,
  );
  assert.match(err, /`whet view .*episodes\.db` shows it again/);
});

test('a split chooses among the scenarios; without a name, of all collections', async () => {
  const { err } = await whetRun('case-management', '--split', 'nowhere', '--operator', 'gold');
  assert.match(err, /No scenario of "case-management\/\*" is in the split "nowhere"/);
  const none = await whetRun('--operator', 'gold');
  assert.deepEqual([none.code, /missing required argument 'scenario'/.test(none.err)], [2, true]);
});

test('a model plays over HTTP: it sees the tools and the person’s answers, and its calls are graded', async () => {
  await using provider = await mock([
    'What happened, and when?',
    {
      text: 'I decide.',
      calls: [{ name: 'claim_status', arguments: { value: 'approved' } }],
      usage: { input: 7, output: 3 },
    },
  ]);
  const { code, out, err } = await whetRun(
    'case-management/lumbar-strain',
    ...['--model', 'openai/gpt-x', '--base-url', `${provider.url}/v1`],
  );
  assert.equal(code, 1, err);
  const episode = JSON.parse(out) as JsonObject;
  assert.equal(episode['turns'], 2);
  assert.ok(Number(episode['reward']) > 0 && Number(episode['reward']) < 0.5, out);
  assert.match(err, /Model: What happened, and when\?/);
  assert.equal(err.split('What happened, and when?').length, 2, 'its words are there once');
  assert.match(err, / {2}\+ /, 'facts are told as they are discovered');
  const [first, second] = provider.asked;
  assert.ok(first?.request.tools?.some((tool) => tool.name === 'medical_assessment'));
  const heard = second?.request.messages.at(-1);
  assert.ok(heard?.role === 'user' && textOf(heard) !== '');
});

test('a server that tells no reasons tells the reward as it moves', async () => {
  await using store = new SqliteStore(':memory:');
  const { key } = await createKey(store, { name: 'k' }, 0);
  await using server = await startServer({ store, catalog: bundledCatalog });
  const { code, err } = await whetRun(
    'case-management/lumbar-strain',
    ...['--operator', 'gold', '--url', server.url, '--key', key],
  );
  assert.equal(code, 0, err);
  assert.match(err, /turn 1, reward so far 0\.0/);
  assert.match(err, /turn 7, reward so far 1\.000/);
  assert.equal(err.includes('  + '), false);
});

test('a typo is told with the nearest name, and nothing is opened', async () => {
  const { code, err } = await whetRun('case-management/lumbar-stain', '--operator', 'gold');
  assert.equal(code, 2);
  assert.match(err, /lumbar-strain/);
});

test('who plays must be said, and be somebody', async () => {
  const nobody = await whetRun('case-management/lumbar-strain');
  assert.equal(nobody.code, 2);
  assert.match(nobody.err, /--model .*--operator .*usage/s);
  assert.match((await whetRun('case-management/lumbar-strain', '--operator', 'golden')).err, /Known: gold/);
});

test('a model that fails in the middle leaves its episode graded as it stands, and is not a wrong command line', async () => {
  for (const fault of [
    { status: 400, message: 'maximum context length is 8192 tokens' },
    { status: 401, message: 'bad key' },
  ]) {
    await using provider = await mock(['How did it happen?', { fault, times: Infinity }]);
    const { code, out, err } = await whetRun(
      'case-management/lumbar-strain',
      ...['--model', 'openai/mock', '--base-url', `${provider.url}/v1`, '--json'],
      ...['--trials', '2', '--concurrency', '1'],
    );
    assert.equal(code, 3, err);
    const line = JSON.parse(out) as JsonObject;
    assert.deepEqual([line['turns'], line['terminal_reason'], line['success']], [1, 'client_terminated', 0]);
    assert.match(String(line['fault']), new RegExp(fault.message));
    assert.match(err, /did not finish its reply.*\[model_failed\]/);
  }
});

test('without a key a provider is not asked, and the variable is named', async () => {
  const { code, err } = await whetRun('case-management/lumbar-strain', '--model', 'anthropic/claude-x');
  assert.equal(code, 2);
  assert.match(err, /ANTHROPIC_API_KEY/);
});

/** Says what it is told to say, with a sigh before it. */
const sighing = ({ request }: { readonly request: ModelRequest }): string => {
  const answer = /^The answer, as it was decided: (.*)$/m.exec(textOf(request.messages.at(-1)!))![1]!;
  return `Ah well. ${JSON.parse(answer) as string}`;
};

test('a model speaks for the person, and the gold path still earns 1', async () => {
  await using provider = await mock(sighing);
  const { code, err } = await whetRun(
    'case-management/lumbar-strain',
    ...['--operator', 'gold', '--person-model', 'openai/mock', '--person-base-url', `${provider.url}/v1`],
  );
  assert.equal(code, 0, err);
  assert.match(err, /Person: Ah well\. .*twenty-ninth of January/);
  assert.ok(provider.asked.length >= 5);
});

test('a model that fails as the person is told, and is no fault of the one that plays', async () => {
  await using provider = await mock([{ fault: { status: 400 }, times: Infinity }]);
  const { code, out, err } = await whetRun(
    'case-management/lumbar-strain',
    ...['--operator', 'gold', '--person-model', 'openai/mock', '--person-base-url', `${provider.url}/v1`],
  );
  assert.equal(code, 0, err);
  const { reward, person_fault } = JSON.parse(out) as { reward: number; person_fault: { fell_back: number } };
  assert.deepEqual([reward, person_fault.fell_back > 4], [1, true]);
  assert.match(err, /\(by the rules: openai\/mock failed: invalid_request/);
});

test('a model that does not answer in its time is left behind, and the episode goes on', async () => {
  await using provider = await mock([{ fault: { hang: true }, times: Infinity }]);
  const { code, out, err } = await whetRun(
    'case-management/lumbar-strain',
    ...['--operator', 'gold', '--person-seconds', '0.05'],
    ...['--person-model', 'openai/mock', '--person-base-url', `${provider.url}/v1`],
  );
  assert.equal(code, 0, err);
  assert.equal((JSON.parse(out) as JsonObject)['reward'], 1);
  assert.match(err, /did not answer within 50 ms/);
});

test('who speaks for the person is the server\u2019s to say, and one of two', async () => {
  for (const wrong of [
    ['--url', 'http://127.0.0.1:1', '--person-model', 'openai/mock'],
    ['--url', 'http://127.0.0.1:1', '--judge-model', 'openai/mock'],
    ['--person-recording', 'x.json', '--person-model', 'openai/mock'],
    ['--person-model', 'nobody'],
  ]) {
    const { code, err } = await whetRun('case-management/lumbar-strain', '--operator', 'gold', ...wrong);
    assert.equal(code, 2, err);
    assert.match(err, /\[(?:usage|model_unplaced)\]/);
  }
});

test('what is typed ahead is played to its end, however long a model takes to find words', async () => {
  await using provider = await mock(sighing);
  const { code, out, err } = await whet(
    [
      ...['scenario', 'play', 'case-management/lumbar-strain'],
      ...['--person-model', 'openai/mock', '--person-base-url', `${provider.url}/v1`],
    ],
    'How did it happen?\nWhen was it?\n',
  );
  assert.equal(code, 0, err);
  assert.equal((JSON.parse(out) as { facts_found: readonly unknown[] }).facts_found.length, 2, err);
});

test('a world that breaks is told where it broke, to whoever plays at home', async () => {
  const home = mkdtempSync(join(tmpdir(), 'whet-world-'));
  after(() => rmSync(home, { recursive: true }));
  assert.equal((await whet(['scenario', 'new', join(home, 'flats', 'cold'), '--typescript'])).code, 0);
  const file = join(home, 'flats', 'cold', 'scenario.ts');
  const text = readFileSync(file, 'utf8');
  const broken = text.replace('flat === world.flat', 'flat.no.such === world.flat');
  assert.notEqual(broken, text);
  writeFileSync(file, broken);
  const { code, err } = await whetRun('flats/cold', '--operator', 'gold', '--scenarios', home);
  assert.equal(code, 1, err);
  assert.match(
    err,
    /The scenario is broken: The world's tool "look_up_house" threw: .*'such'\) \(at .*scenario\.ts:\d+/,
  );
});
