import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { findScenario, loadCatalog } from '../scenario/load/catalog.ts';
import { messagesOf } from '../scenario/paths.ts';
import { playThrough } from '../play/play-through.ts';
import { buildTask } from '../scenario/build-task.ts';
import { gradeTranscript } from './grade-transcript.ts';
import { readTranscript, taskNamedBy } from './read-transcript.ts';

const catalog = loadCatalog(fileURLToPath(new URL('../../../scenarios', import.meta.url)));
const task = buildTask(findScenario(catalog, 'case-management', 'lumbar-strain'), 3);

test('a stored transcript reads back to the same grade, and names its own task', () => {
  const played = playThrough(task, task.gold.map(messagesOf));
  const stored = JSON.parse(JSON.stringify(played));
  assert.deepEqual(taskNamedBy(stored), { variant: 3, seed: 0 });
  assert.deepEqual(gradeTranscript(task, readTranscript(stored, task)), gradeTranscript(task, played));
});

test('what is not a transcript is refused, with the message and the reason', () => {
  for (const [value, pattern] of [
    ['text', /list of messages/],
    [[3], /Message 1 cannot be read: it is not an object/],
    [[{ role: 'tool', content: '' }], /its role is "tool"/],
    [{ messages: [{ content: 'a' }, { content: 4 }] }, /Message 2 .* not text/],
    [[{ content: 'a', tool_calls: [{}] }], /has no name/],
  ] as const)
    assert.throws(() => readTranscript(value as never, task), {
      code: 'transcript_unreadable',
      message: pattern,
    });
});
