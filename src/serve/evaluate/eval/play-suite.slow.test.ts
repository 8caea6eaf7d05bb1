import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { textOf } from '../../../base/message/message.ts';
import { openStore } from '../../../grade/store/open-store.ts';
import { mock } from '../../../wire/mock/index.ts';

const whet = fileURLToPath(new URL('../../../../bin/whet.js', import.meta.url));
const scenarios = fileURLToPath(new URL('../../../../scenarios', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'whet-suite-'));
after(() => rmSync(folder, { recursive: true }));

const suite = join(folder, 'small.yaml');
writeFileSync(
  suite,
  'tasks: [{ scenarios: customer-support/*, split: train }]\nplayers: [{ operator: gold }, { operator: random }]\ntrials: 2\nconcurrency: 2\n',
);

function argumentsOf(...args: readonly string[]): string[] {
  return [whet, 'eval', suite, '--scenarios', scenarios, ...args];
}

function evaluate(...args: readonly string[]) {
  return spawnSync(process.execPath, argumentsOf(...args), { encoding: 'utf8', cwd: folder });
}

/** The results of a study in the order of their keys, without the names of episodes, which differ. */
function resultsIn(out: string): readonly unknown[] {
  return readFileSync(join(out, 'log.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line) as { readonly key: string })
    .map((result) => ({ ...result, episode: '' }))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

test('whet eval plays a suite, and one that was killed comes to the same results', async () => {
  const [alone, killed] = [join(folder, 'alone'), join(folder, 'killed')];
  const { status, stdout } = evaluate('--out', alone, '--json');
  assert.equal(status, 0);
  const players = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly player: string; readonly results: number });
  assert.deepEqual(
    players.map(({ player, results }) => [player, results]),
    [
      ['gold', 10],
      ['random', 10],
    ],
  );

  const child = spawn(process.execPath, argumentsOf('--out', killed), { cwd: folder });
  for await (const said of child.stderr) if (String(said).includes('4 of 20 played')) child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  const again = evaluate('--out', killed);
  assert.equal(again.status, 0, again.stderr);
  assert.match(again.stderr, /were played before and are kept/);
  assert.deepEqual(resultsIn(killed), resultsIn(alone));
});

test('whet eval --plan says what would be played and what it could show', () => {
  const { status, stdout } = evaluate('--plan', '--trials', '8');
  assert.equal(status, 0);
  assert.match(stdout, /^5 tasks, 2 players, 8 trials: 80 episodes\. .* differ by 0\.\d\d /);
});

test('a suite or a player that does not exist ends whet eval with 2', () => {
  const other = join(folder, 'other.yaml');
  writeFileSync(other, 'tasks: [{ scenarios: "*/*" }]\nplayers: [{ operator: golden }]\n');
  const wrong = spawnSync(process.execPath, [whet, 'eval', other, '--scenarios', scenarios], {
    encoding: 'utf8',
  });
  assert.equal(wrong.status, 2);
  assert.match(wrong.stderr, /no operator "golden".*Known: gold.*suite_invalid/);
  const absent = spawnSync(process.execPath, [whet, 'eval', join(folder, 'absent.yaml')], {
    encoding: 'utf8',
  });
  assert.equal(absent.status, 2);
});

test('a judge that fails in an episode is told, and what it left open is played and judged again', async () => {
  const own = join(folder, 'judged');
  cpSync(join(scenarios, 'customer-support'), join(own, 'customer-support'), { recursive: true });
  const letter = join(own, 'customer-support/angry-letter/scenario.yaml');
  // As it stands when somebody has measured the judge: then it counts.
  const measured = readFileSync(letter, 'utf8').replaceAll(
    / votes: 3/g,
    ' votes: 1\n        model: openai/judge\n        agreement: 0.8',
  );
  writeFileSync(letter, measured);
  const judged = join(folder, 'judged.yaml');
  writeFileSync(
    judged,
    'tasks: [{ scenarios: customer-support/angry-letter }]\nplayers: [{ operator: gold }]\n',
  );
  let isDown = true;
  await using provider = await mock(({ request }) => {
    if (isDown) return 'I cannot tell.';
    const isRated = textOf(request.messages.at(-1)!).includes('Levels:');
    return JSON.stringify({
      reason: 'So it is.',
      turn: 0,
      ...(isRated ? { level: 'kind' } : { holds: true }),
    });
  });
  const run = async () => {
    const args = ['eval', judged, '--scenarios', own, '--out', join(folder, 'judged-study')];
    const child = spawn(
      process.execPath,
      [whet, ...args, '--judge-model', 'openai/judge', '--judge-base-url', `${provider.url}/v1`],
      { cwd: folder, env: { OPENAI_API_KEY: 'none' } },
    );
    let words = '';
    for await (const said of child.stderr) words += String(said);
    return { code: child.exitCode ?? (await once(child, 'exit'))[0], words };
  };
  const first = await run();
  assert.equal(first.code, 1, first.words);
  assert.match(first.words, /1 could not be played \(judge\), .*the judge left \d without a verdict/);
  isDown = false;
  const second = await run();
  assert.equal(second.code, 0, second.words);
});

test('with --raw what was sent to a provider, and what it replied, is kept with the turns of an episode', async () => {
  const file = join(folder, 'raw.yaml');
  await using provider = await mock(() => 'Goodbye.');
  writeFileSync(
    file,
    `tasks: [{ scenarios: customer-support/cancel-order }]\nplayers: [{ model: openai/mock, baseUrl: ${provider.url}/v1 }]\n`,
  );
  const out = join(folder, 'raw-study');
  const args = ['eval', file, '--scenarios', scenarios, '--out', out, '--raw'];
  const child = spawn(process.execPath, [whet, ...args], { cwd: folder, env: { OPENAI_API_KEY: 'hidden' } });
  let words = '';
  for await (const said of child.stderr) words += String(said);
  assert.equal(child.exitCode ?? (await once(child, 'exit'))[0], 0, words);
  await using store = await openStore(join(out, 'episodes.db'));
  const [episode] = await store.listEpisodes({ owner: 'local', limit: 1 });
  const [turn] = await store.readTurns(episode!.id);
  assert.match(String(turn!.usage), /"exchanges":.*\/v1\/.*Goodbye/);
  assert.doesNotMatch(String(turn!.usage), /hidden/);
});

const questions = join(folder, 'questions.yaml');
writeFileSync(
  join(folder, 'countries.jsonl'),
  '{"id": "capital", "question": "What is the capital of Norway?", "answer": "Oslo"}\n{"id": "people", "question": "How many people live there?", "answer": "5.5 million"}\n',
);
writeFileSync(
  join(folder, 'knows.json'),
  JSON.stringify([{ text: '=The capital is Oslo, 5.4 million live in the country', times: 9 }]),
);
writeFileSync(join(folder, 'silent.json'), JSON.stringify([{ text: '', times: 9 }]));
writeFileSync(
  questions,
  `tasks: [{ questions: countries.jsonl, check: contains }]
players: [{ name: knows, model: mock, script: knows.json }, { name: silent, model: mock, script: silent.json }]
`,
);

function ask(...args: readonly string[]) {
  return spawnSync(process.execPath, [whet, 'eval', ...args], { encoding: 'utf8', cwd: folder });
}

test('questions of a file are answered by models, with a row for each and what was used', () => {
  const out = join(folder, 'asked');
  const { status, stderr } = ask(questions, '--out', out);
  assert.equal(status, 0, stderr);
  const [head, ...rows] = readFileSync(join(out, 'items.csv'), 'utf8').trim().split('\n');
  assert.match(head!, /^player,id,trial,question,expected,answer,score,reason,calls,tools/);
  assert.equal(rows.length, 4);
  assert.match(
    rows[0]!,
    /^knows,capital,0,What is the capital of Norway\?,Oslo,"'=The capital is Oslo, .*",1,/,
  );
  const items = readFileSync(join(out, 'items.jsonl'), 'utf8').trim().split('\n');
  const read = items.map(
    (line) => JSON.parse(line) as { player: string; id: string; score: number; empty: boolean },
  );
  assert.deepEqual(
    read.map(({ player, id, score, empty }) => [player, id, score, empty]),
    [
      ['knows', 'capital', 1, false],
      ['silent', 'capital', 0, true],
      ['knows', 'people', 0, false],
      ['silent', 'people', 0, true],
    ],
  );
  const uses = JSON.parse(readFileSync(join(out, 'tools.json'), 'utf8')) as readonly {
    emptyAnswers: number;
  }[];
  assert.deepEqual(
    uses.map(({ emptyAnswers }) => emptyAnswers),
    [0, 2],
  );
});

test('one item is asked alone, a number may be off, and a question file that is wrong is told with its line', () => {
  const near = join(folder, 'near.yaml');
  writeFileSync(
    near,
    'tasks: [{ questions: countries.jsonl, check: number }]\nplayers: [{ name: knows, model: mock, script: knows.json }]\n',
  );
  const { status, stdout } = ask(near, '--item', 'people', '--out', join(folder, 'near'), '--json');
  assert.equal(status, 0);
  const summary = JSON.parse(stdout) as { results: number; reward: number };
  assert.deepEqual([summary.results, summary.reward], [1, 1]);
  writeFileSync(
    join(folder, 'countries2.jsonl'),
    '{"id": "a", "question": "?", "answer": "x"}\n{"id": "a"\n',
  );
  writeFileSync(
    join(folder, 'wrong.yaml'),
    'tasks: [{ questions: countries2.jsonl }]\nplayers: [{ model: mock, script: knows.json }]\n',
  );
  const wrong = ask(join(folder, 'wrong.yaml'));
  assert.equal(wrong.status, 2);
  assert.match(wrong.stderr, /countries2\.jsonl:2/);
});

test('a study is paused, limited and told to play again by whet eval control', () => {
  const out = join(folder, 'asked');
  const said = ask(
    'control',
    out,
    '--pause',
    '--limit',
    'knows:requests=3',
    '--requeue',
    'knows/countries.jsonl/capital/0/0',
  );
  assert.equal(said.status, 0, said.stderr);
  assert.deepEqual(JSON.parse(said.stdout), {
    paused: true,
    limits: { knows: { requests: 3 } },
    requeued: 1,
  });
  assert.equal(ask('control', out, '--resume').status, 0);
  const again = ask(questions, '--out', out);
  assert.equal(again.status, 0, again.stderr);
  assert.equal(readFileSync(join(out, 'log.jsonl'), 'utf8').trim().split('\n').length, 1 + 4 + 2);
  assert.equal(ask('control', folder, '--pause').status, 2);
  assert.equal(ask('control', out, '--limit', 'knows:3').status, 2);
});
