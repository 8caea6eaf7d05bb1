import { asking, notAsking } from './asking-words.ts';
import { NumberMap, pairOf } from './number-map.ts';
import type { Word } from './words.ts';

/**
 * How much the form of what is said, whatever it is about, speaks for its asking the person for something (above 0) or
 * against it: "whether", "please describe" for, "shall I", "do you like" against. See asking-words.ts.
 */
export function askingOf(words: readonly Word[]): number {
  const { numbers, places, says, lastMet } = (forms ??= readForms());
  const turn = ++turns;
  let sum = 0;
  let met = 0;
  const meet = (form: number) => {
    if (form < 0 || lastMet[form] === turn) return;
    lastMet[form] = turn;
    sum += says[form]!;
    met++;
  };
  let before = start;
  for (const word of words) {
    const own = (word.form ??= numbers.get(word.text) ?? 0);
    if (own > 0) {
      meet(places.get(own));
      meet(places.get(pairOf(before, own)));
    }
    before = own;
  }
  return (3 * sum) / Math.sqrt(Math.max(1, met));
}

/** Words alone and two by two. */
interface Forms {
  /** Of the words that they are made of, from 1. */
  readonly numbers: ReadonlyMap<string, number>;
  readonly places: NumberMap;
  readonly says: readonly number[];
  /** When each was met last. */
  readonly lastMet: Float64Array;
}

let forms: Forms | undefined;
let turns = 0;

/** Where a clause begins, in a pair. */
const start = 1;

function readForms(): Forms {
  const numbers = new Map([['^', start]]);
  const numberOf = (word: string) => {
    if (!numbers.has(word)) numbers.set(word, numbers.size + 1);
    return numbers.get(word)!;
  };
  const places = new NumberMap();
  const says: number[] = [];
  const read = (lines: readonly string[], sign: number) => {
    for (const entry of lines.flatMap((line) => line.split('|'))) {
      const [, first, word, hundredths] = /^(?:(\S+) )?(\S+):(\d+)$/.exec(entry)!;
      const own = numberOf(word!);
      places.set(first === undefined ? own : pairOf(numberOf(first), own), says.length);
      says.push((sign * Number(hundredths)) / 100);
    }
  };
  read(asking, 1);
  read(notAsking, -1);
  return { numbers, places, says, lastMet: new Float64Array(says.length) };
}
