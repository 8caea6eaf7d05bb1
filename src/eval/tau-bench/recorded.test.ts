import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

import { openTauBench } from './grade.ts';

const folder = fileURLToPath(new URL('../../../../shared/data/tau-bench/', import.meta.url));
const options = { skip: !existsSync(folder) && 'the data of tau-bench are not on this machine' };
const grade = existsSync(folder) ? openTauBench(folder) : undefined;

interface Recorded {
  readonly task_id: number;
  readonly trial: number;
  readonly reward: number;
  readonly traj: readonly { readonly role: string; readonly content: string | null }[];
  readonly info: { readonly reward_info?: { readonly info: { readonly gt_data_hash?: string } } };
}

interface RecordedTask {
  readonly task_index: number;
  readonly actions: readonly { readonly name: string; readonly kwargs: unknown }[];
  readonly official_observations: readonly { readonly observation?: string }[];
  readonly official_gt_data_hash: string;
}

test('grades the 100 recorded episodes of the airline as tau-bench did', options, () => {
  const episodes = JSON.parse(
    readFileSync(`${folder}airline/trajectories_gpt-4o_even_tasks.json`, 'utf8'),
  ) as readonly Recorded[];
  assert.equal(episodes.length, 100);
  for (const { task_id: task, trial, reward, traj, info } of episodes) {
    const id = `${task}/${trial}`;
    const answer = grade!(JSON.stringify({ id, domain: 'airline', task, messages: traj }));
    assert.equal(answer.reward, reward, `${id}: ${answer.reasons?.join(' ')}`);
    assert.equal(answer.reasons?.length === 0, reward === 1);
    const told = traj.filter(({ role }) => role === 'tool').map(({ content }) => content);
    assert.deepEqual(answer.observations, told, id);
    const expected = info.reward_info?.info.gt_data_hash;
    if (expected !== undefined) assert.equal(answer.expected_hash, expected, id);
  }
});

for (const [domain, file] of [
  ['airline', 'tasks_test_even'],
  ['retail', 'tasks_test_even'],
  ['retail', 'tasks_train_even'],
  ['retail', 'tasks_dev'],
] as const) {
  test(`answers the own actions of ${domain} ${file} as the official tools do`, options, () => {
    const tasks = JSON.parse(
      readFileSync(`${folder}${domain}/${file}.json`, 'utf8'),
    ) as readonly RecordedTask[];
    assert.ok(tasks.length >= 20);
    for (const { task_index: index, ...task } of tasks) {
      const replayed = task.actions.filter(({ name }) => name !== 'transfer_to_human_agents');
      const calls = replayed.map(({ name, kwargs }) => ({ name, arguments: kwargs }));
      const answer = grade!(JSON.stringify({ id: `${index}`, domain, calls, task }));
      const official = task.official_observations.flatMap(({ observation }) => observation ?? []);
      assert.deepEqual(answer.observations, official, `${file} ${index}`);
      assert.equal(answer.expected_hash, task.official_gt_data_hash, `${file} ${index}`);
    }
  });
}

for (const [domain, count] of [
  ['airline', 150],
  ['retail', 50],
] as const) {
  test(`answers the ${count} chains of mutated calls of ${domain} as the official tools do`, options, () => {
    const lines = gunzipSync(readFileSync(`${folder}${domain}/mutated_call_chains.jsonl.gz`))
      .toString()
      .trim()
      .split('\n');
    assert.equal(lines.length, count);
    for (const line of lines) {
      const {
        chain,
        steps,
        final_data_hash: hash,
      } = JSON.parse(line) as {
        readonly chain: number;
        readonly steps: readonly {
          readonly name: string;
          readonly kwargs: unknown;
          readonly observation: string;
        }[];
        readonly final_data_hash: string;
      };
      const calls = steps.map(({ name, kwargs }) => ({ name, arguments: JSON.stringify(kwargs) }));
      const answer = grade!(JSON.stringify({ id: `${chain}`, domain, calls }));
      assert.deepEqual(
        answer.observations,
        steps.map(({ observation }) => observation),
        `${chain}`,
      );
      assert.equal(answer.hash, hash, `${chain}`);
    }
  });
}
