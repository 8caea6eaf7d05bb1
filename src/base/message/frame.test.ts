import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { rounds, seed } from '../../../test/rounds.ts';
import { WhetstoneError } from '../host/errors.ts';
import type { Action } from './action.ts';
import { actionToScreen, fitImage, fromScreen, mapPoints, thousandGrid, toScreen } from './frame.ts';

const screen = { width: 2560, height: 1600 };
const image = { kind: 'image', width: 1280, height: 800 } as const;

test('a point of the image that the model saw becomes a pixel of the screen', () => {
  assert.deepEqual(toScreen([640, 400], image, screen), [1280, 800]);
  assert.deepEqual(fromScreen([1280, 800], image, screen), [640, 400]);
});

test('the grid is square whatever the shape of the screen', () => {
  assert.deepEqual(toScreen([500, 500], thousandGrid, { width: 1280, height: 720 }), [640, 360]);
  assert.deepEqual(toScreen([999, 999], thousandGrid, { width: 1280, height: 720 }), [1278, 719]);
  assert.deepEqual(toScreen([1000, 1000], thousandGrid, { width: 1280, height: 720 }), [1279, 719]);
  assert.deepEqual(fromScreen([1279, 719], thousandGrid, { width: 1280, height: 720 }), [999, 999]);
});

test('(0, 0) is a point, and what lies beyond the edge is the edge', () => {
  assert.deepEqual(toScreen([0, 0], image, screen), [0, 0]);
  assert.deepEqual(toScreen([1280, 9000], image, screen), [2559, 1599]);
});

test('a point that is none is refused with point_invalid', () => {
  const refused: readonly (() => unknown)[] = [
    () => toScreen([Number.NaN, 0], image, screen),
    () => toScreen([-1, 0], image, screen),
    () => toScreen([undefined as never, 0], thousandGrid, screen),
    () => toScreen([0, 0], { ...image, width: 0 }, screen),
    () => fromScreen([0, 0], image, { width: Number.NaN, height: 1 }),
  ];
  for (const each of refused) {
    assert.throws(each, (error) => error instanceof WhetstoneError && error.code === 'point_invalid');
  }
});

test('every point of an action is brought to the screen, and its frame is gone', () => {
  const actions: readonly (readonly [Action, Action])[] = [
    [
      { type: 'left_mouse_click', xy: [10, 20], frame: image, modifiers: ['Shift'] },
      { type: 'left_mouse_click', xy: [20, 40], modifiers: ['Shift'] },
    ],
    [
      {
        type: 'drag',
        xy: [
          [0, 0],
          [10, 10],
        ],
        frame: image,
      },
      {
        type: 'drag',
        xy: [
          [0, 0],
          [20, 20],
        ],
      },
    ],
    [
      { type: 'scroll', startXy: [5, 5], distanceXy: [0, 100], frame: image },
      { type: 'scroll', startXy: [10, 10], distanceXy: [0, 100] },
    ],
    [
      { type: 'zoom', region: [0, 0, 640, 400], frame: image },
      { type: 'zoom', region: [0, 0, 1280, 800] },
    ],
    [
      { type: 'left_mouse_click', xy: null, frame: image },
      { type: 'left_mouse_click', xy: null },
    ],
    [{ type: 'left_mouse_click', frame: image }, { type: 'left_mouse_click' }],
  ];
  for (const [given, expected] of actions) assert.deepEqual(actionToScreen(given, screen), expected);
});

test('without a frame the points are pixels of the screen', () => {
  assert.deepEqual(actionToScreen({ type: 'move', xy: [7, 8] }, screen), { type: 'move', xy: [7, 8] });
});

test('mapping points leaves the action that it was given alone', () => {
  const action: Action = { type: 'drag', xy: [[1, 1]], frame: image };
  mapPoints(action, ([x, y]) => [x + 1, y + 1]);
  assert.deepEqual(action, { type: 'drag', xy: [[1, 1]], frame: image });
});

test('an image is made as large as a provider takes it', () => {
  const claude = { longEdge: 2576, patches: { side: 28, count: 4784 } };
  assert.deepEqual(fitImage({ width: 1280, height: 800 }, claude), { width: 1280, height: 800 });
  const fitted = fitImage({ width: 3840, height: 2160 }, claude);
  assert.ok(Math.ceil(fitted.width / 28) * Math.ceil(fitted.height / 28) <= 4784);
  assert.ok(
    Math.ceil((fitted.width + 28) / 28) * Math.ceil((fitted.height + 28) / 28) > 4784,
    JSON.stringify(fitted),
  );
  assert.deepEqual(fitImage({ width: 4000, height: 1000 }, { longEdge: 1568 }), { width: 1568, height: 392 });
});

test('a pixel that a model is told of is at most one cell away when it comes back', () => {
  const sizes = fc.record({
    width: fc.integer({ min: 200, max: 4000 }),
    height: fc.integer({ min: 200, max: 4000 }),
  });
  fc.assert(
    fc.property(
      sizes,
      sizes,
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      fc.boolean(),
      (real, seen, at, grid) => {
        const frame = grid ? thousandGrid : ({ kind: 'image', ...seen } as const);
        const side = frame.kind === 'grid' ? { width: 1000, height: 1000 } : frame;
        const point = [Math.floor(at * real.width), Math.floor(at * real.height)] as const;
        const back = toScreen(fromScreen(point, frame, real), frame, real);
        assert.ok(Math.abs(back[0] - point[0]) <= Math.ceil(real.width / side.width) + 1);
        assert.ok(Math.abs(back[1] - point[1]) <= Math.ceil(real.height / side.height) + 1);
        assert.ok(back[0] < real.width && back[1] < real.height);
      },
    ),
    { numRuns: rounds(1000), seed: seed('points') },
  );
});
