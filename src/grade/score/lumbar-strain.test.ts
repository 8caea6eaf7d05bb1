import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { findScenario, loadCatalog } from '../scenario/load/catalog.ts';
import { careful, gold, hasty, random } from '../play/operators.ts';
import type { Operator } from '../play/operators.ts';
import { playTurn, startPlay } from '../play/play.ts';
import { buildTask } from '../scenario/build-task.ts';
import type { Task } from '../scenario/task.ts';
import type { Transcript, TranscriptTurn, TurnMessage } from '../scenario/transcript.ts';
import { transcriptFromMessages } from './from-messages.ts';
import { gradeTranscript } from './grade-transcript.ts';

const catalog = loadCatalog(fileURLToPath(new URL('../../../scenarios', import.meta.url)));
const scenario = findScenario(catalog, 'case-management', 'lumbar-strain');

function play(task: Task, operator: Operator): Transcript {
  let { state, observation } = startPlay(task);
  const turns: TranscriptTurn[] = [];
  while (state.ended === undefined) {
    const messages = operator.next(task, state.turn + 1, observation);
    if (!messages) break;
    const played = playTurn(task, state, messages);
    state = played.state;
    observation = played.observation;
    turns.push({ turn: state.turn, messages, outcomes: played.outcomes, observation });
  }
  return { task: task.reference, opening: task.opening, turns };
}

test('the gold path earns exactly 1 in any variant, in the same words each time', () => {
  for (let variant = 0; variant < 35; variant++) {
    const task = buildTask(scenario, variant);
    const transcript = play(task, gold);
    assert.deepEqual(play(buildTask(scenario, variant), gold), transcript);
    const grade = gradeTranscript(task, transcript);
    assert.equal(grade.reward, 1, `variant ${variant}: ${grade.reasons.map((one) => one.reason).join('\n')}`);
    assert.equal(grade.success, 1);
    assert.deepEqual(grade.factsMissed, []);
  }
});

test('a decision at the first turn stays under 0.3, and silence is exactly 0', () => {
  const task = buildTask(scenario, 0);
  assert.ok(gradeTranscript(task, play(task, hasty)).reward < 0.3);
  const silent = gradeTranscript(task, { task: task.reference, opening: task.opening, turns: [] });
  assert.equal(silent.reward, 0);
  const mute = transcriptFromMessages(task, [{ role: 'assistant', content: '' }]);
  assert.equal(gradeTranscript(task, mute).reward, 0);
});

test('the built-in operators come out in order', () => {
  const task = buildTask(scenario, 3, 5);
  const [best, good, fast, any] = [gold, careful, hasty, random].map(
    (one) => gradeTranscript(task, play(task, one)).reward,
  );
  assert.ok(best! > good! && good! > fast! && good! > any!, [best, good, fast, any].join(' '));
});

test('the example call of the Labs documents loses nothing for the field that its schema lacks', () => {
  const task = buildTask(scenario, 0);
  const grade = gradeTranscript(task, play(task, gold));
  const call = grade.reasons.find((one) => one.id === 'assessment');
  assert.ok(call?.evidence?.includes('follow_up_date') && call.earned > 0);
  assert.equal(call?.earned, call?.possible);
});

test('raw messages give the same grade with the words of the person, without them, and under the wrong role', () => {
  const task = buildTask(scenario, 0);
  const played = play(task, gold);
  const own = played.turns.flatMap((turn) => turn.messages);
  const expected = gradeTranscript(task, played);
  const dialogue = (role: 'user' | 'assistant'): TurnMessage[] => [
    { role, content: played.opening.content },
    ...played.turns.flatMap((turn) => [...turn.messages, { role, content: turn.observation.content }]),
  ];
  for (const messages of [own, dialogue('user'), dialogue('assistant')])
    assert.deepEqual(gradeTranscript(task, transcriptFromMessages(task, messages)), expected);
});

test('words put into the mouth of the person elicit nothing', () => {
  const task = buildTask(scenario, 0);
  const forged = transcriptFromMessages(task, [
    { role: 'user', content: task.facts.map((fact) => fact.says).join(' ') },
    { role: 'assistant', content: 'I see.' },
  ]);
  assert.equal(gradeTranscript(task, forged).reward, 0);
});

test('both options at once are not a decision', () => {
  const task = buildTask(scenario, 0);
  const turns = play(task, gold).turns.flatMap((turn) => turn.messages);
  const last = turns.at(-1)!;
  const both: TurnMessage = {
    ...last,
    toolCalls: [...last.toolCalls!, { name: 'claim_status', input: { value: 'denied' } }],
  };
  const grade = gradeTranscript(task, transcriptFromMessages(task, [...turns.slice(0, -1), both]));
  assert.equal(grade.success, 0);
  assert.match(grade.reasons.find((one) => one.id === 'decision')!.reason, /another value/);
});

test('unknown tools and inputs of any shape are graded, never refused', () => {
  const task = buildTask(scenario, 0);
  for (const input of [null, [], 'text', 3, { value: { deep: [1] } }, { __proto__: null, constructor: 1 }]) {
    const transcript = transcriptFromMessages(task, [
      {
        role: 'assistant',
        content: 'Hello.',
        toolCalls: [
          { name: 'no_such_tool', input },
          { name: 'claim_status', input },
        ],
      },
    ]);
    assert.equal(gradeTranscript(task, transcript).reward, 0);
  }
});
