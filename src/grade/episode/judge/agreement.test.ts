import assert from 'node:assert/strict';
import { test } from 'node:test';

import { textOf } from '../../../base/message/message.ts';
import { modelNamed } from '../../../wire/index.ts';
import { mock } from '../../../wire/mock/index.ts';
import { findScenario } from '../../scenario/load/catalog.ts';
import { messagesOf } from '../../scenario/paths.ts';
import { playThrough } from '../../play/play-through.ts';
import { buildTask } from '../../scenario/build-task.ts';
import type { Labelled } from '../../check/labels.ts';
import { cohensKappa, measureAgreement } from './agreement.ts';
import { modelJudge } from './judge.ts';
import { answerOf, judgedCatalog } from '../testing/changed-catalog.ts';

test('kappa is what is left of the agreement without chance', () => {
  const pairs = (counts: readonly [boolean, boolean, number][]) =>
    counts.flatMap(([a, b, count]) => Array.from({ length: count }, () => [a, b] as const));
  // Cohen 1960, as every textbook prints it: 20 and 15 alike, 5 and 10 apart.
  const known = cohensKappa(
    pairs([
      [true, true, 20],
      [true, false, 5],
      [false, true, 10],
      [false, false, 15],
    ]),
  );
  assert.ok(Math.abs(known! - 0.4) < 1e-12);
  assert.equal(
    cohensKappa([
      ['a', 'a'],
      ['b', 'b'],
      ['c', 'c'],
    ]),
    1,
  );
  assert.equal(
    cohensKappa(
      pairs([
        [true, false, 3],
        [false, true, 3],
      ]),
    ),
    -1,
  );
  assert.equal(cohensKappa(pairs([[true, true, 9]])), undefined, 'all alike: chance would do as well');
  assert.equal(cohensKappa([]), undefined);
});

const task = buildTask(findScenario(judgedCatalog(), 'case-management', 'lumbar-strain'));

/** Conversations of which the operator itself says how they were: a judge that obeys it agrees with people. */
function labelled(id: string, said: string, labels: Labelled['labels']): Labelled {
  return { id, task, labels, transcript: playThrough(task, [messagesOf({ say: said })]) };
}

test('a judge is asked of what people have labelled, and told where it differs from them', async () => {
  await using provider = await mock((asked) => {
    const question = textOf(asked.request.messages.at(-1)!);
    if (question.includes('"says":"speechless"')) return 'I have no words.';
    const plain = question.includes('"says":"plain');
    return answerOf(question, { plain, order: question.includes('plain, in order') ? 'good' : 'none' });
  });
  const model = modelNamed('openai/judge', { baseUrl: `${provider.url}/v1`, apiKey: 'none' });
  const done: number[] = [];
  const [order, plain, ...rest] = await measureAgreement(
    modelJudge(model),
    [
      labelled('one', 'plain', { plain: true }),
      labelled('two', 'plain, in order', { plain: true, order: 'good' }),
      labelled('three', 'dark', { plain: false, order: 'none' }),
      labelled('four', 'dark', { plain: true }),
      labelled('five', 'speechless', { plain: false }),
    ],
    (count) => done.push(count),
  );
  assert.deepEqual(rest, []);
  assert.deepEqual(
    [plain?.criterion, plain?.examples, plain?.judged, plain?.agreed, plain?.kappa, plain?.model],
    ['plain', 5, 4, 0.75, 0.5, 'openai/judge'],
  );
  assert.deepEqual(plain?.disagreements, [
    { example: 'four', people: true, judge: false, reason: 'It says so.' },
  ]);
  assert.deepEqual([order?.judged, order?.kappa, order?.disagreements], [2, 1, []]);
  assert.deepEqual(done, [1, 2, 3, 4, 5]);
  // Only what people have labelled is asked: three votes each of the one, one vote of the other; nonsense twice.
  assert.equal(provider.asked.length, 5 * 3 + 3 + 2);
});
