/**
 * A number that a double would change, kept as it was written: `9007199254740993`, `5.0`, `1e400`, `-0`.
 * The reader makes one only when it is asked to (`numbers: 'as-written'`), and only where `String(Number(text))`
 * is another text; every other number stays a plain number.
 */
export class NumberToken {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
    Object.freeze(this);
    made = true;
  }

  /** The nearest double: what `JSON.parse` would have given. */
  valueOf(): number {
    return Number(this.text);
  }

  toString(): string {
    return this.text;
  }

  /** `JSON.stringify` writes the token as it was read, where the engine can (all since 2025); else the double. */
  toJSON(): unknown {
    const raw = (JSON as { rawJSON?: (text: string) => unknown }).rawJSON;
    return raw === undefined ? Number(this.text) : raw(this.text);
  }
}

let made = false;

/** Whether any token was made yet; where none was, nobody needs to look for one. */
export function mayHoldTokens(): boolean {
  return made;
}

/**
 * What compares as the token does: its double where both are the same number; of other whole numbers a bigint, of
 * other fractions the nearest double that is not a whole number either (beyond 2^52 there is none: the nearest).
 */
export function comparableNumber(token: NumberToken): number | bigint {
  const double = token.valueOf();
  if (Number.isFinite(double) && sameDecimal(token.text, String(double))) return double;
  const { negative, digits, exponent } = decimal(token.text);
  if (digits.length <= exponent) {
    if (exponent > longestWhole) return negative ? -Number.MAX_VALUE : Number.MAX_VALUE;
    const whole = BigInt(digits + '0'.repeat(exponent - digits.length));
    return negative ? -whole : whole;
  }
  if (double === 0) return negative ? -Number.MIN_VALUE : Number.MIN_VALUE;
  if (!Number.isInteger(double) || Math.abs(double) >= 2 ** 52) return double;
  const isAbove = BigInt(digits.slice(0, Math.max(exponent, 0)) || 0) >= BigInt(Math.abs(double));
  return double * (isAbove ? 1 + Number.EPSILON : 1 - Number.EPSILON / 2);
}

/** A number of more digits is not written out. */
const longestWhole = 1000;

/** A number token as a value: a plain number wherever that loses nothing. */
export function keepNumber(text: string): number | NumberToken {
  const value = Number(text);
  return String(value) === text ? value : new NumberToken(text);
}

/**
 * How a token is written in canonical form: as the double (RFC 8785) where both are the same decimal number, so that
 * `5.0`, `5` and `5e0` are one; otherwise as written, so that no two different numbers become one.
 */
export function canonicalNumber(text: string): string {
  const value = Number(text);
  const shortest = String(value);
  return Number.isFinite(value) && sameDecimal(text, shortest) ? String(value + 0) : text;
}

function sameDecimal(left: string, right: string): boolean {
  const a = decimal(left);
  const b = decimal(right);
  if (a.digits === '' || b.digits === '') return a.digits === b.digits;
  return a.negative === b.negative && a.digits === b.digits && a.exponent === b.exponent;
}

/** value = ± 0.digits × 10^exponent, digits without zeros at either end. */
function decimal(text: string): { negative: boolean; digits: string; exponent: number } {
  const [, sign = '', whole = '', fraction = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const all = whole + fraction;
  let first = 0;
  while (first < all.length && all.charCodeAt(first) === 48) first++;
  let last = all.length;
  while (last > first && all.charCodeAt(last - 1) === 48) last--;
  return {
    negative: sign === '-',
    digits: all.slice(first, last),
    exponent: Number(power) + whole.length - first,
  };
}
