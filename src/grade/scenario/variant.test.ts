import assert from 'node:assert/strict';
import { test } from 'node:test';

import { axesOf, bindVariant } from './variant.ts';

test('what follows from the axes is the first that holds, a list of all that hold, or their sum', () => {
  const axes = axesOf({
    vary: { size: ['bulky', 'small'], fragile: [true, false] },
    derive: {
      way: [{ when: { size: 'bulky', fragile: true }, is: 'courier' }, { is: 'van' }],
      marks: {
        every: [
          { when: { fragile: true }, is: 'this side up' },
          { when: { size: 'bulky' }, is: 'two carriers' },
        ],
      },
      postage: { sum: [{ is: 4.1 }, { when: { way: 'courier' }, is: 6.2 }] },
    },
  });
  const all = [0, 1, 2, 3].map((variant) => bindVariant(axes, variant));
  const bound = (size: string, fragile: boolean) =>
    all.find((one) => one['size'] === size && one['fragile'] === fragile);
  assert.deepEqual(bound('bulky', true), {
    size: 'bulky',
    fragile: true,
    way: 'courier',
    marks: ['this side up', 'two carriers'],
    postage: 10.3,
  });
  assert.deepEqual(bound('small', false), {
    size: 'small',
    fragile: false,
    way: 'van',
    marks: [],
    postage: 4.1,
  });
});
