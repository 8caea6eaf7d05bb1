import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { findScenario, loadCatalog } from '../../scenario/load/catalog.ts';
import { playTurn, startPlay } from '../../play/play.ts';
import { buildTask } from '../../scenario/build-task.ts';
import { objectionTo } from './check-speech.ts';
import { retellings } from '../testing/retellings.ts';
import type { Cue } from './voice.ts';

const catalog = loadCatalog(fileURLToPath(new URL('../../../../scenarios', import.meta.url)));
const task = buildTask(findScenario(catalog, 'case-management', 'lumbar-strain'));

/** What may be said to the last of these messages, each a turn. */
function cueAfter(...said: readonly string[]): Cue {
  const { observation: opening, state: first } = startPlay(task);
  let state = first;
  const turns: Cue['turns'][number][] = [];
  for (const content of said) {
    const messages = [{ role: 'assistant', content }] as const;
    const played = playTurn(task, state, messages);
    ({ state } = played);
    if (turns.length === said.length - 1)
      return { task, opening, turns, messages, speech: played.speech!, state };
    turns.push({ turn: state.turn, messages, outcomes: [], observation: played.observation });
  }
  throw new Error('nothing was said');
}

const asked = cueAfter('When did it happen?');
const evaded = cueAfter('What did the doctor allow you to do?');
const small = cueAfter('What a view you have from up there!');

test('the rules answer as it stands is never refused, whatever is asked in which bundled scenario', () => {
  let checked = 0;
  for (const scenario of catalog.collections.flatMap((collection) => collection.scenarios)) {
    const one = buildTask(scenario, 5 % scenario.variants);
    const { observation: opening, state: first } = startPlay(one);
    let state = first;
    const turns: Cue['turns'][number][] = [];
    for (const { say = '', calls = [] } of one.gold) {
      const messages = [{ role: 'assistant', content: say, toolCalls: calls }] as const;
      const played = playTurn(one, state, messages);
      ({ state } = played);
      const { speech } = played;
      if (speech) {
        const why = objectionTo(speech.heard.says, { task: one, opening, turns, messages, speech, state });
        assert.equal(why, undefined, `${scenario.slug}: ${speech.heard.says}`);
        checked++;
      }
      turns.push({
        turn: state.turn,
        messages,
        outcomes: played.outcomes,
        observation: played.observation,
      });
    }
  }
  assert.ok(checked > 50, `${checked} answers were checked`);
});

test('the same in other words may be said', () => {
  assert.equal(asked.speech.heard.told.length, 1);
  for (const said of [
    `Oh, let me think… ${asked.speech.heard.says}`,
    `Well, that was the 29th of January, a Monday, I am sure of it.`,
  ])
    assert.equal(objectionTo(said, asked), undefined, said);
  for (const said of ['Do I have to say? I would rather not.', 'How do you mean, who would have told me?'])
    assert.equal(objectionTo(said, evaded), undefined, said);
});

test('of what a model might well say, nearly all that is faithful passes, and nearly nothing that is not', (context) => {
  const said = { faithful: 0, passed: 0, wrong: 0, let: [] as string[] };
  for (const { scenario, turn, faithful, wrong } of retellings) {
    const [collection = '', slug = ''] = scenario.split('/');
    const played = buildTask(findScenario(catalog, collection, slug));
    const { observation: opening, state: first } = startPlay(played);
    let state = first;
    const turns: Cue['turns'][number][] = [];
    for (const [index, { say = '', calls = [] }] of played.gold.slice(0, turn).entries()) {
      const messages = [{ role: 'assistant', content: say, toolCalls: calls }] as const;
      const { speech, outcomes, observation, ...rest } = playTurn(played, state, messages);
      ({ state } = rest);
      if (index + 1 === turn) {
        const cue: Cue = { task: played, opening, turns: [...turns], messages, speech: speech!, state };
        said.faithful += faithful.length;
        said.passed += faithful.filter((one) => objectionTo(one, cue) === undefined).length;
        said.wrong += wrong.length;
        said.let.push(...wrong.filter((one) => objectionTo(one, cue) === undefined));
      }
      turns.push({ turn: index + 1, messages, outcomes, observation });
    }
  }
  context.diagnostic(
    `${said.passed} of ${said.faithful} retellings pass, and ${said.let.length} of ${said.wrong} wrong ones`,
  );
  // What slips through is said in words of the operator's question: "do you have a fever or a stiff neck?"
  assert.ok(said.wrong >= 60 && said.let.length <= said.wrong * 0.05, said.let.join('\n'));
  assert.ok(said.passed >= said.faithful * 0.85, `${said.passed} of ${said.faithful}`);
});

test('no fact of any bundled scenario may be told before it is out, whatever it is wrapped in', () => {
  let tried = 0;
  for (const scenario of catalog.collections.flatMap((collection) => collection.scenarios)) {
    const one = buildTask(scenario, 7 % scenario.variants);
    const { state: first, observation: opening } = startPlay(one);
    const messages = [{ role: 'assistant', content: 'What a lovely day it is.' }] as const;
    const { speech, state } = playTurn(one, first, messages);
    const cue: Cue = { task: one, opening, turns: [], messages, speech: speech!, state };
    for (const { id, says } of one.facts.filter((fact) => !Object.hasOwn(state.revealed, fact.id)))
      for (const said of [says, `You may well ask. ${says} That is how it was.`]) {
        assert.notEqual(objectionTo(said, cue), undefined, `${scenario.slug} ${id}: ${said}`);
        tried++;
      }
  }
  assert.ok(tried > 100, `${tried} were tried`);
  assert.match(objectionTo('I pulled a muscle once, years back.', small)!, /may not be told/);
});

test('numbers and names out of nowhere are refused, and so is a number that the operator guessed', () => {
  const guess = cueAfter('Is your house forty years old, and did Dana build it?', 'Lovely weather today.');
  assert.match(objectionTo('It weighed 40 kilos or so.', guess)!, /40|kilo/);
  assert.match(objectionTo('There were seventeen of us.', small)!, /number .*17/);
  assert.match(objectionTo('You should ask our Mr Petersen about that.', small)!, /name .*Petersen/);
});

test('a yes or a no to what the rules evade is refused', () => {
  assert.match(objectionTo('Yes, and I would rather not talk about it.', evaded)!, /said yes/);
  assert.match(objectionTo('No. I would rather not talk about it.', evaded)!, /said no/);
  assert.equal(objectionTo('No idea, sorry.', evaded), undefined);
});

test('a fact may not be turned round', () => {
  const examined = cueAfter('Have you seen a doctor?');
  const { says } = examined.speech.heard;
  assert.equal(objectionTo(`If I am not mistaken: ${says}`, examined), undefined);
  assert.match(objectionTo(`It is not so that ${says}`, examined)!, /said "not"/);
});

test('what counts as told must be told, with its numbers, its names and its "not"', () => {
  assert.match(objectionTo('A while ago now, I think.', asked)!, /left out/);
  assert.match(objectionTo('The 28th of January, a Monday.', asked)!, /28/);
  assert.match(objectionTo('The twenty-ninth of January.', asked)!, /left out/);
  const legs = cueAfter('Any numbness in your legs?');
  assert.match(objectionTo('My legs are fine, and so is everything else.', legs)!, /"not"/);
});

test('whoever steps out of the part, says nothing or will not stop is refused', () => {
  for (const said of ['', 'As an AI language model I cannot say.', '{"says": "Hello"}', 'la '.repeat(500)])
    assert.notEqual(objectionTo(said, small), undefined, said.slice(0, 20));
});
