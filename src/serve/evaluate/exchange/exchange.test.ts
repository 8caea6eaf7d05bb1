import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const room = mkdtempSync(join(tmpdir(), 'whet-cli-exchange-'));
after(() => rmSync(room, { recursive: true }));

function whet(...given: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['bin/whet.js', ...given], {
    cwd: root,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

const study = join(room, 'study');
mkdirSync(study);
const data = join(study, 'episodes.db');
const { stdout } = whet(
  'run',
  'customer-support/cancel-order',
  '--operator',
  'gold',
  '--json',
  '--data',
  data,
);
const { episode_id: episode } = JSON.parse(stdout) as { episode_id: string };
writeFileSync(
  join(study, 'log.jsonl'),
  [
    { players: { small: { model: 'openai/small' } } },
    { key: 'small/0', player: 'small', trial: 0, episode, reward: 1 },
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('') + '{"key": "cut o',
);

test('a study is exported with who played it, and imported again with what it earned', () => {
  const log = join(room, 'log.eval');
  const written = whet('export', study, '--format', 'inspect', '--out', log);
  assert.deepEqual(
    [written.status, /^1 episodes written to .*1 have no token ids/s.test(written.stderr)],
    [0, true],
  );
  const read = whet('import', log);
  assert.deepEqual(JSON.parse(read.stdout), {
    id: 'small',
    results: [
      {
        task: 'customer-support/cancel-order/0',
        template: 'customer-support/cancel-order',
        trial: 1,
        reward: 1,
        success: true,
      },
    ],
  });
  const atif = JSON.parse(whet('import', log, '--format', 'atif').stdout);
  assert.deepEqual(atif.agent.model_name, 'openai/small');
  assert.deepEqual([atif.extra.whetstone.episode_id, atif.extra.whetstone.reward], [episode, 1]);
  assert.equal(atif.steps[0].source, 'system');
  const calls = atif.steps.flatMap((step: { tool_calls?: unknown[] }) => step.tool_calls ?? []);
  const results = atif.steps.flatMap(
    (step: { observation?: { results: readonly { source_call_id: string }[] } }) =>
      (step.observation?.results ?? []).map((result) => result.source_call_id),
  );
  assert.deepEqual(
    calls.map((call: { tool_call_id: string }) => call.tool_call_id),
    results,
  );
  assert.ok(calls.length > 1);
});

test('episodes are exported by id, to a folder, or all of them; what cannot be is said', () => {
  const folder = join(room, 'atif');
  assert.equal(whet('export', episode, '--data', data, '--format', 'atif', '--out', folder).status, 0);
  assert.deepEqual(readdirSync(folder), [`${episode}.json`]);
  const tokens = join(room, 'tokens.jsonl');
  writeFileSync(tokens, `{"episode_id": "${episode}", "reply": 0, "token_ids": [4, 2]}\n`);
  const told = whet('export', episode, '--data', data, '--format', 'atif', '--tokens', tokens);
  const { steps } = JSON.parse(told.stdout) as { steps: { metrics?: unknown }[] };
  assert.deepEqual(
    steps.flatMap(({ metrics }) => metrics ?? []),
    [{ completion_tokens: 2, completion_token_ids: [4, 2] }],
  );
  const csv = join(room, 'all.csv');
  whet('export', '--data', data, '--format', 'csv', '--agent', 'gold', '--out', csv);
  assert.match(readFileSync(csv, 'utf8'), new RegExp(`^id,task.*\n${episode},.*,gold,,1,true,completed,`));
  for (const [given, said] of [
    [['export', 'ep_none', '--data', data, '--format', 'csv'], /no episode "ep_none"/],
    [['export', '--data', data, '--format', 'inspect'], /name it with --out/],
    [['export', `${room}/none`, '--data', data, '--format', 'csv'], /not the folder of a study/],
    [['export', '--data', data, '--format', 'csv', '--out', join(room, 'none/x.csv')], /none\/x\.csv/],
    [['import', csv], /all\.csv is not a known log or trajectory/],
    [['import', join(room, 'none.eval')], /none\.eval/],
  ] as const) {
    const { status, stderr } = whet(...given);
    assert.deepEqual([status, said.test(stderr)], [2, true], stderr);
  }
});
