import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { JsonObject } from '../../../base/json/value.ts';
import { judgedCatalog } from '../../../grade/episode/testing/changed-catalog.ts';
import type { Catalog } from '../../../grade/scenario/load/catalog.ts';
import { changedScenario } from '../../../grade/scenario/scenario.ts';
import type { Scenario } from '../../../grade/scenario/scenario.ts';
import { testServer, type TestServer } from '../../server/testing/test-server.ts';

/** The judged lumbar strain with one tool more, whose world throws. */
function breakableCatalog(): Catalog {
  const judged = judgedCatalog();
  const breaks = { id: 'breaks', type: 'function', json_schema: { type: 'object' } };
  const changed = (scenario: Scenario) =>
    changedScenario(scenario, {
      template: { ...scenario.template, tools: [...(scenario.template['tools'] as JsonObject[]), breaks] },
      code: {
        breaks: () => {
          throw new Error('no such shelf');
        },
      },
    });
  return {
    ...judged,
    collections: judged.collections.map((collection) => {
      const scenarios = collection.scenarios.map((one) =>
        one.slug === 'lumbar-strain' ? changed(one) : one,
      );
      return {
        ...collection,
        scenarios,
        read: (wanted) => ({ scenario: scenarios.find(({ slug }) => slug === wanted)!, faults: [] }),
      };
    }),
  };
}

const server = await testServer({ catalog: breakableCatalog() });
const puzzling = ['Do you like jazz?', 'Is Mars red?', 'Who won the cup?', 'Can pigs fly?', 'Is tea green?'];

// Tests read answers freely; a wrong guess fails them.
// eslint-disable-next-line typescript/no-explicit-any
type Json = any;

interface Door {
  readonly name: string;
  /** Says or calls each in turn, and gives the metadata of the last answer. */
  readonly play: (on: TestServer, acts: readonly (string | { readonly tool: string })[]) => Promise<Json>;
}

let sessions = 0;

const ors: Door = {
  name: 'ORS',
  play: async (on, acts) => {
    const headers = { 'x-session-id': `ending ${++sessions}` };
    const spec = { collection: 'case-management', scenario: 'lumbar-strain' };
    await on.post('/ors/create', { task_spec: spec, env_name: 'case-management' }, headers);
    let output: Json;
    for (const act of acts) {
      const call =
        typeof act === 'string' ? { name: 'say', input: { message: act } } : { name: act.tool, input: {} };
      const { text } = await on.post('/ors/case-management/call', call, headers);
      output = JSON.parse(
        [...text.matchAll(/^event: (?:chunk|end)\ndata: (.*)$/gm)].map(([, piece]) => piece).join(''),
      ).output;
      if (act !== acts.at(-1)) assert.deepEqual(Object.keys(output.metadata), ['turn']);
    }
    assert.equal(output.finished, true);
    return { ...output.metadata, reward: output.reward };
  },
};

const openEnv: Door = {
  name: 'OpenEnv',
  play: async (on, acts) => {
    const reset = { collection: 'case-management', scenario: 'lumbar-strain' };
    const { observation } = (await on.post('/openenv/reset', reset)).body;
    const { episode_id } = observation;
    let answer: Json;
    for (const act of acts) {
      const action = typeof act === 'string' ? { message: act } : { type: 'call_tool', tool_name: act.tool };
      answer = (await on.post('/openenv/step', { episode_id, action })).body;
      if (act !== acts.at(-1)) assert.deepEqual(Object.keys(answer.metadata), ['turn']);
    }
    assert.equal(answer.done, true);
    const state = (await on.get(`/openenv/state?episode_id=${episode_id}`)).body;
    const { terminal_reason, grade } = answer.metadata;
    // Its own client drops the metadata: the observation and the state say the same.
    for (const other of [answer.observation, state])
      assert.deepEqual([other.terminal_reason, other.grade], [terminal_reason, grade]);
    return { ...answer.metadata, reward: answer.reward };
  },
};

for (const { name, play } of [ors, openEnv]) {
  test(`${name} tells at the end what is not judged, and which numbers the reward was made of`, async () => {
    const ended = await play(server, ['How did it happen?', { tool: 'finish' }]);
    assert.equal(ended.terminal_reason, 'client_terminated');
    assert.deepEqual(
      [ended.grade.not_judged, ended.grade.person_fault, ended.grade.reward, ended.grade.success],
      [3, undefined, ended.reward, 0],
    );
    assert.ok(ended.grade.progress > 0);
  });

  test(`${name} tells that the person understood too little`, async () => {
    const { grade } = await play(server, [...puzzling, { tool: 'finish' }]);
    assert.deepEqual([grade.person_fault.asked, grade.person_fault.not_understood], [5, 5]);
    assert.equal(grade.person_fault.reason, undefined, 'a sentence is for those who may see reasons');
  });

  test(`${name} tells that the world threw, which is nobody's fault who plays in it`, async () => {
    const ended = await play(server, ['How did it happen?', { tool: 'breaks' }]);
    assert.equal(ended.terminal_reason, 'error');
    assert.equal(ended.grade.not_judged, 3);
    assert.equal(typeof ended.reward, 'number');
  });
}

test('the Labs API tells the same to a key that may not see reasons', async () => {
  const lumbar = { collection_slug: 'case-management', scenario_slug: 'lumbar-strain', score_turns: true };
  const { episode_id } = (await server.post('/api/v1/episodes', lumbar)).body;
  for (const content of puzzling)
    await server.post(`/api/v1/episodes/${episode_id}/turns`, { messages: [{ content }] });
  const { grade } = (await server.send('DELETE', `/api/v1/episodes/${episode_id}`)).body;
  assert.deepEqual([grade.not_judged, grade.person_fault.not_understood], [3, 5]);
});
