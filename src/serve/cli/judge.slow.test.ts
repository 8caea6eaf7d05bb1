import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { mock } from '../../wire/mock/index.ts';
import { connect } from '../client/client.ts';
import { loadCatalog } from '../../grade/scenario/load/catalog.ts';
import { buildTask } from '../../grade/scenario/build-task.ts';
import { keepFewQuestions } from '../../grade/check/testing/few-questions.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const room = mkdtempSync(join(tmpdir(), 'whet-judge-'));
after(() => rmSync(room, { recursive: true }));

/** The bundled claim, with one criterion more, which only a model can judge. */
const shelf = join(room, 'scenarios', 'case-management');
mkdirSync(shelf, { recursive: true });
writeFileSync(join(shelf, 'collection.yaml'), 'name: Claims\n');
cpSync(join(root, 'scenarios/case-management/lumbar-strain'), join(shelf, 'lumbar-strain'), {
  recursive: true,
});
keepFewQuestions(join(shelf, 'lumbar-strain'));
const file = join(shelf, 'lumbar-strain', 'scenario.yaml');
const judged = `criteria:
  success:
    - id: plain
      text: Tells the decision in plain words.
      judge: { prompt: Is it plain?, votes: 3, model: openai/judge, agreement: 0.8 }
`;
writeFileSync(file, readFileSync(file, 'utf8').replace('\ncriteria:\n', `\n${judged}`));
const scenarios = ['--scenarios', join(room, 'scenarios')];
const task = buildTask(loadCatalog(join(room, 'scenarios')).collections[0]!.scenarios[0]!);
const gold = task.gold.map(({ say, calls = [] }) => ({ content: say ?? '', tool_calls: calls }));

// Tests read what a command printed freely; a wrong guess fails them.
// eslint-disable-next-line typescript/no-explicit-any
type Json = any;

interface Ran {
  readonly code: number | null;
  readonly out: Json;
  readonly err: string;
}

/** Not at once: the provider that the command asks lives in this process. */
function whet(given: readonly string[], input = ''): Promise<Ran> {
  const child = spawn(process.execPath, [join(root, 'bin/whet.js'), ...given], { cwd: root });
  let out = '';
  let err = '';
  child.stdout.on('data', (piece) => (out += String(piece)));
  child.stderr.on('data', (piece) => (err += String(piece)));
  child.stdin.end(input);
  return new Promise((resolve) =>
    child.on('close', (code) =>
      resolve({ code, out: out === '' ? undefined : JSON.parse(out.trim().split('\n').at(-1)!), err }),
    ),
  );
}

const yes = { text: '{"reason": "It says so.", "turn": 6, "holds": true}', times: Infinity };

test('a judge grades a transcript, its verdicts grade it again without the judge, and none means not judged', async () => {
  await using provider = await mock([yes]);
  const grade = ['grade', '--scenario', 'case-management/lumbar-strain', ...scenarios];
  const judge = ['--judge-model', 'openai/judge', '--judge-base-url', `${provider.url}/v1`];
  const none = await whet(grade, JSON.stringify(gold));
  assert.deepEqual([none.out.reward, none.out.not_judged], [0.5, ['plain']], none.err);
  assert.match(none.err, /not judged: plain/);
  const by = await whet([...grade, ...judge], JSON.stringify(gold));
  assert.equal(by.out.reward, 1, by.err);
  assert.deepEqual(by.out.verdicts.plain.votes, [1, 1, 1]);
  const again = await whet(grade, JSON.stringify({ messages: gold, verdicts: by.out.verdicts }));
  assert.deepEqual(again.out, by.out);
  const judgedBefore = JSON.stringify({ messages: gold, verdicts: by.out.verdicts });
  const asked = provider.asked.length;
  assert.deepEqual((await whet([...grade, ...judge], judgedBefore)).out, by.out);
  assert.equal(provider.asked.length, asked, 'all has its verdict');
  await using away = await mock([{ fault: { status: 400 }, times: Infinity }]);
  const elsewhere = [...judge.slice(0, 3), `${away.url}/v1`, '--judge-again'];
  const failed = await whet([...grade, ...elsewhere], judgedBefore);
  assert.ok(away.asked.length > 0);
  assert.deepEqual(failed.out, by.out, failed.err);
  assert.match(failed.err, /The judge failed on plain: the earlier verdict is kept/);
});

