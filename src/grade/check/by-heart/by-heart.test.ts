import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { seededRandom } from '../../../base/host/random.ts';
import { readScenario } from '../../scenario/load/read-scenario.ts';
import { beginCheck } from '../check-context.ts';
import { checkAnswers } from './check-by-heart.ts';
import { measureAnswers } from './measure-answers.ts';
import { tellingFact } from './telling-fact.ts';
import type { Case } from './telling-fact.ts';

const rooms: string[] = [];
after(() => rooms.forEach((room) => rmSync(room, { recursive: true })));

/** Parcels that are weighed, looked at and sent: `decides` says what the way follows from. */
function parcels(decides: string, credit = 'discovery: 2, calls: 8', heaviest = 32) {
  const folder = join(mkdtempSync(join(tmpdir(), 'whet-heart-')), 'post', 'parcels');
  rooms.push(folder);
  mkdirSync(folder, { recursive: true });
  const scenario = `
name: Parcels
version: '1.0'
description: A parcel is sent on.
shape: decision
canary: canary-parcels
vary:
  weight: { from: 1, to: ${heaviest} }
  heavy: ['no', 'yes']
  fragile: ['no', 'yes']
  abroad: ['no', 'yes']
derive:
${decides}
briefing: Weigh the parcel, look at it and read its label; note the weight, and decide the way.
credit: { ${credit} }
ends: [way]
tools:
  - { id: weigh, type: function, json_schema: { type: object }, steps: [{ answer: 'It weighs \${weight} kg.', reveals: [weight] }] }
  - { id: look, type: function, json_schema: { type: object }, steps: [{ answer: 'Heavy: \${heavy}. Fragile: \${fragile}. Abroad: \${abroad}.', reveals: [heavy, fragile, abroad] }] }
  - { id: note, type: artifact, json_schema: { type: object, properties: { weight: { type: integer } }, required: [weight] } }
  - { id: way, type: decision, options: [van, hand, air, both] }
facts:
  - { id: weight, is: 'It weighs \${weight} kg.', reveal: hidden }
  - { id: heavy, is: 'Heavy: \${heavy}.', reveal: hidden }
  - { id: fragile, is: 'Fragile: \${fragile}.', reveal: hidden }
  - { id: abroad, is: 'Abroad: \${abroad}.', reveal: hidden }
expect:
  - { id: note, call: note, weight: 2, after: [weight], input: { weight: '\${weight}' } }
  - { id: way, call: way, after: [weight, heavy, fragile, abroad], input: { value: '\${way}' } }
`;
  const paths = `
gold:
  - { say: I look., calls: [{ name: weigh, input: {} }, { name: look, input: {} }] }
  - { calls: [{ name: note, input: { weight: '\${weight}' } }] }
  - { calls: [{ name: way, input: { value: '\${way}' } }] }
`;
  writeFileSync(join(folder, 'scenario.yaml'), scenario);
  writeFileSync(join(folder, 'paths.yaml'), paths);
  const { scenario: read, faults } = readScenario(folder, { collection: 'post', scenario: 'parcels' });
  assert.deepEqual(
    faults.map(({ message }) => message),
    [],
  );
  return read!;
}

const crossing = `  way:
    - { when: { fragile: 'yes', abroad: 'yes' }, is: both }
    - { when: { fragile: 'yes', heavy: 'no' }, is: hand }
    - { when: { fragile: 'no', heavy: 'yes' }, is: van }
    - { when: { abroad: 'yes' }, is: air }
    - { is: van }`;

const one = `  way:
    - { when: { fragile: 'yes' }, is: hand }
    - { is: van }`;

test('where what is right follows from several facts and a number, nothing is said', () => {
  const context = beginCheck(parcels(crossing));
  assert.ok(checkAnswers(context, 64).distinct >= 32);
  assert.deepEqual(context.warnings.all(), []);
});

