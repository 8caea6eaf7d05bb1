import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { findScenario, loadCatalog } from '../scenario/load/catalog.ts';
import { buildTask } from '../scenario/build-task.ts';
import { gradeTranscript, scoringVersion } from './grade-transcript.ts';
import { readTranscript } from './read-transcript.ts';

const page = readFileSync(new URL('../../../docs/grading.md', import.meta.url), 'utf8');

test('the worked example of docs/grading.md comes out as it is written there', () => {
  const catalog = loadCatalog(fileURLToPath(new URL('../../../scenarios', import.meta.url)));
  const task = buildTask(findScenario(catalog, 'case-management', 'lumbar-strain'));
  const messages = JSON.parse(/```json\n([\s\S]*?)```/.exec(page)![1]!);
  const grade = gradeTranscript(task, readTranscript(messages, task));
  assert.equal(grade.reward.toFixed(3), /the reward is .*= \*\*([\d.]+)\*\*/.exec(page)![1]);
  assert.equal(grade.success, 0);
  for (const [id, earned] of [
    ['assessment', '0.180'],
    ['decision', '0.060'],
  ])
    assert.equal(grade.reasons.find((one) => one.id === id)?.earned.toFixed(3), earned);
  assert.ok(page.includes(`\`scoring_version\` ${scoringVersion}.`));
});
