import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { playThrough } from '../play/play-through.ts';
import { buildTask } from '../scenario/build-task.ts';
import { findScenario, loadCatalog } from '../scenario/load/catalog.ts';
import { messagesOf, pathsOf } from '../scenario/paths.ts';
import { gradeTranscript } from './grade-transcript.ts';

const catalog = loadCatalog(fileURLToPath(new URL('../../../scenarios', import.meta.url)));
const scenario = findScenario(catalog, 'customer-support', 'damaged-item');
const task = buildTask(scenario, 0);
const gold = pathsOf(scenario, 0).gold;

const grade = (turns: readonly { say?: string; calls?: unknown }[]) =>
  gradeTranscript(
    task,
    playThrough(
      task,
      turns.map((turn) => messagesOf(turn as never)),
    ),
  );

test('whoever goes another right way earns as much', () => {
  const address = task.expected.find(({ id }) => id === 'find')!.input['email'];
  const byAddress = [
    { say: gold[0]!.say!.replace('order number', 'e-mail address you ordered with') },
    {
      say: 'Thank you. Would you prefer a refund or a replacement?',
      calls: [{ name: 'find_orders', input: { email: address } }],
    },
    ...gold.slice(2),
  ];
  for (const turns of [gold, byAddress]) {
    const { success, reward } = grade(turns);
    assert.equal(success, 1);
    assert.ok(reward > 0.95, String(reward));
  }
});

test('half of one way and half of another is neither', () => {
  const withoutRecord = gold.map(({ calls, ...turn }) => ({
    ...turn,
    calls: calls?.filter(({ name }) => name !== 'look_up_order'),
  }));
  const { success } = grade(withoutRecord);
  assert.equal(success, 0);
});
