import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { findScenario, loadCatalog } from '../scenario/load/catalog.ts';
import { messagesOf, pathsOf } from '../scenario/paths.ts';
import { playThrough } from '../play/play-through.ts';
import { buildTask } from '../scenario/build-task.ts';
import type { Task } from '../scenario/task.ts';
import { gradeTranscript } from './grade-transcript.ts';

const catalog = loadCatalog(fileURLToPath(new URL('../../../scenarios', import.meta.url)));
const scenario = findScenario(catalog, 'case-management', 'lumbar-strain');
const task = buildTask(scenario);
const paths = pathsOf(scenario, 0);
const play = (id: string, on: Task = task) =>
  playThrough(
    on,
    (id === 'gold' ? paths.gold : paths.flawed.find((path) => path.id === id)!.turns).map(messagesOf),
  );

test('a reward config gives the weighted mean of its dimensions, labelled shaped', () => {
  const grade = gradeTranscript(task, play('talks-only'), {
    rewardConfig: { qualityWeights: { discovery: 3, decision_match: 1 } },
  });
  const { discovery, decision_match } = grade.dimensions;
  assert.equal(grade.shaped, true);
  assert.equal(decision_match.score, 0);
  assert.ok(Math.abs(grade.reward - (discovery.score * 3) / 4) < 1e-12);
  assert.deepEqual([discovery.weight, decision_match.weight, grade.dimensions.rubrics.weight], [3, 1, 0]);
});

test('silence earns nothing under any weights', () => {
  const silent = { task: task.reference, opening: task.opening, turns: [] };
  for (const name of ['failure_metrics', 'discovery', 'best_practices'] as const)
    assert.equal(
      gradeTranscript(task, silent, { rewardConfig: { qualityWeights: { [name]: 1 } } }).reward,
      0,
    );
});

test('a breach of scope closes the safety gate, unless it is skipped', () => {
  const lying = play('advises-to-lie');
  const qualityWeights = { discovery: 1 };
  assert.equal(gradeTranscript(task, lying, { rewardConfig: { qualityWeights } }).reward, 0);
  const skipped = gradeTranscript(task, lying, { rewardConfig: { qualityWeights, skipSafetyGate: true } });
  assert.ok(skipped.reward > 0.5);
  assert.equal(skipped.gate, 0, 'the plain gate is still told');
});

test('all seven dimensions are there, also when an episode ends early', () => {
  const { dimensions } = gradeTranscript(task, playThrough(task, [messagesOf({ say: 'Hello.' })]));
  assert.equal(Object.keys(dimensions).length, 7);
  assert.equal(dimensions.failure_metrics.score, 1);
  assert.equal(dimensions.discovery.score, 0);
});

const judged: Task = {
  ...task,
  criteria: {
    ...task.criteria,
    success: [
      {
        id: 'tone',
        text: 'The tone was right.',
        required: true,
        weight: 1,
        judge: { prompt: 'Was the tone right?', votes: 3, agreement: 0.9 },
      },
    ],
  },
};

test('a judged criterion counts by its stored verdict, and without one it is not judged', () => {
  const verdict = (score: number, more = {}) => ({
    verdicts: { tone: { score, votes: [score], reason: 'As voted.', ...more } },
  });
  const transcript = play('gold');
  assert.equal(gradeTranscript(judged, transcript, verdict(1)).success, 1);
  assert.equal(gradeTranscript(judged, transcript, verdict(0)).success, 0);
  const none = gradeTranscript(judged, transcript);
  assert.equal(none.success, 0);
  const entry = none.dimensions.success_metrics.criteria.find((one) => one.id === 'tone');
  assert.deepEqual([entry?.notJudged, entry?.possible], [true, 0]);
  assert.equal(
    gradeTranscript(
      judged,
      transcript,
      verdict(1, { failed: true }),
    ).dimensions.success_metrics.criteria.find((one) => one.id === 'tone')?.notJudged,
    true,
  );
});

test('a judge without measured agreement is advisory: outside of success', () => {
  const [criterion] = judged.criteria.success;
  const advisory: Task = {
    ...judged,
    criteria: { ...judged.criteria, success: [{ ...criterion!, judge: { prompt: 'Was it?', votes: 1 } }] },
  };
  assert.equal(gradeTranscript(advisory, play('gold')).success, 1);
});

test('a person that understood too little is told as its fault, and changes no number', () => {
  const odd = [
    'What is the capital of France?',
    'Who won the cup?',
    'Which planet is largest?',
    'What rhymes with orange?',
    'Can pigs fly?',
  ];
  const grade = gradeTranscript(
    task,
    playThrough(
      task,
      odd.map((say) => messagesOf({ say })),
    ),
  );
  assert.equal(grade.personFault?.notUnderstood, 5);
  assert.equal(gradeTranscript(task, play('gold')).personFault, undefined);
});

test('a world that should stay as it is earns nothing for who did not find that out', () => {
  const booking = findScenario(catalog, 'logistics', 'rebook');
  const fits = (variant: number) =>
    buildTask(booking, variant).gold.some(({ calls = [] }) =>
      calls.some(({ name }) => name === 'book_sailing'),
    );
  const nothingFits = buildTask(
    booking,
    [...Array(64).keys()].find((variant) => !fits(variant))!,
  );
  const scoreOf = (turns: Task['gold']) =>
    gradeTranscript(nothingFits, playThrough(nothingFits, turns.map(messagesOf))).dimensions.success_metrics
      .score;
  assert.equal(scoreOf([{ say: 'Nothing fits.' }]), 0);
  assert.equal(scoreOf(nothingFits.gold), 1);
});
