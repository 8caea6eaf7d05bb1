/** The only door to randomness: a number in [0, 1). */
export type Random = () => number;

export const systemRandom: Random = () => Math.random();

/** A repeatable source (mulberry32): the same seed gives the same numbers on every machine. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

// One call of the system for some hundred ids: a call each costs ten times what is done with its bytes.
const pool = new Uint8Array(4000);
let used = pool.length;

/** An id such as `run_7k2…`: a prefix and 20 characters of unguessable randomness. */
export function randomId(prefix: string): string {
  return `${prefix}_${randomText(20)}`;
}

/**
 * As `randomId`, with 9 characters of the time before 16 of randomness: rows of about the same time are then close together
 * in an index, and writing them changes few of its pages.
 */
export function timedId(prefix: string, now: number): string {
  return firstTimedId(prefix, now) + randomText(16);
}

/** Sorts before all ids of this time and later, and behind those of before. */
export function firstTimedId(prefix: string, time: number): string {
  let text = '';
  for (let rest = time; text.length < 9; rest = Math.floor(rest / 32)) text = alphabet[rest % 32]! + text;
  return `${prefix}_${text}`;
}

function randomText(length: number): string {
  if (used + length > pool.length) {
    crypto.getRandomValues(pool);
    used = 0;
  }
  let text = '';
  for (const end = used + length; used < end; used += 1) text += alphabet[pool[used]! & 31];
  return text;
}
