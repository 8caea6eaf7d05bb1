import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { buildTask } from '../scenario/build-task.ts';
import { findScenario, loadCatalog } from '../scenario/load/catalog.ts';
import type { PersonMove, Task } from '../scenario/task.ts';
import { playTurn, startPlay } from './play.ts';

const catalog = loadCatalog(fileURLToPath(new URL('../../../scenarios', import.meta.url)));

function taskOf(collection: string, slug: string, isMeant: (task: Task) => boolean): Task {
  const scenario = findScenario(catalog, collection, slug);
  const variants = [...Array(scenario.variants).keys()];
  return variants.map((variant) => buildTask(scenario, variant)).find(isMeant)!;
}

/** What is said to each of some messages. */
function answers(task: Task, ...messages: readonly string[]): readonly string[] {
  let { state } = startPlay(task);
  return messages.map((content) => {
    const played = playTurn(task, state, [{ role: 'assistant', content }]);
    ({ state } = played);
    return played.observation.content;
  });
}

test('a person pushes back on what it does not want, and changes its mind when it is told why', () => {
  const task = taskOf('customer-support', 'damaged-item', ({ person }) => person.moves.length > 0);
  const [proposed, again, explained, late] = answers(
    task,
    'I will send you a replacement.',
    'We are sending you a replacement, then.',
    'It came more than thirty days ago, and then we can only replace it.',
    'It is more than thirty days.',
  );
  assert.match(proposed!, /rather have my money back/);
  assert.doesNotMatch(again!, /rather have my money back/, 'said once');
  assert.match(explained!, /send me a new one/);
  assert.doesNotMatch(late!, /send me a new one/);
});

test('what is denied is no proposal', () => {
  const task = taskOf('customer-support', 'damaged-item', ({ person }) => person.moves.length > 0);
  assert.doesNotMatch(answers(task, 'I will not send a replacement.')[0]!, /rather have/);
});

test('something happens in the midst of a conversation', () => {
  const task = taskOf('healthcare-intake', 'chest-pain', ({ person }) => person.moves.length > 0);
  const said = answers(task, 'Hello.', 'How bad is the pain?', 'When did it begin?', 'And your breath?');
  assert.deepEqual(
    said.map((words) => words.includes('there it is again')),
    [false, false, true, false],
  );
});

const plain = taskOf('healthcare-intake', 'chest-pain', () => true);
const move: PersonMove = { id: 'call', said: [], times: 1, says: 'The phone rings.', does: [], reveals: [] };
const withMoves = (...moves: readonly PersonMove[]): Task => ({
  ...plain,
  person: { ...plain.person, moves },
});

test('a move brings facts out and changes the world', () => {
  const [fact] = plain.facts;
  const task = withMoves({ ...move, reveals: [fact!.id], does: [{ set: { rang: true } }] });
  const { state, revealed, observation } = playTurn(task, startPlay(task).state, [
    { role: 'assistant', content: 'Hello.' },
  ]);
  assert.deepEqual(
    [revealed, state.world['rang'], observation.content],
    [[fact!.id], true, 'The phone rings.'],
  );
});

test('a move waits for what it rests on, comes as often as it may, and the first that fits comes alone', () => {
  const task = withMoves(
    { ...move, id: 'twice', times: 2, says: 'Two.' },
    { ...move, id: 'later', turn: 2, says: 'Late.', if: { missed: ['severity'] } },
  );
  const said = answers(task, 'Hello.', 'I see.', 'Well.', 'Right then.');
  assert.deepEqual(
    said.map((words) => words.match(/Two\.|Late\./)?.[0]),
    ['Two.', 'Two.', 'Late.', undefined],
  );
});
