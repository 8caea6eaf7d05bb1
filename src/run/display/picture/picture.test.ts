import assert from 'node:assert/strict';
import { test } from 'node:test';

import { crop, paint, type Picture } from './picture.ts';
import { readPng, writePng } from './png.ts';
import { scaleTo } from './scale.ts';

function gradient(width: number, height: number): Picture {
  const data = new Uint8Array(width * height * 4);
  for (let at = 0; at < width * height; at++)
    data.set([at % 256, (at >> 3) % 256, Math.floor(at / width) % 256, 255], at * 4);
  return { width, height, data };
}

test('a PNG that is written reads as the same pixels', () => {
  for (const [width, height] of [
    [1, 1],
    [3, 7],
    [64, 33],
  ] as const) {
    const picture = gradient(width, height);
    assert.deepEqual(readPng(writePng(picture)), picture);
  }
});

test('what is not a PNG is named', () => {
  assert.throws(() => readPng(Buffer.from('nothing')), { code: 'picture_unreadable' });
});

test('a picture is scaled to exactly the size asked for, and plain colours stay what they are', () => {
  const plain: Picture = { width: 90, height: 50, data: new Uint8Array(90 * 50 * 4).fill(200) };
  for (const size of [
    { width: 45, height: 25 },
    { width: 31, height: 77 },
    { width: 200, height: 10 },
  ]) {
    const scaled = scaleTo(plain, size);
    assert.deepEqual([scaled.width, scaled.height], [size.width, size.height]);
    assert.ok(scaled.data.every((each, at) => each === (at % 4 === 3 ? 255 : 200)));
  }
});

test('half the size is the mean of four pixels', () => {
  const data = Uint8Array.from([0, 100, 50, 150].flatMap((grey) => [grey, grey, grey, 255]));
  assert.deepEqual(
    [...scaleTo({ width: 2, height: 2, data }, { width: 1, height: 1 }).data],
    [75, 75, 75, 255],
  );
});

test('a part of a picture is that part, and what is painted over is gone', () => {
  const part = crop(gradient(10, 10), { x: 2, y: 3, width: 4, height: 5 });
  assert.deepEqual([part.width, part.height, part.data[0]], [4, 5, 32]);
  const painted = paint(gradient(10, 10), [{ x: 8, y: 8, width: 50, height: 50 }]);
  assert.deepEqual([...painted.data.subarray(99 * 4, 99 * 4 + 3)], [128, 128, 128]);
});
