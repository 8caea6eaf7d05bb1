import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { playThrough } from '../play/play-through.ts';
import { buildTask } from '../scenario/build-task.ts';
import { readScenario } from '../scenario/load/read-scenario.ts';
import { gradeTranscript } from '../score/grade-transcript.ts';
import { attackScenario } from './attack.ts';

const room = mkdtempSync(join(tmpdir(), 'whet-attack-'));
after(() => rmSync(room, { recursive: true }));

/** The bundled scenario with its file changed. */
function changed(change: (text: string) => string) {
  const folder = join(room, 'customer-support/cancel-order');
  const bundled = new URL('../../../scenarios/customer-support/cancel-order', import.meta.url);
  cpSync(fileURLToPath(bundled), folder, { recursive: true });
  const file = join(folder, 'scenario.yaml');
  writeFileSync(file, change(readFileSync(file, 'utf8')));
  const { scenario } = readScenario(folder, { collection: 'customer-support', scenario: 'cancel-order' });
  return scenario!;
}

test('a decision that pays before anything is known is found, shrunk, and named with its line', () => {
  const easy = changed((text) =>
    text.replace(
      /(call: resolution\n    weight: )2\n    follows: .*\n    after: .*\n/,
      (_, head) => `${head}20\n`,
    ),
  );
  const seen: number[] = [];
  const attack = attackScenario(easy, { transcripts: 150, onClimb: (tried) => seen.push(tried) });
  assert.deepEqual([attack.tried, attack.withstands, seen], [150, false, [150]]);
  const { transcript } = attack.shrunk;
  const task = buildTask(easy, attack.variant);
  const turns = transcript.turns.map(({ messages }) => messages);
  assert.equal(gradeTranscript(task, playThrough(task, turns)).reward, attack.shrunk.after.reward);
  assert.ok(attack.shrunk.after.reward >= attack.reward && attack.reward > attack.limit);
  assert.ok(transcript.turns.length <= 2);
  const [most] = attack.paid;
  assert.equal(most?.criterion.id, 'close');
  const lines = readFileSync(most.place.file, 'utf8').split('\n');
  assert.match(lines[most.place.line - 1] ?? '', /id: close/);
});

test('the scenario as it is bundled withstands', () => {
  const attack = attackScenario(
    changed((text) => text),
    { transcripts: 100 },
  );
  assert.ok(attack.withstands, String(attack.reward));
});
