import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { seededRandom } from '../../../base/host/random.ts';
import { rounds, seed } from '../../../../test/rounds.ts';
import { playThrough } from '../../play/play-through.ts';
import { buildTask } from '../../scenario/build-task.ts';
import { loadCatalog } from '../../scenario/load/catalog.ts';
import { messagesOf, pathsOf } from '../../scenario/paths.ts';
import type { TurnMessage } from '../../scenario/transcript.ts';
import { gradeTranscript } from '../../score/grade-transcript.ts';
import { creditCalls, creditParts } from './credit.ts';
import { placeOfCriterion } from './criterion-place.ts';
import { shrinkTranscript } from './shrink.ts';
import { smallest } from './smallest.ts';
import { meets } from './target.ts';

const catalog = loadCatalog(fileURLToPath(new URL('../../../../scenarios', import.meta.url)));
const scenarios = catalog.collections.flatMap((collection) => collection.scenarios);

test('nothing that is left can be taken away', () => {
  assert.deepEqual(
    smallest([1, 2, 3, 4, 5, 6, 7], (left) => left.includes(2) && left.includes(6)),
    [2, 6],
  );
  // What 1 needs can go only after it.
  assert.deepEqual(
    smallest(
      [1, 2, 3, 4, 5, 6],
      (left) => [2, 4, 5].every((one) => left.includes(one)) && (!left.includes(1) || left.includes(6)),
    ),
    [2, 4, 5],
  );
  assert.deepEqual(
    smallest([1, 2, 3], () => true),
    [],
  );
});

test('a shrunk transcript still does what the long one did, without a turn or a call too many', () => {
  const random = seededRandom(seed('shrink'));
  for (let round = 0; round < rounds(4); round++) {
    const scenario = scenarios[Math.floor(random() * scenarios.length)]!;
    const variant = Math.floor(random() * scenario.variants);
    const task = buildTask(scenario, variant);
    const { gold, flawed } = pathsOf(scenario, variant);
    const path = flawed[Math.floor(random() * flawed.length)]?.turns ?? gold;
    const turns = path.flatMap(messagesOf).map((message) => [message]);
    const { transcript, target, before, after } = shrinkTranscript(task, playThrough(task, turns));
    assert.deepEqual(before, gradeTranscript(task, playThrough(task, turns)));
    assert.deepEqual(after, gradeTranscript(task, transcript));
    const left = transcript.turns.map(({ messages }) => messages);
    assert.ok(left.length <= turns.length);
    const still = (list: readonly (readonly TurnMessage[])[]) =>
      meets(gradeTranscript(task, playThrough(task, list)), target);
    assert.ok(still(left), scenario.slug);
    left.forEach((_, at) =>
      assert.ok(!still(left.toSpliced(at, 1)), `${scenario.slug} ${variant}, turn ${at}`),
    );
  }
});

const { scenario, task, gold } = prepare('case-management', 'lumbar-strain');

function prepare(collection: string, slug: string) {
  const found = scenarios.find((one) => one.collection === collection && one.slug === slug)!;
  return {
    scenario: found,
    task: buildTask(found, 0),
    gold: pathsOf(found, 0)
      .gold.flatMap(messagesOf)
      .map((message) => [message]),
  };
}

test('a decision that was wrong is found among many turns, with the line of the scenario', () => {
  const talk = Array.from({ length: 16 }, (_, turn): readonly TurnMessage[] => [
    { role: 'assistant', content: `How are you? That is question ${turn}. Thank you.` },
  ]);
  const wrong: readonly TurnMessage[] = [
    {
      role: 'assistant',
      content: 'I have seen enough.',
      toolCalls: [{ name: 'claim_status', input: { value: 'denied', note: 'by heart' } }],
    },
  ];
  const { transcript, target } = shrinkTranscript(task, playThrough(task, [...talk, wrong]), {
    criterion: 'decision',
  });
  assert.equal(target.keeps, 'failure');
  assert.deepEqual(
    transcript.turns.map(({ messages }) => messages),
    [[{ role: 'assistant', content: '', toolCalls: [{ name: 'claim_status', input: { value: 'denied' } }] }]],
  );
  assert.ok(target.keeps === 'failure');
  const place = placeOfCriterion(scenario, target.criterion);
  assert.match(place.file, /lumbar-strain\/scenario\.yaml$/);
  assert.match(scenario.source.text?.split('\n')[place.line - 1] ?? '', /decision/);
});

test('a success is shrunk to a success with the same reward', () => {
  const kind = [{ role: 'assistant' as const, content: 'Good morning.' }];
  const long = playThrough(task, [kind, ...gold]);
  const { transcript, before, after } = shrinkTranscript(task, long);
  assert.ok(after.success === 1 && after.reward >= before.reward);
  assert.ok(transcript.turns.length < long.turns.length);
});

test('a criterion that nobody knows is told with those that there are', () => {
  assert.throws(() => shrinkTranscript(task, playThrough(task, gold), { criterion: 'kindness' }), {
    code: 'criterion_unknown',
    message: /no criterion "kindness".*decision/,
  });
});

test("a call's credit is the grade with it less the grade without it, later turns held fixed", () => {
  const transcript = playThrough(task, gold);
  const credit = creditCalls(task, transcript);
  const calls = transcript.turns.flatMap(({ messages }) => messages.flatMap((one) => one.toolCalls ?? []));
  assert.deepEqual(
    credit.map(({ name, call }) => [name, call]),
    calls.map(({ name }, index) => [name, index + 1]),
  );
  const decided = credit.find(({ name }) => name === 'claim_status')!;
  const silent = gold.map((messages) =>
    messages.map((one) => ({
      ...one,
      toolCalls: one.toolCalls?.filter((call) => call.name !== 'claim_status') ?? [],
    })),
  );
  const without = gradeTranscript(task, playThrough(task, silent));
  assert.equal(decided.reward, gradeTranscript(task, transcript).reward - without.reward);
  assert.equal(decided.success, 1);
  assert.ok(decided.changes.some(({ kind }) => kind === 'call'));
  const asking = [...creditParts(task, transcript)].find((part) => 'words' in part && part.reward > 0)!;
  const muted = gold.map((messages, turn) =>
    messages.map((one) => (turn === asking.turn - 1 ? { ...one, content: '' } : one)),
  );
  const unasked = gradeTranscript(task, playThrough(task, muted));
  assert.equal(asking.reward, gradeTranscript(task, transcript).reward - unasked.reward);
});
