/**
 * Python's `random.Random(seed)`, for seeds that are ints: the Mersenne Twister (Matsumoto and Nishimura 1998,
 * MT19937), seeded by its `init_by_array` with the 32-bit digits of the seed.
 */
export class PythonRandom {
  readonly #state = new Uint32Array(length);
  #at = length;

  constructor(seed: bigint) {
    this.#seed(digitsOf(seed < 0n ? -seed : seed));
  }

  /** `random()`: from 0 up to 1, with 53 bits. */
  random(): number {
    const high = this.#next() >>> 5;
    const low = this.#next() >>> 6;
    return (high * 67_108_864 + low) / 9_007_199_254_740_992;
  }

  /** `uniform(from, to)`. */
  uniform(from: number, to: number): number {
    return from + (to - from) * this.random();
  }

  /** `randint(from, to)`: both ends may come. */
  between(from: bigint, to: bigint): bigint {
    const size = to - from + 1n;
    const bits = size.toString(2).length;
    let drawn = this.#bits(bits);
    while (drawn >= size) drawn = this.#bits(bits);
    return from + drawn;
  }

  #bits(count: number): bigint {
    let drawn = 0n;
    for (let at = 0; at < count; at += 32) {
      const word = this.#next() >>> Math.max(0, 32 - (count - at));
      drawn |= BigInt(word) << BigInt(at);
    }
    return drawn;
  }

  #next(): number {
    if (this.#at >= length) this.#twist();
    let word = this.#state[this.#at++]!;
    word ^= word >>> 11;
    word ^= (word << 7) & 0x9d2c5680;
    word ^= (word << 15) & 0xefc60000;
    return (word ^ (word >>> 18)) >>> 0;
  }

  #twist(): void {
    const state = this.#state;
    for (let at = 0; at < length; at++) {
      const mixed = (state[at]! & 0x80000000) | (state[(at + 1) % length]! & 0x7fffffff);
      state[at] = state[(at + 397) % length]! ^ (mixed >>> 1) ^ (mixed & 1 ? 0x9908b0df : 0);
    }
    this.#at = 0;
  }

  #seed(key: readonly number[]): void {
    const state = this.#state;
    state[0] = 19_650_218;
    for (let at = 1; at < length; at++)
      state[at] = Math.imul(1_812_433_253, state[at - 1]! ^ (state[at - 1]! >>> 30)) + at;
    let at = 1;
    const step = (factor: number, added: number): void => {
      const before = state[at - 1]!;
      state[at] = (state[at]! ^ Math.imul(before ^ (before >>> 30), factor)) + added;
      at += 1;
      if (at < length) return;
      state[0] = state[length - 1]!;
      at = 1;
    };
    for (let round = 0; round < Math.max(length, key.length); round++)
      step(1_664_525, key[round % key.length]! + (round % key.length));
    for (let round = 1; round < length; round++) step(1_566_083_941, -at);
    state[0] = 0x80000000;
  }
}

const length = 624;

function digitsOf(seed: bigint): readonly number[] {
  const digits: number[] = [];
  for (let rest = seed; rest > 0n; rest >>= 32n) digits.push(Number(rest & 0xffffffffn));
  return digits.length === 0 ? [0] : digits;
}
