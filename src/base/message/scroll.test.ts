import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WhetstoneError } from '../host/errors.ts';
import { convertScroll, scrollAmounts, scrollDistance } from './scroll.ts';

test('a distance is read along each axis, right and down positive', () => {
  assert.deepEqual(scrollAmounts({ type: 'scroll', distanceXy: [0, 250] }), [
    { direction: 'down', amount: 250, unit: 'px' },
  ]);
  assert.deepEqual(scrollAmounts({ type: 'scroll', distanceXy: [-30, -40] }), [
    { direction: 'up', amount: 40, unit: 'px' },
    { direction: 'left', amount: 30, unit: 'px' },
  ]);
});

test('a scroll by nothing is legal and stays one scroll', () => {
  assert.deepEqual(scrollAmounts({ type: 'scroll', distanceXy: [0, 0] }), [
    { direction: 'down', amount: 0, unit: 'px' },
  ]);
  assert.deepEqual(scrollAmounts({ type: 'scroll', direction: 'left', magnitude: 0 }), [
    { direction: 'left', amount: 0, unit: 'notch' },
  ]);
  assert.deepEqual(scrollDistance({ type: 'scroll', direction: 'up', magnitude: 0 }), [0, 0]);
});

test('a magnitude counts notches unless its unit says otherwise', () => {
  assert.deepEqual(scrollDistance({ type: 'scroll', direction: 'up', magnitude: 2 }), [0, -200]);
  assert.deepEqual(
    scrollDistance({ type: 'scroll', direction: 'right', magnitude: 2 }, { pixelsPerNotch: 120 }),
    [240, 0],
  );
  assert.deepEqual(
    scrollDistance({ type: 'scroll', direction: 'down', magnitude: 300, unit: 'px' }),
    [0, 300],
  );
  assert.deepEqual(scrollDistance({ type: 'scroll', direction: 'down' }), [0, 300]);
});

test('a negative magnitude turns round', () => {
  assert.deepEqual(scrollDistance({ type: 'scroll', direction: 'down', magnitude: -1 }), [0, -100]);
});

test('parts of the screen are measured along the axis of the scroll', () => {
  const screen = { width: 1280, height: 800 };
  const down = { direction: 'down', amount: 500, unit: 'norm1000' } as const;
  assert.equal(convertScroll(down, 'px', { screen }).amount, 400);
  assert.equal(convertScroll({ ...down, direction: 'left' }, 'px', { screen }).amount, 640);
  assert.equal(convertScroll({ ...down, amount: 2, unit: 'page' }, 'notch', { screen }).amount, 16);
  assert.equal(convertScroll(down, 'norm1000'), down);
});

test('what cannot be measured is refused with scroll_invalid', () => {
  const refused: readonly (() => unknown)[] = [
    () => scrollDistance({ type: 'scroll', direction: 'down', magnitude: 1, unit: 'page' }),
    () => scrollDistance({ type: 'scroll', direction: 'down', magnitude: Number.NaN }),
    () => scrollAmounts({ type: 'scroll', distanceXy: [0, Infinity] }),
  ];
  for (const each of refused) {
    assert.throws(each, (error) => error instanceof WhetstoneError && error.code === 'scroll_invalid');
  }
});