test('of what would be learned by heart, each way is told', () => {
  const context = beginCheck(parcels(one, 'discovery: 8, calls: 2', 4));
  checkAnswers(context, 64);
  const told = context.warnings
    .all()
    .map(({ message }) => message)
    .join('\n');
  assert.match(told, /There are 8 distinct right answers; 32 or more/);
  assert.match(told, /The fact "fragile" alone predicts the decision in 100 % of the variants/);
  assert.match(told, /The whole interview and the best constant answer earn 0\.[4-9]/);
});

test('answers are counted over all variants, and not by what is in the order of their axes', () => {
  const measure = measureAnswers(parcels(crossing), { played: 64 });
  // 32 weights, each with four ways.
  assert.deepEqual([measure.distinct, measure.counted], [128, 256]);
  const { random, interview, one_fact, gold } = measure.skills;
  assert.ok(random < interview && interview <= one_fact && one_fact < gold, JSON.stringify(measure.skills));
  assert.ok(measure.skills.one_fact < 0.8);
});

test('what follows from axes names only what is before it, and is something in every variant', () => {
  const read = (decides: string) => {
    const folder = mkdtempSync(join(tmpdir(), 'whet-heart-'));
    rooms.push(folder);
    writeFileSync(
      join(folder, 'scenario.yaml'),
      `name: A\nversion: '1'\ndescription: A\ncanary: a\nvary: { a: [1, 2] }\nderive:\n${decides}\nbriefing: '\${b}'\ntools: [{ id: d, type: decision, options: [x, y] }]\nexpect: [{ call: d, input: { value: x } }]\n`,
    );
    return readScenario(folder, { collection: 'a', scenario: 'a' }).faults.map(({ message }) => message);
  };
  assert.deepEqual(read('  b: [{ when: { a: 1 }, is: x }, { is: y }]'), []);
  assert.match(
    read('  b: [{ when: { a: 1 }, is: x }]').join(),
    /last value of "b" is for all other variants/,
  );
  assert.match(
    read('  b: [{ when: { c: 1 }, is: x }, { is: y }]\n  c: [{ is: 1 }]').join(),
    /"b" follows from "c", which is not before it/,
  );
  assert.match(read('  b: [{ is: x }]\n  a: [{ is: 1 }]').join(), /"a" varies already/);
  assert.match(read('  b: [{ when: { a: 3 }, is: x }, { is: y }]').join(), /which no variant has/);
  const points = '  p: { sum: [{ is: 4 }, { when: { a: 2 }, is: 6 }] }';
  assert.deepEqual(read(`${points}\n  b: [{ when: { p: 10 }, is: x }, { is: y }]`), []);
  assert.match(read(`${points}\n  b: [{ when: { p: 5 }, is: x }, { is: y }]`).join(), /one of 0, 4, 6, 10/);
  const filled = "  q: [{ when: { a: 1 }, is: 3 }, { is: 5 }]\n  p: { sum: [{ is: '${q}' }, { is: 1 }] }";
  assert.deepEqual(read(`${filled}\n  b: [{ when: { p: 4 }, is: x }, { is: y }]`), []);
});

test('a fact that tells by its words or by its numbers is found, and a fact of its own in each case tells nothing', () => {
  const random = seededRandom(7);
  const cases = (tell: (right: number, index: number) => string): readonly Case[] =>
    Array.from({ length: 96 }, (_, index) => {
      const right = Math.floor(random() * 3);
      return { facts: new Map([['told', tell(right, index)]]), right: String(right) };
    });
  assert.equal(tellingFact(cases((right) => ['It is red.', 'It is green.', 'Blue.'][right]!)).accuracy, 1);
  const worded = tellingFact(
    cases((right, index) => `Number ${index} is ${['red', 'green', 'blue'][right]}.`),
  );
  assert.equal(worded.accuracy, 1);
  const sized = tellingFact(cases((right, index) => `It weighs ${right * 100 + (index % 90)} kg.`));
  assert.ok(sized.accuracy > 0.9);
  const own = tellingFact(cases((_right, index) => `Parcel ${index}.`));
  assert.ok(own.accuracy < own.constant + 0.2);
});