test('a server judges before it acknowledges the end, and tells who may know what the judge said', async () => {
  await using provider = await mock([yes]);
  const data = join(room, 'episodes.db');
  const child = spawn(
    process.execPath,
    [
      join(root, 'bin/whet.js'),
      ...['serve', '--port', '0', '--data', data, '--log', 'none', ...scenarios],
      ...['--judge-model', 'scenario', '--judge-base-url', `${provider.url}/v1`, '--judge-seconds', '20'],
    ],
    { cwd: root },
  );
  const line = await new Promise<string>((resolve) =>
    child.stdout.once('data', (piece) => resolve(String(piece))),
  );
  const client = connect({ url: (JSON.parse(line) as { url: string }).url });
  const { episode_id } = await client.createEpisode({
    collection_slug: 'case-management',
    scenario_slug: 'lumbar-strain',
    score_turns: true,
  });
  const waiting = await client.submitTurn(episode_id, {
    turn: 1,
    messages: [{ role: 'assistant', ...gold[0]! }],
  });
  assert.equal(waiting.not_judged, 1);
  let last = waiting;
  for (const [index, message] of gold.entries())
    if (index > 0)
      last = await client.submitTurn(episode_id, {
        turn: index + 1,
        messages: [{ role: 'assistant', ...message }],
      });
  assert.deepEqual([last.reward, last.success, last.not_judged], [1, 1, undefined]);
  const { explain, grade } = await client.episode(episode_id);
  assert.equal(grade?.reward, 1);
  assert.equal(explain?.grade.verdicts?.['plain']?.model, 'openai/judge');
  const stored = JSON.stringify(await client.episode(episode_id));
  child.kill('SIGTERM');
  await new Promise((resolve) => child.on('close', resolve));

  const regraded = await whet(['regrade', '--data', data, ...scenarios]);
  assert.deepEqual([regraded.out.change, regraded.out.after.reward], [0, 1], 'no model is needed');
  const read = await whet(['grade', '--scenario', 'case-management/lumbar-strain', ...scenarios], stored);
  assert.deepEqual([read.out.reward, read.out.verdicts], [1, explain?.grade.verdicts], read.err);
});

test('how far a judge agrees with people is printed, and too little is told by the exit code', async () => {
  await using provider = await mock([yes]);
  const agree = [
    ...['scenario', 'agree', 'case-management/lumbar-strain', ...scenarios],
    ...['--judge-model', 'openai/judge', '--judge-base-url', `${provider.url}/v1`],
  ];
  const nothing = await whet(agree);
  assert.equal(nothing.code, 2);
  assert.match(nothing.err, /labels\.yaml/);
  const labels = [
    { id: 'good', turns: [{ gold: '1-6' }], labels: { plain: true } },
    { id: 'bad', turns: [{ say: 'Denied.' }], labels: { plain: false } },
  ];
  writeFileSync(join(shelf, 'lumbar-strain', 'labels.yaml'), JSON.stringify(labels));
  const { code, out, err } = await whet(agree);
  assert.equal(code, 1, err);
  const [plain] = out.criteria;
  assert.deepEqual(
    [plain.criterion, plain.model, plain.judged, plain.kappa],
    ['plain', 'openai/judge', 2, 0],
  );
  assert.match(err, /kappa 0\.00, below 0\.6: advisory\n {2}bad: people false, judge true/);
  assert.match((await whet(agree.slice(0, 5))).err, /Who judges/);
});
