import type { Clause } from './clause.ts';

/** What is counted of a text. All are numbers: most are pairs of words, and a text for each would take three times the room. */
export interface Traits {
  readonly all: ReadonlySet<number>;
  /** Of these the words as they are said, each by itself. */
  readonly said: ReadonlySet<number>;
  /** By token, what it may stand for. */
  readonly keys: readonly (readonly number[])[];
  /** All that a sentence turns on, together. */
  readonly gist: number | undefined;
}

/**
 * The traits of a clause: what its words may stand for, two side by side, two telling ones in a row; and all words as
 * they are said, alone and two by two.
 */
export function traitsOf(
  { tokens, saidWords, marked }: Pick<Clause, 'saidWords' | 'marked' | 'tokens'>,
  numberOf: (word: string) => number,
): Traits {
  const all = new Set<number>();
  const said = new Set<number>();
  const addPair = (one: number, other: number) => one > 0 && all.add(one * pairs + other);
  const keys = tokens.map((token) => token.keys.map((key) => keyNumber(key, numberOf)));
  const turnsOn = new Set<string>();
  let asks = marked ? '?' : '.';
  let before = 0;
  let telling = 0;
  for (const [index, { word, keys: its, weight }] of tokens.entries()) {
    const own = numberOf(word);
    for (const key of keys[index]!) all.add(key);
    addPair(before, own);
    before = own;
    if (weight <= 0.3) {
      if (openWords.has(word)) asks = word;
      continue;
    }
    const last = its.at(-1)!;
    addPair(telling, numberOf(last));
    telling = numberOf(last);
    turnsOn.add(last);
  }
  before = 0;
  for (const word of saidWords) {
    const own = numberOf(`'${word}`);
    all.add(own);
    said.add(own);
    addPair(before, own);
    before = own;
  }
  // The same for "Is there a fever?" and "Any fever?", whatever their order and their small words.
  const gist = turnsOn.size > 0 ? numberOf(`${asks}|${[...turnsOn].toSorted().join('|')}`) : undefined;
  return { all, said, keys, gist };
}

/** "How long" is the same whether two words or a phrase with a meaning of its own. */
function keyNumber(key: string, numberOf: (word: string) => number): number {
  const space = key.lastIndexOf(' ');
  if (space < 0) return numberOf(key);
  return numberOf(key.slice(0, space)) * pairs + numberOf(key.slice(space + 1));
}

/** More words than anybody's questions have. */
const pairs = 2 ** 16;

const openWords: ReadonlySet<string> = new Set(['what', 'which', 'how']);
