import type { Size } from '../../../base/message/frame.ts';
import type { Picture } from './picture.ts';

/** The picture at exactly this size: each new pixel is the mean of what it covers, or lies between its neighbours. */
export function scaleTo(picture: Picture, size: Size): Picture {
  if (picture.width === size.width && picture.height === size.height) return picture;
  const across = weights(picture.width, size.width);
  const down = weights(picture.height, size.height);
  const { data } = picture;
  const stripe = new Float32Array(size.width * picture.height * 3);
  for (let y = 0; y < picture.height; y++) {
    const row = y * picture.width * 4;
    for (let x = 0; x < size.width; x++) {
      const from = across.from[x]!;
      const to = across.from[x + 1 + size.width]!;
      let red = 0;
      let green = 0;
      let blue = 0;
      for (let at = from, weight = across.start[x]!; at <= to; at++, weight++) {
        const share = across.share[weight]!;
        const pixel = row + at * 4;
        red += share * data[pixel]!;
        green += share * data[pixel + 1]!;
        blue += share * data[pixel + 2]!;
      }
      const out = (y * size.width + x) * 3;
      stripe[out] = red;
      stripe[out + 1] = green;
      stripe[out + 2] = blue;
    }
  }
  const scaled = new Uint8Array(size.width * size.height * 4);
  const line = size.width * 3;
  const sum = new Float32Array(line);
  for (let y = 0; y < size.height; y++) {
    sum.fill(0.5);
    const to = down.from[y + 1 + size.height]!;
    for (let at = down.from[y]!, weight = down.start[y]!; at <= to; at++, weight++) {
      const share = down.share[weight]!;
      const row = at * line;
      for (let x = 0; x < line; x++) sum[x]! += share * stripe[row + x]!;
    }
    for (let x = 0; x < size.width; x++) {
      const out = (y * size.width + x) * 4;
      scaled[out] = sum[x * 3]!;
      scaled[out + 1] = sum[x * 3 + 1]!;
      scaled[out + 2] = sum[x * 3 + 2]!;
      scaled[out + 3] = 255;
    }
  }
  return { ...size, data: scaled };
}

interface Weights {
  /** The first old pixel that each new one covers; behind them, at `size + 1`, the last. */
  readonly from: Int32Array;
  /** Where the shares of each new pixel begin. */
  readonly start: Int32Array;
  readonly share: Float32Array;
}

/** Which old pixels make each new one, and how much each gives. */
function weights(old: number, size: number): Weights {
  const ratio = old / size;
  const reach = Math.max(ratio, 1);
  const from = new Int32Array(size * 2 + 2);
  const start = new Int32Array(size + 1);
  const shares: number[] = [];
  for (let index = 0; index < size; index++) {
    const middle = (index + 0.5) * ratio;
    const low = Math.max(0, Math.floor(middle - reach / 2));
    const high = Math.min(old - 1, Math.ceil(middle + reach / 2) - 1);
    from[index] = low;
    from[index + 1 + size] = high;
    start[index] = shares.length;
    const covered: number[] = [];
    for (let at = low; at <= high; at++)
      covered.push(Math.max(0, Math.min(at + 1, middle + reach / 2) - Math.max(at, middle - reach / 2)));
    const total = covered.reduce((sum, each) => sum + each, 0);
    shares.push(...covered.map((each) => each / total));
  }
  return { from, start, share: Float32Array.from(shares) };
}
