import assert from 'node:assert/strict';
import { test } from 'node:test';

import { seededRandom, type Random } from '../../../base/host/random.ts';
import { findScenario } from '../../../grade/scenario/load/catalog.ts';
import { buildTask } from '../../../grade/scenario/build-task.ts';
import { rounds, seed } from '../../../../test/rounds.ts';
import type { RewardMode } from '../../http/context.ts';
import { bundledCatalog, testServer, type TestServer } from '../../server/testing/test-server.ts';

const task = buildTask(findScenario(bundledCatalog, 'case-management', 'lumbar-strain'));
const names = ['say', 'medical_assessment', 'claim_status', 'nope', 'finish'];

function pick<Value>(random: Random, values: readonly Value[]): Value {
  return values[Math.floor(random() * values.length)] as Value;
}

/** A scripted call: a line of the gold path, a call of it, or something that nobody should do. */
function call(random: Random): { readonly name: string; readonly input: unknown } {
  const step = pick(random, task.gold);
  const written = step.calls?.[0];
  if (written && random() < 0.5) return written;
  if (step.say !== undefined && random() < 0.8) return { name: 'say', input: { message: step.say } };
  return {
    name: pick(random, names),
    input: pick<unknown>(random, [{}, { value: 'denied' }, { message: 'Hm.' }]),
  };
}

/** Plays one session to its end, and gives the rewards that it was told and the one that is stored. */
async function play(server: TestServer, random: Random, session: string) {
  const headers = { 'x-session-id': session };
  await server.post('/ors/create', { split: 'train', index: Math.floor(random() * 3) }, headers);
  const told: number[] = [];
  for (let step = 0, finished = false; !finished; step += 1) {
    const body = step < 12 ? call(random) : { name: 'finish', input: {} };
    const { text } = await server.post('/ors/case-management/call', body, headers);
    const json = [...text.matchAll(/^event: (?:chunk|end)\ndata: (.*)$/gm)]
      .map(([, piece]) => piece)
      .join('');
    const { ok, output } = JSON.parse(json);
    if (!ok) continue;
    if (output.reward !== null) told.push(output.reward);
    finished = output.finished;
  }
  const [latest] = (await server.get('/api/v1/episodes?limit=1')).body.episodes;
  assert.equal(latest.status, 'complete');
  return { told, stored: latest.reward as number };
}

test('in every reward mode the clients it is meant for arrive at the stored grade', async () => {
  const random = seededRandom(seed('reward modes'));
  const meant: Readonly<Record<RewardMode, readonly ('last' | 'sum')[]>> = {
    final: ['last', 'sum'],
    delta: ['sum'],
    running: ['last'],
  };
  for (const mode of ['final', 'delta', 'running'] as const) {
    const server = await testServer({ rewardMode: mode });
    for (let round = 0; round < rounds(12); round += 1) {
      const { told, stored } = await play(server, random, `session ${round}`);
      const client = { last: told.at(-1) ?? 0, sum: told.reduce((sum, reward) => sum + reward, 0) };
      for (const kind of meant[mode])
        assert.ok(Math.abs(client[kind] - stored) < 1e-12, `${mode} ${kind}: ${client[kind]} for ${stored}`);
      if (mode === 'final') assert.equal(told.length, 1);
    }
  }
});
