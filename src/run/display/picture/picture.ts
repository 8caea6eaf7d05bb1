import { createHash } from 'node:crypto';

import type { Size } from '../../../base/message/frame.ts';

/** A picture as its pixels: four bytes each, red, green, blue and one that is not looked at. */
export interface Picture extends Size {
  readonly data: Uint8Array;
}

/** A rectangle in pixels. */
export interface Region extends Size {
  readonly x: number;
  readonly y: number;
}

/** The part of a picture that a region covers. */
export function crop(picture: Picture, region: Region): Picture {
  const x = Math.min(Math.max(Math.round(region.x), 0), picture.width - 1);
  const y = Math.min(Math.max(Math.round(region.y), 0), picture.height - 1);
  const width = Math.min(Math.max(Math.round(region.width), 1), picture.width - x);
  const height = Math.min(Math.max(Math.round(region.height), 1), picture.height - y);
  const data = new Uint8Array(width * height * 4);
  for (let row = 0; row < height; row++) {
    const start = ((y + row) * picture.width + x) * 4;
    data.set(picture.data.subarray(start, start + width * 4), row * width * 4);
  }
  return { width, height, data };
}

/** The picture with every region painted in one plain grey. */
export function paint(picture: Picture, regions: readonly Region[]): Picture {
  if (regions.length === 0) return picture;
  const data = picture.data.slice();
  for (const region of regions) {
    const left = Math.max(0, Math.floor(region.x));
    const right = Math.min(picture.width, Math.ceil(region.x + region.width));
    const top = Math.max(0, Math.floor(region.y));
    const bottom = Math.min(picture.height, Math.ceil(region.y + region.height));
    if (left >= right) continue;
    for (let y = top; y < bottom; y++)
      data.fill(maskGrey, (y * picture.width + left) * 4, (y * picture.width + right) * 4);
  }
  return { ...picture, data };
}

/** Two pictures are alike, but for what is masked, where their marks are. */
export function pixelMark(picture: Picture, masks: readonly Region[]): string {
  return createHash('sha1').update(paint(picture, masks).data).digest('base64');
}

const maskGrey = 128;
