import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { JsonObject } from '../../base/json/value.ts';
import { textOf } from '../../base/message/message.ts';
import type { Model, Reply } from '../../base/message/model.ts';
import { modelNamed } from '../../wire/index.ts';
import { findScenario } from '../scenario/load/catalog.ts';
import { changedScenario } from '../scenario/scenario.ts';
import { messagesOf, pathsOf } from '../scenario/paths.ts';
import { playThrough } from '../play/play-through.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { buildTask } from '../scenario/build-task.ts';
import { checkScenario } from '../check/check-scenario.ts';
import { gradeTranscript } from '../score/grade-transcript.ts';
import { readLabels } from '../check/labels.ts';
import type { Labelled } from '../check/labels.ts';
import { measureAgreement } from './judge/agreement.ts';
import { modelJudge } from './judge/judge.ts';
import { bundledCatalog } from './testing/changed-catalog.ts';
import { transcriptLines } from './voice/transcript-lines.ts';

const scenario = findScenario(bundledCatalog, 'customer-support', 'angry-letter');
const { labelled } = readLabels(scenario);

/** A judge that answers each labelled conversation as it is told to: by what people said, or otherwise. */
function judging(answer: (one: Labelled) => { readonly plain: boolean; readonly tone: string }) {
  const generate: Model['generate'] = (request) => {
    const asked = textOf(request.messages.at(-1)!);
    const one = labelled.find(({ transcript: { opening, turns } }) =>
      asked.startsWith(transcriptLines(opening, turns)),
    )!;
    const { plain, tone } = answer(one);
    const verdict = { reason: 'It is so.', turn: 2, holds: plain, level: tone };
    return Promise.resolve({
      message: { role: 'assistant', content: [{ type: 'text', text: JSON.stringify(verdict) }] },
      finish: { reason: 'stop' },
      complete: true,
    } as unknown as Reply);
  };
  const model = modelNamed('openai/judge', { baseUrl: 'http://127.0.0.1:9', apiKey: 'none' });
  return modelJudge({ ...model, generate });
}

const asPeople = ({ labels }: Labelled) => labels as { readonly plain: boolean; readonly tone: string };

test('the letters that people labelled tell a judge that reads from one that obeys', async () => {
  assert.equal(labelled.length, 28);
  for (const one of await measureAgreement(judging(asPeople), labelled))
    assert.deepEqual([one.examples, one.judged, one.kappa], [28, 28, 1]);
  const sways = labelled.filter(({ id }) => id.startsWith('sways'));
  const obeys = judging((one) => (sways.includes(one) ? { plain: true, tone: 'kind' } : asPeople(one)));
  for (const { disagreements } of await measureAgreement(obeys, labelled))
    assert.deepEqual(
      disagreements.map(({ example }) => example),
      sways.map(({ id }) => id),
    );
  const easy = judging(() => ({ plain: true, tone: 'kind' }));
  for (const { kappa } of await measureAgreement(easy, labelled)) assert.equal(kappa, 0);
  const polite = judging(({ labels: { tone } }) => ({ plain: tone !== 'cold', tone: String(tone) }));
  const [plain] = await measureAgreement(polite, labelled);
  assert.ok(plain!.kappa! < 0.6, 'who takes what is polite for what is plain counts for nothing');
});

/** As it stands when somebody has measured a judge. */
function measured(): Scenario {
  const criteria = scenario.template['criteria'] as Record<string, readonly JsonObject[]>;
  const counts = (list: readonly JsonObject[]) =>
    list.map((one) =>
      'judge' in one
        ? { ...one, judge: { ...(one['judge'] as JsonObject), model: 'openai/judge', agreement: 0.8 } }
        : one,
    );
  const changed = {
    ...criteria,
    success: counts(criteria['success']!),
    rubrics: counts(criteria['rubrics']!),
  };
  return changedScenario(scenario, { template: { ...scenario.template, criteria: changed } });
}

function gradeGold(of: Scenario, verdicts = {}) {
  const task = buildTask(of, 292);
  return gradeTranscript(task, playThrough(task, pathsOf(of, 292).gold.map(messagesOf)), { verdicts });
}

test('without a judge the letter is not judged, and the rest of the case counts as ever', () => {
  const grade = gradeGold(scenario);
  assert.deepEqual([grade.reward, grade.success, grade.notJudged], [1, 1, undefined]);
  const { success_metrics: success, rubrics } = grade.dimensions;
  for (const id of ['plain', 'tone']) {
    const one = [...success.criteria, ...rubrics.criteria].find((criterion) => criterion.id === id)!;
    assert.deepEqual([one.possible, one.notJudged], [0, true]);
    assert.match(one.reason, /^Not judged: .* No judge was asked\.$/);
  }
  const against = { score: 0, votes: [0, 0, 0], reason: 'It is not.' };
  assert.equal(gradeGold(scenario, { plain: against, tone: against }).reward, 1, 'advisory');
});

test('once its judge is measured it counts, and the flawed letters keep their order', () => {
  const strict = measured();
  const waiting = gradeGold(strict);
  assert.deepEqual([waiting.success, waiting.reward, waiting.notJudged], [0, 0.5, ['plain', 'tone']]);
  const verdict = (score: number) => ({ score, votes: [score], reason: 'It is so.', model: 'openai/judge' });
  assert.equal(gradeGold(strict, { plain: verdict(1), tone: verdict(1) }).reward, 1);
  const cold = gradeGold(strict, { plain: verdict(1), tone: verdict(0) });
  assert.deepEqual([cold.success, cold.progress], [1, 0.928571428571]);
  assert.equal(gradeGold(strict, { plain: verdict(0), tone: verdict(1) }).success, 0);
  const report = checkScenario(strict, { variants: 10 });
  assert.deepEqual([report.faults, report.warnings], [[], []]);
});
