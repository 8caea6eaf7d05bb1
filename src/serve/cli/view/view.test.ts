import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import type { HealthAnswer } from '../../api/health.ts';
import { connect } from '../../client/client.ts';

const bin = fileURLToPath(new URL('../../../../bin/whet.js', import.meta.url));
const room = mkdtempSync(join(tmpdir(), 'whet-view-'));
after(() => rmSync(room, { recursive: true, force: true }));

const runs = join(room, 'runs');
mkdirSync(runs);
const call = {
  type: 'call',
  id: 'c1',
  name: 'weather',
  arguments: { city: 'Oslo' },
  kind: 'function',
  requiresLocalExecution: true,
};
const message = { role: 'assistant', content: [call], from: { api: 'openai', model: 'small' } };
const result = { callId: 'c1', name: 'weather', content: [{ type: 'text', text: 'Drizzle over the fjord' }] };
writeLines(join(runs, 'invoice%2F17.jsonl'), [
  { type: 'start', at: 1000, messages: [{ role: 'user', content: 'Rain in Oslo?' }] },
  { type: 'reply', step: 1, reply: { message, finish: { reason: 'calls' }, complete: true } },
  { type: 'call', step: 1, callId: 'c1' },
  { type: 'result', step: 1, callId: 'c1', result, success: true },
  { type: 'end', at: 3000, stop: 'step-limit' },
]);
writeLines(join(room, 'results.jsonl'), [
  { player: 'a', template: 's/one', task: '0', trial: 0, reward: 0.5, success: false, turns: 3 },
]);

test('journals and results are listed, found and read, and nothing can be changed', async () => {
  const child = spawn(process.execPath, [bin, 'view', room], { stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const url = String(line).trim();
    const client = connect({ url });
    for (let health: HealthAnswer = await client.health(); health.view?.done !== true;)
      health = await client.health();
    const { episodes } = await client.episodes();
    assert.deepEqual(
      episodes.map(({ scenario_slug: name, reward, success }) => [name, reward, success]).toSorted(),
      [
        ['invoice/17', undefined, undefined],
        ['one', 0.5, 0],
      ],
    );
    const [found] = (await client.episodes({ q: 'fjord' })).episodes;
    const run = await client.episode(found!.episode_id);
    assert.deepEqual(
      [run.player?.model, run.log?.ended, run.duration_ms],
      ['openai/small', 'step-limit', 2000],
    );
    assert.deepEqual(run.turns[0]?.messages.at(-1)?.tool_calls, [
      { name: 'weather', input: { city: 'Oslo' } },
    ]);
    assert.equal(run.turns[0]?.results?.[0]?.output, 'Drizzle over the fjord');
    const { groups } = await client.stats({ group_by: 'player' });
    assert.deepEqual(
      groups.map(({ by, complete }) => [by['player'], complete]),
      [
        ['a', 1],
        ['small', 0],
      ],
    );
    await assert.rejects(client.createEpisode({ collection_slug: 's', scenario_slug: 'one' }), {
      code: 'server_refused',
    });
  } finally {
    child.kill();
    await once(child, 'exit');
  }
  assert.deepEqual(readdirSync(room).toSorted(), ['results.jsonl', 'runs']);
});

test('what is not a log, is cut off, or is of another version is told in a sentence (log_unreadable)', () => {
  const bad = join(room, '..', `${process.pid}-bad`);
  mkdirSync(bad);
  try {
    const cases: readonly (readonly [name: string, text: string, told: RegExp])[] = [
      ['poem.txt', 'Roses are red', /poem\.txt is not a known log or trajectory/],
      ['new.json', '{"version": 9, "status": "success", "eval": {}, "samples": []}', /of version 9/],
      ['cut.json', '{"version": 2, "eval": {}, "samples": [{"id": 1', /cut off/],
      ['cut.jsonl', '{"messages": [{"role": "user", "content": "Hi"}]}\n{"messa', /middle of line 2/],
    ];
    for (const [name, text, told] of cases) {
      writeFileSync(join(bad, name), text);
      const out = join(bad, 'out.html');
      const { stderr } = spawnSync(process.execPath, [bin, 'view', join(bad, name), '--html', out], {
        encoding: 'utf8',
      });
      assert.match(stderr, told);
    }
  } finally {
    rmSync(bad, { recursive: true });
  }
});

function writeLines(path: string, lines: readonly object[]): void {
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}
