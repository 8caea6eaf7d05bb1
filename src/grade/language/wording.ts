import { emptyWords, framingWords, lightWords } from './framing-words.ts';
import { stem } from './stem.ts';
import { wordsNeeded } from './words-needed.ts';
import type { OneOf } from './words-needed.ts';

/** Which of the words that wordings need stand in a text: thirty bits to a number. */
export type Signs = readonly number[];

interface Found {
  readonly start: number;
  readonly end: number;
}

/** All that are looked for. */
export const wordings: Wording[] = [];

/** Phrases looked for in plain text, as one expression: tried only where the text holds the words that they need. */
export class Wording {
  readonly expression: RegExp;
  /** For each alternative the bits that must be there. Nothing is needed until that was read off. */
  #needs: readonly Signs[] = [[]];
  /** One of these must be there, whichever alternative it is. */
  #least: Signs | undefined;

  constructor(expression: string | RegExp, flags = '') {
    this.expression = new RegExp(expression, flags);
    wordings.push(this);
  }

  /** `signs` may be those of a longer text that this one was cut from. */
  isIn(text: string, signs: Signs): boolean {
    return this.mayBeIn(signs) && this.expression.test(text);
  }

  cutFrom(text: string, signs: Signs, instead = ''): string {
    return this.mayBeIn(signs) ? text.replace(this.expression, instead) : text;
  }

  /** Where it stands from a place on; for expressions that go on from a place. */
  findIn(text: string, signs: Signs, from: number): Found | undefined {
    if (!this.mayBeIn(signs)) return undefined;
    this.expression.lastIndex = from;
    const found = this.expression.exec(text);
    return found ? { start: found.index, end: found.index + found[0].length } : undefined;
  }

  mayBeIn(signs: Signs): boolean {
    if (this.#least && !meet(signs, this.#least)) return false;
    for (const needs of this.#needs) if (hold(signs, needs)) return true;
    return false;
  }

  /** Reads off what it needs; `bitOf` numbers what may be needed. */
  prepare(alternatives: readonly (readonly OneOf[])[], bitOf: (words: OneOf) => number): void {
    const least: number[] = [];
    this.#needs = alternatives.map((groups) => {
      const bits: number[] = [];
      for (const group of groups) setBit(bits, bitOf(group));
      if (groups[0]) setBit(least, bitOf(groups[0]));
      return bits;
    });
    if (alternatives.every((groups) => groups.length > 0)) this.#least = least;
  }
}

/**
 * Many phrases looked for together, as one expression with all of them would. It would be thousands of letters long, and
 * V8 takes more than its square to begin with it: 0.3 s for the two lists here, where each of their phrases takes nothing.
 */
export class Wordings {
  readonly #phrases: readonly Wording[];

  constructor(phrases: readonly string[]) {
    this.#phrases = phrases.map((phrase) => new Wording(phrase, 'g'));
  }

  isIn(text: string, signs: Signs): boolean {
    return this.#phrases.some((phrase) => phrase.findIn(text, signs, 0) !== undefined);
  }

  /** The text with a space for each that is found: the first in the text, and of those the first in the list. */
  cutFrom(text: string, signs: Signs): string {
    const open = this.#phrases.filter((phrase) => phrase.mayBeIn(signs));
    if (open.length === 0) return text;
    const ahead = open.map((phrase) => phrase.findIn(text, signs, 0));
    let rest = '';
    for (let from = 0; ;) {
      let first: Found | undefined;
      for (const [index, found] of ahead.entries()) {
        // What was taken away hides what began in it.
        if (found && found.start < from) ahead[index] = open[index]!.findIn(text, signs, from);
        const next = ahead[index];
        if (next && (!first || next.start < first.start)) first = next;
      }
      if (!first) return rest + text.slice(from);
      rest += `${text.slice(from, first.start)} `;
      from = first.end;
    }
  }
}

