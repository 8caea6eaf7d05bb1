/** The bundled pages, in a real browser: played by gold and by operators of three skills, and played again without one. */
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { after, test } from 'node:test';

import { canonicalJson } from '../../base/json/canonical.ts';
import type { JsonValue } from '../../base/json/value.ts';
import { buildTask } from '../scenario/build-task.ts';
import { findScenario, loadCatalog } from '../scenario/load/catalog.ts';
import type { Task } from '../scenario/task.ts';
import type { Transcript, TurnMessage } from '../scenario/transcript.ts';
import { gradeTranscript } from '../score/grade-transcript.ts';
import { careful, gold, hasty, random, type Operator } from '../play/operators.ts';
import { playOnStage, playThrough } from '../play/play-through.ts';
import { PageStage } from '../play/page/page-stage.ts';

const catalog = loadCatalog(fileURLToPath(new URL('../../../scenarios', import.meta.url)));
const stage = new PageStage({ most: 1 });
after(() => stage[Symbol.asyncDispose]());

function turnsBy(operator: Operator, task: Task): readonly (readonly TurnMessage[])[] {
  const turns: (readonly TurnMessage[])[] = [];
  for (let turn = 1; turn <= task.limits.turns; turn++) {
    const messages = operator.next(task, turn, task.opening);
    if (messages === undefined) break;
    turns.push(messages);
  }
  return turns;
}

function plain(transcript: Transcript): string {
  return canonicalJson(JSON.parse(JSON.stringify(transcript)) as JsonValue);
}

for (const name of ['club-form', 'small-shop'])
  test(`${name}: gold earns 1, and each lesser skill less`, async () => {
    const task = buildTask(findScenario(catalog, 'web', name), 0);
    const rewards: number[] = [];
    let played: Transcript | undefined;
    for (const operator of [gold, careful, hasty, random]) {
      const transcript = await playOnStage(stage, task, turnsBy(operator, task));
      played ??= transcript;
      rewards.push(gradeTranscript(task, transcript).reward);
    }
    const [best, second, third, fourth] = rewards;
    assert.equal(best, 1);
    assert.ok(second! > third! && second! < 0.2, String(rewards));
    assert.deepEqual([third, fourth], [0, 0]);
    // The record alone gives the same world and the same grade, without a browser.
    const { state, ...record } = JSON.parse(JSON.stringify(played)) as Transcript;
    assert.deepEqual(gradeTranscript(task, record), gradeTranscript(task, played!));
    const none = playThrough(task, turnsBy(gold, task));
    assert.match(none.turns[0]!.outcomes[0]!.output, /no browser here/);
    assert.equal(gradeTranscript(task, none).success, 0);
    assert.notEqual(state?.world['page'], './form');
  });

test('a page is the same each time, and one that was closed stands again as it stood', async () => {
  const task = buildTask(findScenario(catalog, 'web', 'club-form'), 5);
  const turns = turnsBy(gold, task);
  const first = await playOnStage(stage, task, turns);
  // Another browser that takes it up in the middle has to do what was done before.
  await using other = new PageStage({ most: 1 });
  const before = first.turns.slice(0, 2);
  const state = playThrough(
    task,
    turns.slice(0, 2),
    before.map(({ outcomes }) => outcomes),
  ).state!;
  const acted = await other.act({ id: 'later', task, turns: before, state, messages: turns[2]! });
  assert.deepEqual(acted, first.turns[2]!.outcomes);
  const again = await playOnStage(stage, task, turns);
  assert.ok(plain(again) === plain(first), JSON.stringify(again.turns[0]).slice(0, 400));
});

test('what an operator may do on a page ends at the page: no addresses, no scripts, no other host', async () => {
  const task = buildTask(findScenario(catalog, 'web', 'small-shop'), 0);
  const calls = [
    { type: 'navigate', url: '/given.js' },
    { type: 'run_script', script: 'world.order = {}' },
    { type: 'left_mouse_click', target: { ref: 'button "Nothing of the kind"' } },
    { type: 'element_set_value' },
    { type: 'left_mouse_click', xy: [5000, 5] },
    { type: 'screenshot' },
  ].map((input) => ({ name: 'computer', input }));
  const { turns, state } = await playOnStage(stage, task, [
    [{ role: 'assistant', content: '', toolCalls: calls }],
  ]);
  const outcomes = turns[0]!.outcomes;
  assert.deepEqual(
    outcomes.map(({ isError }) => isError),
    calls.map(() => true),
  );
  assert.match(outcomes[4]!.output, /1023.*767/);
  assert.match(outcomes[5]!.output, /expected one of "element_read".*, got "screenshot"/);
  assert.deepEqual(state!.world['page'], { reveals: [], basket: [], order: null });
});
