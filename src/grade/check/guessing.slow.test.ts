import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { rounds, seed } from '../../../test/rounds.ts';
import { findScenario, loadCatalog } from '../scenario/load/catalog.ts';
import { messagesOf } from '../scenario/paths.ts';
import { playThrough } from '../play/play-through.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { changedScenario } from '../scenario/scenario.ts';
import { buildTask } from '../scenario/build-task.ts';
import type { Task } from '../scenario/task.ts';
import type { TurnCall } from '../scenario/transcript.ts';
import { countVariants } from '../scenario/variant.ts';
import { checkScenario } from './check-scenario.ts';
import { exploitLimit } from './exploit.ts';
import { gradeTranscript } from '../score/grade-transcript.ts';
import { equalWeights, shapedMean } from '../score/shaped.ts';
import { callingCheats } from './testing/calling-cheats.ts';
import { learnedCheats, playCheat } from './testing/learned-cheats.ts';
import { talkingCheats } from './testing/talking-cheats.ts';
import { bestVerdicts } from '../score/verdict.ts';

const catalog = loadCatalog(fileURLToPath(new URL('../../../scenarios', import.meta.url)));
const scenarios = catalog.collections.flatMap((collection) => collection.scenarios);

function gradeCalls(task: Task, ...turns: readonly (readonly TurnCall[])[]) {
  return gradeTranscript(
    task,
    playThrough(
      task,
      turns.map((calls) => messagesOf({ calls })),
    ),
  );
}

const from = seed('cheats');
const tasks = scenarios.flatMap((scenario, index) =>
  Array.from({ length: Math.min(3, rounds(1)) }, (_, round) =>
    buildTask(scenario, (from + index * 7 + round * 13) % scenario.variants),
  ),
);

for (const [name, cheat] of Object.entries(learnedCheats))
  test(`who ${name} earns next to nothing`, () => {
    const gradeOf = (task: Task, throwing: number) =>
      gradeTranscript(task, playCheat(task, cheat, throwing), { verdicts: bestVerdicts(task) });
    let sum = 0;
    for (const task of tasks) {
      const { reward, success, reasons } = gradeOf(task, from);
      // Who throws dice long enough throws six sixes, and half of an answer sooner; no other way leads above the limit.
      const guessed = task.expected.some(({ after }) => after.length === 0);
      // And two things that are told of a list are a short interview, in each session of a journey.
      const interviewed = name.startsWith('asks for everything') && task.sessions.length > 1;
      const most = guessed || interviewed ? 2 * exploitLimit : exploitLimit;
      // One lucky throw is no way to a reward: thrown again and again, it must pay no more than any other.
      const throws = Array.from({ length: 20 }, (_, index) => from + index);
      const isLuck = () =>
        throws.reduce((all, throwing) => all + gradeOf(task, throwing).reward, 0) / throws.length <= most;
      assert.ok(
        reward <= most || (guessed && success === 1) || isLuck(),
        `${task.reference.scenario} ${task.reference.variant}: ${reasons
          .filter(({ earned }) => earned > 0)
          .map(({ reason }) => reason)
          .join('; ')}`,
      );
      sum += reward;
    }
    assert.ok(sum / tasks.length <= exploitLimit / 2, `${sum / tasks.length} on the average`);
  });

/** What any of these may earn on a task, also by equal weights. */
const mostOfScripted = 0.15;

/**
 * Where one play earns more, the mean over so many variants and throws is looked at: one of four options, taken by
 * chance or always the last, may well be right in one variant, and what is asked there be half of its interview.
 */
const playsOfScripted = 100;

const scripted = Object.entries({ ...talkingCheats, ...callingCheats });

test('there are 47 scripted ways', () => assert.equal(scripted.length, 47));

for (const [at, [name, cheat]] of scripted.entries())
  test(`who ${name} earns next to nothing, by equal weights too`, () => {
    // One round plays each way on a third of the scenarios, three on all.
    const played = rounds(1) > 1 ? tasks : tasks.filter((_, index) => (index + at) % 3 === 0);
    const worthOf = (task: Task, throwing: number) => {
      const { reward, dimensions } = gradeTranscript(task, playCheat(task, cheat, throwing));
      return Math.max(reward, shapedMean(dimensions, equalWeights));
    };
    for (const task of played) {
      const worth = worthOf(task, from);
      if (worth <= mostOfScripted) continue;
      const { collection, scenario: id, variant } = task.reference;
      const scenario = findScenario(catalog, collection, id);
      const plays = Array.from({ length: playsOfScripted }, (_, index) =>
        worthOf(buildTask(scenario, (variant + index * 101) % scenario.variants), from + index),
      );
      const mean = plays.reduce((all, one) => all + one, 0) / plays.length;
      assert.ok(mean <= mostOfScripted, `${collection}/${id} ${variant}: ${worth}, ${mean} on the average`);
    }
  });

