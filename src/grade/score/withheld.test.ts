import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { playThrough } from '../play/play-through.ts';
import { buildTask } from '../scenario/build-task.ts';
import { findScenario, loadCatalog } from '../scenario/load/catalog.ts';
import { messagesOf } from '../scenario/paths.ts';
import { gradeTranscript } from './grade-transcript.ts';

const catalog = loadCatalog(fileURLToPath(new URL('../../../scenarios', import.meta.url)));
const task = buildTask(findScenario(catalog, 'finance-compliance', 'large-transfer'), 0);

function reasonFor(fact: string, ...said: readonly string[]): string | undefined {
  const played = playThrough(
    task,
    said.map((say) => messagesOf({ say })),
  );
  return gradeTranscript(task, played).reasons.find(({ id, kind }) => kind === 'fact' && id === fact)?.reason;
}

test('a grade says of a fact whether it was asked for and withheld, or never asked for', () => {
  const question = 'Does anybody urge you to send it?';
  assert.match(reasonFor('pressure', question)!, /^Not found out \(asked for, and withheld\): /);
  assert.match(reasonFor('pressure', 'How much is it?')!, /^Not found out: /);
  const why = 'I ask everybody this, it is routine and meant to protect you.';
  assert.match(reasonFor('pressure', `Good morning. ${question}`, why)!, /^Found out: /);
});