/** Some bit stands in both. */
function meet(signs: Signs, others: Signs): boolean {
  for (let place = 0; place < others.length; place++) if ((signs[place]! & others[place]!) !== 0) return true;
  return false;
}

/** Every bit of the others stands in the first. */
function hold(signs: Signs, others: Signs): boolean {
  for (let place = 0; place < others.length; place++)
    if ((signs[place]! & others[place]!) !== others[place]) return false;
  return true;
}

interface Needed {
  readonly whole: ReadonlyMap<string, Signs>;
  readonly marks: readonly (readonly [mark: string, signs: Signs])[];
  /** What words may begin with, end with, or hold: `tell*`. */
  readonly parts: readonly (readonly [part: string, signs: Signs])[];
  /** To how many numbers the bits come. */
  readonly places: number;
}

let needed: Needed | undefined;

function noSigns({ places }: Needed): number[] {
  return Array<number>(places).fill(0);
}

/** The signs of the marks in a text, to which those of its words are to be added. */
export function marksIn(text: string): number[] {
  needed ??= prepare();
  const all = noSigns(needed);
  for (const [mark, signs] of needed.marks) if (text.includes(mark)) addSigns(all, signs);
  return all;
}

export function allSigns(some: readonly Signs[]): Signs {
  if (some.length === 1) return some[0]!;
  needed ??= prepare();
  const all = noSigns(needed);
  for (const signs of some) addSigns(all, signs);
  return all;
}

function addSigns(all: number[], signs: Signs): void {
  for (let place = 0; place < signs.length; place++) all[place]! |= signs[place]!;
}

/** The signs of a word, most of which has none: the places of bits, each with the bits behind it. */
export function signsOf(word: string): readonly number[] {
  needed ??= prepare();
  const all = noSigns(needed);
  for (const piece of word.match(/\w+/g) ?? []) {
    addSigns(all, needed.whole.get(piece) ?? []);
    for (const [part, signs] of needed.parts) if (isPart(part, piece)) addSigns(all, signs);
  }
  return all.flatMap((bits, place) => (bits === 0 ? [] : [place, bits]));
}

function isPart(part: string, word: string): boolean {
  if (!part.startsWith('*')) return word.startsWith(part.slice(0, -1));
  return part.endsWith('*') ? word.includes(part.slice(1, -1)) : word.endsWith(part.slice(1));
}

function prepare(): Needed {
  const groups = new Map<string, number>();
  const found = new Map<string, number[]>();
  const bitOf = (words: OneOf) => {
    const name = [...words].toSorted().join(' ');
    let bit = groups.get(name);
    if (bit === undefined) {
      groups.set(name, (bit = groups.size));
      for (const word of words) {
        if (!found.has(word)) found.set(word, []);
        setBit(found.get(word)!, bit);
      }
    }
    return bit;
  };
  // Some phrases stand in two lists.
  const known = new Map<string, readonly (readonly OneOf[])[]>();
  for (const wording of wordings) {
    const { source } = wording.expression;
    const alternatives = known.get(source) ?? wordsNeeded(source, commonness);
    known.set(source, alternatives);
    wording.prepare(alternatives, bitOf);
  }
  return {
    whole: found,
    marks: [...found].filter(([word]) => /^[^\w*]/.test(word)),
    parts: [...found].filter(([word]) => word.includes('*')),
    places: Math.ceil(groups.size / 30),
  };
}

function setBit(bits: number[], bit: number): void {
  const place = Math.floor(bit / 30);
  while (bits.length <= place) bits.push(0);
  bits[place]! |= 1 << (bit % 30);
}

/** Small words stand in every sentence, and rule nothing out. */
function commonness(needed: string): number {
  const word = needed.replaceAll('*', '');
  if (emptyWords.has(word)) return 30;
  if (!/\w/.test(word)) return 5;
  const itsStem = stem(word);
  return framingWords.has(itsStem) || lightWords.has(itsStem) ? 4 : 1;
}