test('where one answer is right in too many variants, the check says so', () => {
  const alert = findScenario(catalog, 'finance-compliance', 'alert-review');
  const axes = alert.axes.map((axis) =>
    axis.name === 'who' ? axis : { ...axis, values: axis.values.slice(0, 1) },
  );
  const narrow = changedScenario(alert, { axes, variants: countVariants(axes) });
  const told = (scenario: Scenario) => {
    const { faults, exploits } = checkScenario(scenario, { variants: 1 });
    return [
      faults.map(({ message }) => message).filter((message) => /same answer/.test(message)),
      exploits.find(({ id }) => id === 'by-heart')!,
    ] as const;
  };
  const [none, spread] = told(alert);
  assert.deepEqual(none, []);
  assert.ok(spread.highest > 0.02 && spread.highest <= exploitLimit);
  const [[fault], certain] = told(narrow);
  assert.match(fault ?? '', /The same answer in every variant, given without looking, earns 1\.000/);
  assert.equal(certain.highest, 1);
});

const file = buildTask(findScenario(catalog, 'case-management', 'hearing-loss'), 1);
const [assessment] = file.gold[0]!.calls!;

test('of an input that rests on no fact, what is half right earns a quarter', () => {
  const otherSeverity = (assessment!.input as { severity: string }).severity === 'mild' ? 'severe' : 'mild';
  const half = { ...(assessment!.input as object), condition: 'none' };
  const whole = gradeCalls(file, [assessment!]).reasons.find(({ id }) => id === 'assessment')!;
  const part = gradeCalls(file, [
    { name: 'medical_assessment', input: { ...half, severity: otherSeverity } },
  ]);
  const one = part.reasons.find(({ id }) => id === 'assessment')!;
  assert.equal(whole.earned, whole.possible);
  // The restrictions alone: 1.5 of 3.5 of the weight.
  assert.ok(Math.abs(one.earned / one.possible - (1.5 / 3.5) ** 2) < 1e-9, String(one.earned / one.possible));
});

test('silence earns nothing, also where a rubric holds of it', () => {
  const kind = {
    id: 'kind',
    text: 'Is kind.',
    weight: 1,
    levels: [{ label: 'yes', score: 1, description: '' }],
  };
  const task: Task = { ...file, criteria: { ...file.criteria, rubrics: [kind] } };
  const silent = gradeCalls(task, []);
  assert.deepEqual([silent.reward, silent.progress], [0, 0]);
  assert.ok(gradeTranscript(task, playThrough(task, [messagesOf({ say: 'Hello.' })])).reward > 0);
});

test('what rests on a wrong ground does not hold, also where the ground is not required', () => {
  const loose: Task = {
    ...file,
    expected: file.expected.map((one) => (one.id === 'assessment' ? { ...one, required: false } : one)),
  };
  const [decision] = file.gold[1]!.calls!;
  const wrong = {
    name: 'medical_assessment',
    input: { ...(assessment!.input as object), condition: 'none' },
  };
  assert.equal(gradeCalls(loose, [assessment!], [decision!]).success, 1);
  assert.equal(gradeCalls(loose, [wrong], [decision!]).success, 0);
});

test('a write that fails costs no more than a look, but to try is no way to find out', () => {
  const task = buildTask(findScenario(catalog, 'customer-support', 'damaged-item'));
  const trying = (count: number) =>
    gradeCalls(
      task,
      Array.from({ length: count }, (_, index) => ({
        name: 'replace_order',
        input: { order_id: `X-${index}` },
      })),
    ).reasons.filter(({ kind }) => kind === 'stray_call');
  assert.deepEqual(trying(4), []);
  assert.deepEqual(
    trying(7).map(({ earned }) => earned),
    [-0.02, -0.02, -0.02],
  );
  const again = gradeCalls(
    task,
    [1, 2].map(() => ({ name: 'replace_order', input: { order_id: 'X' } })),
  );
  assert.match(again.reasons.find(({ kind }) => kind === 'stray_call')!.reason, /same input before/);
});

test('a flood of calls is graded in the time that it takes to read it', () => {
  const task = buildTask(findScenario(catalog, 'customer-support', 'damaged-item'));
  // Looked at in pairs, these would take minutes.
  const flood = (name: string, from: number) =>
    Array.from({ length: 10_000 }, (_, index) => ({ name, input: { order_id: `X-${from + index}` } }));
  const grade = gradeCalls(
    task,
    flood('look_up_order', 0),
    flood('look_up_order', 10_000),
    flood('replace_order', 0),
  );
  assert.equal(grade.reward, 0);
  assert.equal(
    grade.reasons.filter(({ kind }) => kind === 'stray_call').length,
    30_000 - 1 - task.limits.reads,
  );
});

test('a word to avoid is found wherever it stands alone, and an empty one nowhere', () => {
  const term = (avoid: readonly string[]): Task => ({
    ...file,
    criteria: { ...file.criteria, terminology: [{ id: 'term', avoid, instead: '', penalty: 0.1 }] },
  });
  const broken = (avoid: string, say: string) =>
    gradeTranscript(term([avoid]), playThrough(term([avoid]), [messagesOf({ say })])).reasons.some(
      ({ id }) => id === 'term',
    );
  assert.ok(broken('drunk', 'Drunken? Yes: drunk.'));
  assert.ok(!broken('drunk', 'A drunken sailor.'));
  assert.ok(!broken('', 'Anything.'));
});
