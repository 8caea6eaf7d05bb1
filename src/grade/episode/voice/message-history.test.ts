import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Observation, TranscriptTurn, TurnMessage } from '../../scenario/transcript.ts';
import { readHistory } from './message-history.ts';

const opening: Observation = { role: 'assistant', content: 'My back hurts.' };
const model = (content: string): TurnMessage => ({ role: 'assistant', content });
const person = (content: string): TurnMessage => ({ role: 'user', content });
const turns: readonly TranscriptTurn[] = [
  {
    turn: 1,
    messages: [model('Since when?')],
    outcomes: [],
    observation: { role: 'assistant', content: 'Monday.' },
  },
  {
    turn: 2,
    messages: [model('How?'), model('I mean: what happened?')],
    outcomes: [],
    observation: { role: 'assistant', content: 'I lifted a box.' },
  },
];
const one = turns.slice(0, 1);

const whole = [
  model('Since when?'),
  person('Monday.'),
  model('How?'),
  model('I mean: what happened?'),
  person('I lifted a box.'),
];

test('new messages alone are new', () => {
  for (const played of [[], one, turns])
    assert.deepEqual(readHistory(opening, played, [model('And now?')]), {
      kind: 'new',
      messages: [model('And now?')],
      withHistory: false,
    });
});

test('the whole history leaves its tail, with the opening or without, in either role', () => {
  const tail = [model('And now?'), model('Tell me.')];
  for (const start of [[], [person('My back hurts.')], [model('My back hurts.')]])
    assert.deepEqual(readHistory(opening, turns, [...start, ...whole, ...tail]), {
      kind: 'new',
      messages: tail,
      withHistory: true,
    });
  assert.deepEqual(readHistory(opening, [], [person('My back hurts.'), model('Since when?')]), {
    kind: 'new',
    messages: [model('Since when?')],
    withHistory: true,
  });
});

test('a history that ends with a stored turn is that turn again', () => {
  assert.deepEqual(readHistory(opening, turns, whole.slice(0, 4)), {
    kind: 'repeat',
    turn: 2,
    messages: whole.slice(2, 4),
  });
  assert.deepEqual(readHistory(opening, turns, [person('My back hurts.'), model('Since when?')]), {
    kind: 'repeat',
    turn: 1,
    messages: [model('Since when?')],
  });
});

test('the same words said twice are a new turn', () => {
  assert.equal(readHistory(opening, one, [model('Since when?')]).kind, 'new');
  assert.equal(readHistory(opening, turns, [model('Since when?')]).kind, 'new');
});

test('an echo of the person is a new turn', () => {
  for (const played of [[], one]) {
    const reading = readHistory(opening, played, [model('My back hurts.')]);
    assert.deepEqual(reading, { kind: 'new', messages: [model('My back hurts.')], withHistory: false });
  }
});

test('a copy of the last observation before the new words is kept and is new', () => {
  const list = [person('Monday.'), model('How?')];
  assert.deepEqual(readHistory(opening, one, list), { kind: 'new', messages: list, withHistory: false });
});

test('a changed word of the person, or of the model with the person after it, is a mismatch and says where', () => {
  assert.deepEqual(readHistory(opening, one, [model('Since when?'), person('Tuesday.'), model('How?')]), {
    kind: 'mismatch',
    index: 1,
    held: 'Monday.',
  });
  assert.deepEqual(readHistory(opening, one, [model('Since then?'), person('Monday.'), model('How?')]), {
    kind: 'mismatch',
    index: 0,
    held: 'Since when?',
  });
  const changed = [person('My back hurts.'), ...whole.with(2, model('Why?')), model('And now?')];
  assert.equal(readHistory(opening, turns, changed).kind, 'mismatch');
});

test('a history with nothing new in it is a mismatch at its end', () => {
  assert.deepEqual(readHistory(opening, turns, whole), { kind: 'mismatch', index: 5, held: undefined });
  assert.deepEqual(readHistory(opening, turns, whole.slice(0, 3)), {
    kind: 'mismatch',
    index: 3,
    held: 'I mean: what happened?',
  });
});

test('other words in the place of a stored turn find it taken', () => {
  assert.deepEqual(
    readHistory(opening, turns, [model('Since when?'), person('Monday.'), model('Did you fall?')]),
    { kind: 'taken', turn: 2 },
  );
  assert.deepEqual(readHistory(opening, turns, [person('My back hurts.'), model('Who are you?')]), {
    kind: 'taken',
    turn: 1,
  });
});
