import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { JsonValue } from '../../../base/json/value.ts';
import { loadChecker } from '../../../base/schema/check/check.ts';
import { matchField } from './match-field.ts';

await loadChecker();

const cases: readonly (readonly [JsonValue, JsonValue | undefined, number, RegExp])[] = [
  ['yes', ' YES ', 1, /as expected/],
  ['yes', 'no', 0, /expected "yes", got "no"/],
  ['yes', undefined, 0, /got nothing/],
  [{ equal: { a: 1, b: 2 } }, { b: 2, a: 1 }, 1, /as expected/],
  [{ one_of: ['a', 'b'] }, 'b', 1, /one of/],
  [{ one_of: ['a', 'b'] }, 'c', 0, /expected one of "a", "b", got "c"/],
  [{ near: 10, within: 1 }, 11, 1, /within 1/],
  [{ near: 10, within: 1 }, '11.5', 0, /give or take 1, got 11.5/],
  [{ near: 200, percent: 5 }, 209, 1, /within 10/],
  [{ near: 10 }, 'ten', 0, /expected a number/],
  [{ near: -10, within: 1 }, -10.5, 1, /within 1/],
  [{ near: -10, percent: 5 }, '-10.5', 1, /within 0.5/],
  [{ near: -10, within: 1 }, 10, 0, /give or take 1/],
  [{ near: 0.3 }, 0.1 + 0.2, 1, /within 0/],
  [{ near: 1e-10 }, 5e-10, 0, /give or take/],
  [{ near: 9007199254740991 }, 9007199254730991, 0, /give or take/],
  [{ near: 10 }, JSON.parse('1e999') as number, 0, /expected a number/],
  [{ near: 1200 }, '1,200', 1, /within/],
  [{ near: 12 }, '1,2', 0, /expected a number/],
  [{ near: 16 }, '0x10', 0, /expected a number/],
  [{ near: 0 }, ' ', 0, /expected a number/],
  [{ near: 0 }, false, 0, /expected a number/],
  [{ near: 0 }, '-0.0', 1, /within/],
  [{ list: ['a', 'b'] }, ['B', 'a'], 1, /as expected/],
  [{ list: ['a', 'b'] }, ['a'], 0.5, /lacks "b"/],
  [{ list: ['a', 'b'] }, ['a', 'b', 'c'], 0.5, /"c" too many/],
  [{ list: ['a', 'b'], extra: 'allowed' }, ['a', 'b', 'c'], 1, /as expected/],
  [{ list: ['a', 'b', 'c'], at_least: 2, extra: 'allowed' }, ['c', 'a'], 1, /as expected/],
  [{ list: ['a', 'b'], ordered: true }, ['A', 'b'], 1, /as expected/],
  [{ list: ['a', 'b'], ordered: true }, ['b', 'a'], 0, /^the list has "a" in another place\.$/],
  [{ list: ['a', 'b', 'c'], ordered: true }, ['a', 'c'], 2 / 3, /lacks "b"/],
  [{ list: ['a', 'c'], ordered: true, extra: 'allowed' }, ['a', 'b', 'c'], 1, /as expected/],
  [{ list: ['a', 'a'] }, ['a'], 0.5, /lacks "a"/],
  [{ list: [] }, [], 1, /as expected/],
  [{ list: [] }, ['None'], 1, /says that there is nothing/],
  [{ list: [] }, ['No known allergies.'], 1, /says that there is nothing/],
  [{ list: [] }, ['NKDA'], 1, /says that there is nothing/],
  [{ list: [] }, ['none', 'a'], 0, /"none", "a" too many/],
  [{ list: [] }, ['none of the above'], 0, /too many/],
  [{ list: ['a'] }, ['a', 'none'], 0, /"none" too many/],
  [{ list: ['a', 'b'] }, ['a', 'a', 'b'], 0.5, /has "a" too many/],
  [{ list: [['A'], { b: 'C' }] }, [{ b: 'c' }, ['a']], 1, /as expected/],
  [['A', 'b'], ['a', 'B'], 1, /as expected/],
  [{ list: [] }, undefined, 1, /nothing was expected/],
  [{ list: ['a'] }, 'a', 0, /expected a list/],
  [{ date: { from: '2024-02-01', to: '2024-02-29' } }, '2024-02-29T10:00:00Z', 1, /in time/],
  [{ date: { from: '2024-02-01', to: '2024-02-29' } }, '2024-02-30', 0, /expected a date such as/],
  [{ date: { from: '2024-02-01' } }, '2024-01-31', 0, /expected a date from 2024-02-01/],
  [{ date: '2024-02-15' }, '2024-02-15T23:30:00-05:00', 1, /in time/],
  [{ date: '2024-02-16' }, '2024-02-15T23:30:00-05:00', 0, /got 2024-02-15/],
  [{ date: '2024-02-15' }, '2024-02-15 or 2024-02-16', 0, /expected a date such as/],
  [{ date: { from: 'February' } }, '2024-02-15', 0, /cannot be read/],
  [{ date: '2023-02-29' }, '2023-02-29', 0, /expected a date such as/],
  [{ quantity: '40 kg' }, '88.2 lbs', 1, /is 40 kg/],
  [{ quantity: '40 kg' }, '40 kilograms', 1, /is 40 kg/],
  [{ quantity: '-5 °C', within: 0.5 }, '23 °F', 1, /is -5/],
  [{ quantity: '2 h' }, '120 minutes', 1, /is 2 h/],
  [{ quantity: '$1,200' }, '-$1,200', 0, /expected \$1,200/],
  [{ quantity: '12 kg' }, '1,2 kg', 0, /expected a quantity/],
  [{ quantity: '40 kg' }, 40, 0, /no unit/],
  [{ quantity: '2 h' }, '2 hrs', 1, /is 2 h/],
  [{ quantity: '0.5 mg' }, '500 mcg', 1, /is 0\.5 mg/],
  ["the driver's log", 'The driver’s log', 1, /as expected/],
  [{ quantity: '40 kg' }, `${'1'.repeat(900_000)}!`, 0, /expected a quantity/],
  [{ quantity: '3 boxes' }, '3 Boxes', 1, /is 3 boxes/],
  [{ quantity: '40 kg', within: 1 }, '42 kg', 0, /expected 40 kg/],
  [{ quantity: '40 kg' }, '40 cm', 0, /another unit/],
  [{ quantity: '$1,200' }, '1200 USD', 1, /is \$1,200/],
  [
    { text: { like: 'lumbar strain after lifting a crate', at_least: 0.6 } },
    'A lumbar strain, after a crate was lifted',
    1,
    /says what it should/,
  ],
  [{ text: { contains: ['strain', 'lifting'] } }, 'A strain.', 0.5, /lacks "lifting"/],
  [{ text: { says: ['lower_back pain'] } }, 'Pain in the lower back.', 1, /says what it should/],
  [{ text: { says: ['lower_back pain'] } }, 'Pain that gets lower in the back.', 0, /says none of/],
  [{ list: ['a', 'b', 'c'], at_least: 2 }, ['a', 'c', 'd'], 2 / 3, /^the list has "d" too many\.$/],
  [{ list: ['a', 'b', 'c'], at_least: 2 }, ['a'], 0.5, /^the list lacks "b", "c" \(2 are needed\)\.$/],
  [{ schema: { type: 'number' } }, 'x', 0, /^the value: expected a number, got "x"\.$/],
  [{ text: { says: ['see doctor'] } }, 'Please visit your physician; see her soon.', 0, /says none of/],
  [{ text: { says: ['see doctor'] } }, 'You should see a physician.', 1, /says what it should/],
  [{ text: { says: ['see doctor'] } }, 'You need not see a physician.', 0, /says none of/],
  [{ text: { matches: '^wc-\\d+$' } }, 'WC-17', 1, /says what it should/],
  [{ text: { matches: '^(a+)+$' } }, `${'a'.repeat(9000)}!`, 0, /does not fit/],
  [{ text: { matches: '(' } }, '(', 0, /does not fit/],
  [{ text: { like: 'She lifted a crate.' } }, '', 0, /0.00 close/],
  [{ text: { like: 'Пациент поднял ящик' } }, 'Совсем другое дело', 0, /0.00 close/],
  [{ text: { like: 'Пациент поднял ящик' } }, 'пациент поднял тяжёлый ящик', 1, /says what it should/],
  [{ text: { like: '搬箱子时扭伤了腰' } }, '今天天气很好', 0, /0.00 close/],
  [{ text: { contains: ['ящик'], at_most_words: 2 } }, 'ящик ящик ящик', 0, /3 words, 2 are allowed/],
  [{ text: { contains: ['a'], at_most_words: 3 } }, 'a b c d', 0, /4 words, 3 are allowed/],
  [{ schema: { type: 'string', minLength: 3 } }, 'ab', 0, /expected/],
  [{ schema: { type: 'string', minLength: 3 } }, 'abc', 1, /as its schema asks/],
  [{ absent: true }, undefined, 1, /as expected/],
  [{ absent: true }, 'x', 0, /expected nothing here, got "x"/],
  [{ present: true }, '', 0, /expected something/],
  [{ present: true }, ' \n', 0, /expected something/],
  [{ present: true }, [], 0, /expected something/],
  [{ present: true }, 0, 1, /something is here/],
  [{ absent: true }, {}, 1, /as expected/],
];

test('each matcher matches what it should, and says why it missed', () => {
  for (const [wanted, found, share, reason] of cases) {
    const matched = matchField(wanted, found);
    const name = `${JSON.stringify(wanted)} on ${JSON.stringify(found)}`;
    assert.ok(Math.abs(matched.share - share) < 1e-9, `${name}: ${matched.share} (${matched.reason()})`);
    assert.match(matched.reason(), reason, name);
  }
});

test('no value at all breaks a matcher, and none gives a share outside of 0 to 1', () => {
  const values: readonly (JsonValue | undefined)[] = [
    undefined,
    null,
    '',
    'x',
    0,
    -1,
    1e300,
    true,
    [],
    [[]],
    {},
    { value: 1 },
    ['a', null, {}],
  ];
  for (const [wanted] of cases)
    for (const value of values) {
      const { share } = matchField(wanted, value);
      assert.ok(share >= 0 && share <= 1, JSON.stringify([wanted, value, share]));
    }
});
