import { readFileSync } from 'node:fs';

import { readLines } from './read-lists.ts';
import { stem } from './stem.ts';

/** On how many axes each word has its place; whole numbers, of length 127. Written by scripts/write-word-vectors.ts. */
const axes = 40;

interface Vectors {
  /** As they are written, by how common each is: 0 is the most common. */
  readonly words: ReadonlyMap<string, number>;
  readonly places: ReadonlyMap<string, number>;
  readonly values: Int8Array;
}

let vectors: Vectors | undefined;

/**
 * How near two words are in meaning, by their stems: 1 for the same, about 0 where they have nothing to do with each
 * other, and 0 for one that nobody knows.
 */
export function kinship(one: string, other: string): number {
  if (one === other) return 1;
  const { places, values } = (vectors ??= readVectors());
  const from = places.get(one);
  const to = places.get(other);
  if (from === undefined || to === undefined) return 0;
  let sum = 0;
  for (let at = 0; at < axes; at++) sum += values[from + at]! * values[to + at]!;
  return sum / 127 ** 2;
}

/** Whether a word, by its stem, is one of the 20,000 most common. */
export function isCommon(word: string): boolean {
  return (vectors ??= readVectors()).places.has(word);
}

/** The 20,000 most common words, each with its place among them. */
export function commonWords(): ReadonlyMap<string, number> {
  return (vectors ??= readVectors()).words;
}

function readVectors(): Vectors {
  const words = readLines(new URL('./data/vector-words.txt', import.meta.url));
  const bytes = readFileSync(new URL('./data/vectors.bin', import.meta.url));
  return {
    words: new Map(words.map((word, place) => [word, place] as const)),
    // The most common word with a stem stands for all of them.
    places: new Map(words.map((word, place) => [stem(word), place * axes] as const).toReversed()),
    values: new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length),
  };
}
