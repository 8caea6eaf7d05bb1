import assert from 'node:assert/strict';
import { test } from 'node:test';

import { numbersIn } from './number-words.ts';

for (const [text, numbers] of [
  ['a crate of about forty kilos', [40]],
  ['The twenty-ninth of January, a Monday.', [29]],
  ['the sixteenth of March, 16 March', [16]],
  ['40,000 or forty thousand', [40_000]],
  ['one hundred and twenty-five', [125]],
  ['two hundred thousand and five', [200_005]],
  ['2024-02-15 at 14:30', [2024, 2, 15, 14, 30]],
  ['6.5 out of ten', [6.5, 10]],
  ['six, seven, maybe eight', [6, 7, 8]],
  ['First of all, one of us was there.', []],
  ['half an hour, twice a week', [0.5, 2]],
  ['a hundred times', []],
] as const)
  test(`reads the numbers of "${text}"`, () => assert.deepEqual([...numbersIn(text)], numbers));
