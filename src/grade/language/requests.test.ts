import assert from 'node:assert/strict';
import { test } from 'node:test';

import { clausesOf } from './clause.ts';
import { plainText } from './plain-text.ts';
import { lexiconOf } from './lexicon.ts';
import { fitsOf, topicIndexOf } from './topic.ts';

const lexicon = lexiconOf([]);

/** The words of a message that are asked for, without what frames them. */
function askedFor(message: string): string {
  return [...clausesOf(plainText(message), lexicon)]
    .filter((clause) => clause.asks)
    .map(({ tokens }) => tokens.filter(({ weight }) => weight >= 0.5).map(({ word }) => word))
    .flat()
    .join(' ');
}

test('a request is heard whatever verb it takes, and without a question mark', () => {
  for (const message of [
    'Please declare all medicines.',
    'Please verify your medicines.',
    'Please specify the medicines.',
    'Kindly outline your medicines.',
    'Please be so kind as to list your medicines.',
    'I need her medicines.',
    'For the note I need his medicines.',
    'I have to enter your medicines.',
    'I am required to record the medicines.',
    'I would like to make sure about the medicines.',
    'I was hoping you could name your medicines.',
    'The form wants to know about medicines.',
    'The next field asks for the medicines.',
    'What I still need is your medicines.',
    'The medicines are what I still lack.',
    'Your medicines are still missing from my form.',
    'I do not have your medicines on file.',
    'I am after the medicines.',
    'Medicines, please.',
    'Current medicines.',
    'Let us turn to your medicines.',
    'I would be obliged if you told me your medicines.',
    'One more thing I have to ask is the medicines.',
    'That leaves the question of medicines.',
    'You would not happen to have any medicines, would you?',
    'Medicines are the next item on my list.',
    'Would it be all right to ask about medicines?',
    'May I trouble you for your medicines?',
    'Nobody has told me about your medicines yet.',
    'There is an empty field here for the medicines.',
    'Before I forget, your medicines?',
    'I do not mean to pry, but do you have medicines?',
    'I take it you have medicines?',
    'Am I right in thinking that you have medicines?',
    'Your medicines would be helpful.',
    'Once I have your medicines, I can look them up.',
    'Without your medicines I cannot finish the note.',
    'The medicines, whenever you are ready.',
    'My records do not show whether there are medicines.',
    'I am trying to get a picture of the medicines.',
    'I can finish the note if you tell me the medicines.',
  ])
    assert.equal(askedFor(message), 'medicines', message);
});

test('what is said, ordered, offered or told to others asks for nothing', () => {
  for (const message of [
    'I have noted the medicines.',
    'The medicines, understood.',
    'Thank you, the medicines.',
    'Take your medicines.',
    'Keep the medicines dry.',
    'Please tell the doctor about the medicines.',
    'Medicines take an hour.',
    'I like medicines too.',
    'Such medicines are something the doctor has to know.',
    'Are such medicines expensive?',
    'Congratulations on the medicines.',
    'The doctor will ask about your medicines later.',
    'Your medicines are in the note.',
    'If you take your medicines, you will feel better.',
    'Let me put your medicines in the note.',
    'Please remember your medicines when you come.',
  ])
    assert.equal(askedFor(message), '', message);
});

test('who is excepted is not what is asked for, and the question goes on behind', () => {
  assert.equal(askedFor('Who besides you owns the firm?'), 'who firm');
  assert.equal(askedFor('Are there owners other than yourself?'), 'owners');
  assert.equal(askedFor('Apart from penicillin, any allergies?'), 'allergies');
  assert.equal(askedFor('Any allergies apart from penicillin?'), 'allergies');
});

test('what a question is for is cut off, and what it asks is not', () => {
  assert.equal(askedFor('Which street is it, to find your parcel?'), 'street');
  assert.equal(askedFor('Did you manage to see a doctor?'), 'manage doctor');
  assert.equal(askedFor('Has anyone offered to open the parcel?'), 'offered open parcel');
  assert.equal(askedFor('Please tell me what is missing.'), 'missing');
  assert.equal(askedFor('Is it a screw that is missing?'), 'screw missing');
});

test('politeness is cut at whole words only', () => {
  assert.equal(askedFor('I need confirmation of the diagnosis.'), 'confirmation diagnosis');
  assert.equal(askedFor('What allergies do you have?'), 'allergies');
  assert.equal(askedFor('Do you have any allergies at all?'), 'allergies');
  assert.equal(askedFor('How strong is it on average?'), 'strong');
});

test('people in general are not the person, unless the fact is about them', () => {
  const index = topicIndexOf([['pay =cash'], ['cash ?people pay'], ['pain']], {
    synonyms: [],
    about: '',
    name: '',
  });
  const answers = (message: string) =>
    [...clausesOf(plainText(message), index.lexicon)].flatMap((clause) =>
      fitsOf(clause.tokens, index, () => 0).flatMap(({ topic, sure }) => (sure ? [topic] : [])),
    );
  assert.deepEqual(answers('Do you pay in cash?').toSorted(), [0, 1]);
  assert.deepEqual(answers('Do people pay in cash?'), [1]);
  assert.deepEqual(answers('Do people have pain then?'), []);
});

test('a word with a hyphen that nobody lists is heard by its parts', () => {
  const keys = (word: string) => [...clausesOf(word, lexicon)][0]!.tokens[0]!.keys;
  assert.ok(keys('non-smoker').includes('#smoke'));
  assert.ok(keys('pain-free').includes('#pain'));
});

test('what need not be told is not asked for, however it is put', () => {
  for (const message of [
    'I do not need to know your medicines.',
    'You needn\u2019t tell me your medicines.',
    'There is no need to list your medicines.',
    'I shall not ask about your medicines.',
    'I am not asking yet which medicines you take.',
    'I have not come to ask about your medicines.',
    'Please say nothing of your medicines.',
    'I ask nothing about your medicines.',
    'I need no more about your medicines.',
    'It isn\u2019t necessary to name your medicines.',
    'Please leave aside which medicines you take.',
    'The medicines we can skip.',
    'Your medicines are already noted.',
    'I have your medicines on my screen.',
    'I know which medicines you take.',
    'Let me know another time what medicines you take.',
  ]) {
    const clauses = [...clausesOf(plainText(message), lexicon)];
    assert.ok(
      clauses.every(({ asks, declines }) => declines && !asks),
      message,
    );
  }
});

test('who declines one thing may ask for another', () => {
  for (const message of [
    'You do not have to say, but I would like to know your medicines.',
    'It need not be exact, so please tell me your medicines.',
    'You do not take medicines, do you?',
    'May I know your medicines?',
    'Tell me your medicines, no need to hurry.',
    'Please list your medicines and do not worry about the order.',
    'Is there anything you need not take medicines for?',
  ])
    assert.match(askedFor(message), /medicines/, message);
});

test('a sentence that declines without end is heard to its end', () => {
  assert.equal(askedFor('Never mind but '.repeat(20_000)), '');
});

test('a sentence is looked at as a whole once, however many clauses it has', () => {
  const clauses = [
    ...clausesOf(plainText('Please tell me what it is, when it was, and who saw it.'), lexicon),
  ];
  assert.deepEqual(
    clauses.map(({ whole }) => whole !== undefined),
    [true, false, false],
  );
});

test('other people are asked about where they have to do with the person, and not in general', () => {
  assert.equal(askedFor('Are other people going to use the account?'), 'other account');
  assert.equal(askedFor('Will it be used by other people?'), 'other');
  assert.equal(askedFor('How do other people cope with that?'), '');
});
