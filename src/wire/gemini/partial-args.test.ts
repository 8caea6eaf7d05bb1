import assert from 'node:assert/strict';
import { test } from 'node:test';

import { PartialArgs } from './partial-args.ts';

test('puts streamed arguments together, and tells them as the JSON text that they will be', () => {
  const args = new PartialArgs();
  const told = [
    args.take({ jsonPath: '$.recipe.steps[0].text', stringValue: 'Boil "wa', willContinue: true }),
    args.take({ jsonPath: '$.recipe.steps[0].text', stringValue: 'ter"' }),
    args.take({ jsonPath: '$.recipe.steps[0].minutes', numberValue: 5 }),
    args.take({ jsonPath: '$.recipe.steps[1].text', stringValue: 'Eat' }),
    args.take({ jsonPath: '$.recipe.steps[]' }),
    args.take({ jsonPath: '$.vegan', boolValue: true }),
    args.take({ jsonPath: '$.note', nullValue: null }),
    args.take({ jsonPath: '$.tags[]' }),
    args.end(),
  ].join('');
  const expected = {
    recipe: { steps: [{ text: 'Boil "water"', minutes: 5 }, { text: 'Eat' }] },
    vegan: true,
    note: null,
    tags: [],
  };
  assert.deepEqual(args.object, expected);
  assert.deepEqual(JSON.parse(told), expected);
});

test('takes pairs in any order, and then tells no text that would be wrong', () => {
  const args = new PartialArgs();
  args.take({ jsonPath: '$.b[1]', numberValue: 2 });
  args.take({ jsonPath: '$.b[0]', numberValue: 1 });
  args.end();
  assert.deepEqual(args.object, { b: [1, 2] });
});

test('treats __proto__ as a name like any other', () => {
  const args = new PartialArgs();
  args.take({ jsonPath: '$.__proto__.polluted', boolValue: true });
  assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
  assert.ok(Object.hasOwn(args.object, '__proto__'));
});
