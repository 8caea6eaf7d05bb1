import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { loadCatalog } from '../../grade/scenario/load/catalog.ts';
import { createKey } from '../http/keys.ts';
import { say, testServer } from './testing/test-server.ts';

const room = mkdtempSync(join(tmpdir(), 'whet-broken-world-'));
after(() => rmSync(room, { recursive: true, force: true }));
mkdirSync(join(room, 'c/till'), { recursive: true });
writeFileSync(join(room, 'c/collection.yaml'), 'name: C\n');
writeFileSync(
  join(room, 'c/till/scenario.yaml'),
  `name: A till
version: '1'
description: A till that jams.
canary: canary-1
briefing: Open it.
code: world.ts
world: { code: 'the code is 4711' }
tools:
  - { id: open, type: function, json_schema: { type: object } }
  - { id: verdict, type: decision, options: [right, wrong] }
expect:
  - { call: verdict, input: { value: right } }
`,
);
writeFileSync(
  join(room, 'c/till/world.ts'),
  `export const tools = {
  open: (world: { code: string }) => {
    throw new Error('jammed, and ' + world.code);
  },
};
`,
);

test('what a world throws is told to who may explain and to the log, and to nobody else', async () => {
  const logged: string[] = [];
  const server = await testServer({
    open: false,
    catalog: loadCatalog(room),
    log: (level, event, line) => void logged.push(JSON.stringify({ level, event, ...line })),
  });
  const headersOf = async (explain: boolean) => {
    const { key } = await createKey(server.store, { name: explain ? 'person' : 'trainer', explain }, 0);
    return { authorization: `Bearer ${key}` };
  };
  const opened = { collection_slug: 'c', scenario_slug: 'till', score_turns: true };
  const seen: Record<string, { readonly told: string; readonly detail: string }> = {};
  for (const explain of [false, true]) {
    const headers = await headersOf(explain);
    const { episode_id } = (await server.post('/api/v1/episodes', opened, headers)).body;
    const turn = await server.post(
      `/api/v1/episodes/${episode_id}/turns`,
      { messages: [say('', { name: 'open', input: {} })] },
      headers,
    );
    assert.match(turn.text, /\\"open\\" failed by a fault of the scenario, not of the call/);
    assert.match(turn.text, /"terminal_reason":"error"/);
    const detail = await server.get(`/api/v1/episodes/${episode_id}`, headers);
    seen[String(explain)] = { told: turn.text, detail: detail.text };
  }
  const secret = /jammed|4711|world\.ts|whet-broken-world/;
  assert.doesNotMatch(seen['false']!.told, secret);
  assert.doesNotMatch(seen['false']!.detail, secret);
  assert.doesNotMatch(seen['true']!.told, secret);
  const fault = JSON.parse(seen['true']!.detail).explain.world_fault;
  assert.deepEqual({ turn: fault.turn, tool: fault.tool }, { turn: 1, tool: 'open' });
  assert.match(fault.message, /threw: jammed, and the code is 4711 \(at .*world\.ts:3:\d+\)/);
  const line = logged.find((one) => one.includes('world_fault'))!;
  assert.match(line, /"scenario":"till".*jammed.*world\.ts:3/);
});
