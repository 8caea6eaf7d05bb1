import { WhetstoneError } from '../host/errors.ts';
import { canonicalJson } from './canonical.ts';
import type { ExactJson } from './value.ts';

/** SHA-256 of the canonical form, in hexadecimal: the same for equal values, on every machine. */
export function hashJson(value: ExactJson): string {
  return sha256(canonicalJson(value));
}

/** SHA-256 (FIPS 180-4) in hexadecimal, at once; text is taken as UTF-8. Runs in a browser, also without HTTPS. */
export function sha256(input: string | Uint8Array): string {
  if (typeof input !== 'string' && !(input instanceof Uint8Array)) {
    throw new WhetstoneError('json_input', `sha256 takes text or bytes, not ${typeof input}.`, {
      details: { input },
    });
  }
  const bytes = typeof input === 'string' ? new TextEncoder().encode(input) : input;
  const state = Int32Array.from(initial);
  const words = new Int32Array(64);
  const whole = bytes.length & ~63;
  for (let at = 0; at < whole; at += 64) block(state, words, bytes, at);
  const rest = bytes.length - whole;
  const tail = new Uint8Array(rest < 56 ? 64 : 128);
  tail.set(bytes.subarray(whole));
  tail[rest] = 0x80;
  const view = new DataView(tail.buffer);
  view.setUint32(tail.length - 8, Math.floor(bytes.length / 0x20000000));
  view.setUint32(tail.length - 4, (bytes.length << 3) >>> 0);
  for (let at = 0; at < tail.length; at += 64) block(state, words, tail, at);
  let text = '';
  for (const word of state) text += (word >>> 0).toString(16).padStart(8, '0');
  return text;
}

const initial = [
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
];

/** The first 32 bits of the fractions of the cube roots of the first 64 primes. */
const constants = Int32Array.from(firstPrimes(64), (prime) => {
  const root = Math.cbrt(prime);
  return Math.floor((root - Math.floor(root)) * 4294967296);
});

function firstPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < count; candidate++) {
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  }
  return primes;
}

function block(state: Int32Array, words: Int32Array, bytes: Uint8Array, from: number): void {
  for (let i = 0, at = from; i < 16; i++, at += 4) {
    words[i] = (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
  }
  for (let i = 16; i < 64; i++) {
    const early = words[i - 15]!;
    const late = words[i - 2]!;
    const s0 = ((early >>> 7) | (early << 25)) ^ ((early >>> 18) | (early << 14)) ^ (early >>> 3);
    const s1 = ((late >>> 17) | (late << 15)) ^ ((late >>> 19) | (late << 13)) ^ (late >>> 10);
    words[i] = (words[i - 16]! + s0 + words[i - 7]! + s1) | 0;
  }
  let a = state[0]!;
  let b = state[1]!;
  let c = state[2]!;
  let d = state[3]!;
  let e = state[4]!;
  let f = state[5]!;
  let g = state[6]!;
  let h = state[7]!;
  for (let i = 0; i < 64; i++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + constants[i]! + words[i]!) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  state[0]! += a;
  state[1]! += b;
  state[2]! += c;
  state[3]! += d;
  state[4]! += e;
  state[5]! += f;
  state[6]! += g;
  state[7]! += h;
}
