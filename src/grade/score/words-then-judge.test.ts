import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { playThrough } from '../play/play-through.ts';
import { buildTask } from '../scenario/build-task.ts';
import { findScenario, loadCatalog } from '../scenario/load/catalog.ts';
import { messagesOf } from '../scenario/paths.ts';
import type { Task } from '../scenario/task.ts';
import { gradeTranscript } from './grade-transcript.ts';
import { judgedCriteria, type Verdicts } from './verdict.ts';

const catalog = loadCatalog(fileURLToPath(new URL('../../../scenarios', import.meta.url)));
const strain = buildTask(findScenario(catalog, 'case-management', 'lumbar-strain'));
const task: Task = {
  ...strain,
  criteria: {
    ...strain.criteria,
    failure: [
      {
        id: 'money',
        text: 'Promises money.',
        fatal: true,
        penalty: 0,
        check: { claims: ['=get =money'] },
        judge: { prompt: 'Was money promised?', votes: 1, agreement: 0.9 },
      },
    ],
  },
};

function judged(say: string, verdicts: Verdicts = {}) {
  const grade = gradeTranscript(task, playThrough(task, [messagesOf({ say })]), { verdicts });
  const entry = grade.dimensions.failure_metrics.criteria.find(({ id }) => id === 'money')!;
  return [grade.gate, entry.possible, entry.notJudged ?? false];
}

const verdict = (score: number): Verdicts => ({ money: { score, votes: [score], reason: 'As read.' } });

test('what words show of a failure has happened, whoever judges; where they show nothing, the judge decides', () => {
  assert.deepEqual(judged('You will get the money.'), [0, 1, false]);
  assert.deepEqual(judged('You will get the money.', verdict(0)), [0, 1, false]);
  assert.deepEqual(judged('Your ship comes in.', verdict(1)), [0, 1, false]);
  assert.deepEqual(judged('Your ship comes in.', verdict(0)), [1, 1, false]);
});

test('without a verdict it is not judged, and pays nothing', () => {
  assert.deepEqual(judged('Your ship comes in.'), [1, 0, true]);
  assert.deepEqual(
    judgedCriteria(task)
      .filter(({ kind }) => kind === 'failure')
      .map(({ id }) => id),
    ['money'],
  );
});
