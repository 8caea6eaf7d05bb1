import {
  afterE,
  afterMinus,
  afterPoint,
  afterZero,
  inFraction,
  inInteger,
  isWhole,
  nextPhase,
} from './number-phase.ts';
import { keepNumber, type NumberToken } from '../number-token.ts';
import type { List } from './tree.ts';

const powersOfTen = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];

/** As many digits as a double keeps, whatever they are. */
const exactDigits = 15;

/** The least number with this many digits and no leading zero. */
const leastOf = [0, 0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8];

/** Characters as they are after `^ 48`, which makes the value of each digit of it, and no other less than ten. */
const comma = 44 ^ 48;
const minus = 45 ^ 48;
const dot = 46 ^ 48;

/**
 * The number that is being read, wherever the pieces cut it. It is put together from its digits while that is exact:
 * below 2^53 and 10^22 one division rounds as reading the decimal does (Clinger 1990). A number with more digits or an
 * exponent is collected as text.
 */
export class OpenNumber {
  /** It has ended as a number may end, and this is its value. */
  isWhole = false;
  value: number | NumberToken = 0;
  readonly #asWritten: boolean;
  #negative = false;
  #digits = 0;
  /** How many digits have come, zeros in front included. */
  #count = 0;
  /** How many of them come after the point; -1 before it. */
  #places = -1;
  /** The number as written, once its digits are not enough. */
  #text = '';
  #phase = afterMinus;

  constructor(asWritten: boolean) {
    this.#asWritten = asWritten;
  }

  /** Begins with the sign or digit at `at`; what it gives is what `read` gives. */
  begin(piece: string, at: number): number {
    const negative = piece.charCodeAt(at) === 45;
    this.#negative = negative;
    if (this.#text !== '') this.#text = '';
    return this.#readDigits(piece, negative ? at + 1 : at, 0, 0, -1);
  }

  /** Reads on. Gives where the number ends, or the piece. */
  read(piece: string, from: number): number {
    return this.#text === ''
      ? this.#readDigits(piece, from, this.#digits, this.#count, this.#places)
      : this.#readText(piece, from);
  }

  /** Begins with nothing yet, for `readList`. */
  beginList(): void {
    this.#negative = false;
    this.#digits = 0;
    this.#count = 0;
    this.#places = -1;
    if (this.#text !== '') this.#text = '';
  }

  /**
   * Reads on in a list, and appends each number that a comma follows, as long as they have up to nine digits
   * and nothing else is between them. Gives where this ends, for `read` to go on: wide lists of numbers are read
   * twice as fast so.
   */
  readList(piece: string, from: number, list: List): number {
    if (this.#text !== '') return from;
    const { length } = piece;
    let negative = this.#negative;
    let digits = this.#digits;
    let count = this.#count;
    let places = this.#places;
    let at = from;
    // What nine digits can hold, unless more have come already.
    while (at < length && count <= 9) {
      const first = at;
      const before = digits;
      let character = 0;
      while (at < length && (character = piece.charCodeAt(at) ^ 48) < 10) {
        digits = (digits * 10 + character) | 0;
        at++;
      }
      const fresh = at - first;
      count += fresh;
      if (places >= 0) places += fresh;
      if (count > 9 || (places < 0 && count > 1 && digits < (leastOf[count] as number))) {
        digits = before;
        count -= fresh;
        if (places >= 0) places -= fresh;
        at = first;
        break;
      }
      if (at === length) break;
      if (character === comma && count > 0 && places !== 0) {
        // Integers separately, so that they are never doubles on their way into the list.
        if (places > 0) {
          const size = digits / (powersOfTen[places] as number);
          list.push(negative ? -size : size);
        } else if (negative) list.push(-digits);
        else list.push(digits);
        negative = false;
        digits = 0;
        count = 0;
        places = -1;
      } else if (character === dot && count > 0 && places < 0) places = 0;
      else if (character === minus && count === 0 && !negative) negative = true;
      else break;
      at++;
    }
    this.#negative = negative;
    this.#digits = digits;
    this.#count = count;
    this.#places = places;
    return at;
  }

  /** Its sign or a digit has come. */
  get hasBegun(): boolean {
    return this.#text !== '' || this.#count > 0 || this.#negative;
  }

  /** Nothing more comes. */
  end(): void {
    if (this.#text === '') this.#finish(this.#digits, this.#count, this.#places);
    else this.#finishText();
  }

  #readDigits(piece: string, from: number, before: number, counted: number, placed: number): number {
    const { length } = piece;
    let digits = before;
    let count = counted;
    let places = placed;
    let at = from;
    // What `^ 48` makes of a digit is its value, and of no other character one below ten.
    let digit = 0;
    if (places < 0 && (count === 0 || digits > 0)) {
      const first = at;
      for (; at < length && (digit = piece.charCodeAt(at) ^ 48) < 10; at++) {
        digits = digits * 10 + digit;
        // After a zero in front no digit may come.
        if (digits === 0) {
          at++;
          break;
        }
      }
      count += at - first;
    }
    if (places < 0 && count > 0 && at < length && piece.charCodeAt(at) === 46) {
      places = 0;
      at++;
    }
    if (places >= 0) {
      const first = at;
      for (; at < length && (digit = piece.charCodeAt(at) ^ 48) < 10; at++) digits = digits * 10 + digit;
      count += at - first;
      places += at - first;
    }
    if (
      count > exactDigits ||
      (count > 0 && places !== 0 && at < length && isExponent(piece.charCodeAt(at)))
    ) {
      this.#text = this.#written(before, counted, placed);
      this.#phase = phaseOf(before, counted, placed);
      return this.#readText(piece, from);
    }
    if (at < length) this.#finish(digits, count, places);
    else {
      this.#digits = digits;
      this.#count = count;
      this.#places = places;
    }
    return at;
  }

  #finish(digits: number, count: number, places: number): void {
    this.isWhole = count > 0 && places !== 0;
    if (!this.isWhole) return;
    const size = places > 0 ? digits / (powersOfTen[places] as number) : digits;
    const value = this.#negative ? -size : size;
    const mayDiffer = this.#asWritten && (places > 0 || Object.is(value, -0));
    this.value = mayDiffer ? keepNumber(this.#written(digits, count, places)) : value;
  }

  #finishText(): void {
    this.isWhole = isWhole(this.#phase);
    if (this.isWhole) this.value = this.#asWritten ? keepNumber(this.#text) : Number(this.#text);
  }

  /** What may come next, where the number cannot end. */
  get expected(): string {
    return this.#text !== '' && this.#phase === afterE ? 'a digit, "+" or "-"' : 'a digit';
  }

  #readText(piece: string, from: number): number {
    let at = from;
    for (; at < piece.length; at++) {
      const phase = nextPhase(this.#phase, piece.charCodeAt(at));
      if (phase < 0) break;
      this.#phase = phase;
    }
    this.#text += piece.slice(from, at);
    if (at < piece.length) this.#finishText();
    return at;
  }

  /** The characters that have come, from what is known of them. */
  #written(digits: number, count: number, places: number): string {
    const sign = this.#negative ? '-' : '';
    if (count === 0) return sign;
    const all = String(digits).padStart(count, '0');
    return places < 0 ? sign + all : `${sign}${all.slice(0, count - places)}.${all.slice(count - places)}`;
  }
}

function phaseOf(digits: number, count: number, places: number): number {
  if (count === 0) return afterMinus;
  if (places >= 0) return places === 0 ? afterPoint : inFraction;
  return count === 1 && digits === 0 ? afterZero : inInteger;
}

function isExponent(code: number): boolean {
  return code === 101 || code === 69;
}
