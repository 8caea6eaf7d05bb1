import { valueError } from '../../python/exception.ts';
import type { PythonNumber } from '../../python/number.ts';

/** A number as `mantissa × 2^exponent`, which every int and every double is. */
interface Binary {
  readonly mantissa: bigint;
  readonly exponent: number;
}

function binaryOf(value: PythonNumber): Binary {
  if (typeof value === 'bigint') return { mantissa: value, exponent: 0 };
  if (!Number.isFinite(value)) throw valueError('not a finite number');
  let [mantissa, exponent] = [value, 0];
  while (!Number.isInteger(mantissa)) {
    mantissa *= 2;
    exponent -= 1;
  }
  return { mantissa: BigInt(mantissa), exponent };
}

/**
 * `repr(mpmath.log(value) / mpmath.log(base))` with `mp.dps` digits, as mpmath 1.3 answers it: both logarithms and the
 * quotient are rounded to its bits, and written with three digits more than asked for.
 */
export function preciseLogarithm(value: PythonNumber, base: PythonNumber, digits: bigint): string {
  if (value <= 0 || base <= 0) throw valueError('the logarithm of a number that is not positive');
  const bits = Math.max(1, Math.round((Number(digits) + 1) * bitsPerDigit));
  const over = rounded(logarithm(binaryOf(value), bits), bits);
  const under = rounded(logarithm(binaryOf(base), bits), bits);
  if (under.mantissa === 0n) throw new RangeError('division by zero');
  // Enough bits that the quotient is cut below its last one, and one that says whether anything follows.
  const shift = bits + 8 + bitLength(under.mantissa);
  const scaled = over.mantissa << BigInt(shift);
  const exact =
    (scaled / under.mantissa) * 2n + (scaled % under.mantissa === 0n ? 0n : signOf(scaled / under.mantissa));
  const quotient = rounded({ mantissa: exact, exponent: over.exponent - under.exponent - shift - 1 }, bits);
  const shownDigits = Math.max(1, Math.round(bits / bitsPerDigit) - 1);
  return `mpf('${decimal(quotient, shownDigits === 15 ? 17 : shownDigits + 3)}')`;
}

const bitsPerDigit = 3.3219280948873626;

/** The natural logarithm, to far more bits than asked for: of the mantissa by a series, and of the power of two. */
function logarithm({ mantissa, exponent }: Binary, bits: number): Binary {
  const precision = bits * 2 + 64;
  const length = bitLength(mantissa);
  const one = 1n << BigInt(precision);
  const scaled = (mantissa << BigInt(precision + 8)) >> BigInt(length + 8);
  const twos = BigInt(length + exponent);
  return {
    mantissa: 2n * inverseTangent(scaled - one, scaled + one, one) + twos * naturalTwo(one),
    exponent: -precision,
  };
}

/** ln 2 = 2 artanh(1/3). */
function naturalTwo(one: bigint): bigint {
  return 2n * inverseTangent(1n, 3n, one);
}

/** artanh(over / under) by its series, in units of `one`. */
function inverseTangent(over: bigint, under: bigint, one: bigint): bigint {
  const ratio = (over * one) / under;
  const square = (ratio * ratio) / one;
  let [sum, power] = [0n, ratio];
  for (let odd = 1n; power / odd !== 0n; odd += 2n) {
    sum += power / odd;
    power = (power * square) / one;
  }
  return sum;
}

/** To this many bits, half to even; what lies a hair beside a whole number is that number. */
function rounded({ mantissa, exponent }: Binary, bits: number): Binary {
  const size = mantissa < 0n ? -mantissa : mantissa;
  const cut = bitLength(size) - bits;
  if (cut <= 0 || size === 0n) return { mantissa, exponent };
  const half = 1n << BigInt(cut - 1);
  const kept = size >> BigInt(cut);
  const rest = size - (kept << BigInt(cut));
  const up = rest > half || (rest === half && (kept & 1n) === 1n);
  const result = up ? kept + 1n : kept;
  return { mantissa: mantissa < 0n ? -result : result, exponent: exponent + cut };
}

/** A number with this many significant digits, half away from zero, as mpmath writes it. */
function decimal({ mantissa, exponent }: Binary, digits: number): string {
  if (mantissa === 0n) return '0.0';
  const sign = mantissa < 0n ? '-' : '';
  const size = mantissa < 0n ? -mantissa : mantissa;
  const spare = BigInt(digits + 3 + Math.abs(Math.ceil((bitLength(size) + exponent) / bitsPerDigit)));
  const scaled = size * 10n ** spare;
  const whole = exponent >= 0 ? scaled << BigInt(exponent) : scaled >> BigInt(-exponent);
  const all = String(whole);
  const rest = 10n ** BigInt(Math.max(0, all.length - digits));
  const kept = String((whole + rest / 2n) / rest);
  const power = all.length - 1 - Number(spare) + (kept.length > Math.min(digits, all.length) ? 1 : 0);
  return sign + placed(kept.replace(/0+$/, ''), power, digits);
}

/** Digits with their point, or with a power of ten where that lies far from them. */
function placed(kept: string, power: number, digits: number): string {
  const withPoint = (text: string, at: number): string => `${text.slice(0, at)}.${text.slice(at) || '0'}`;
  if (power <= Math.min(-Math.trunc(digits / 3), -5) || power >= digits)
    return `${withPoint(kept, 1)}e${power < 0 ? '' : '+'}${power}`;
  return power < 0 ? `0.${'0'.repeat(-power - 1)}${kept}` : withPoint(kept.padEnd(power + 1, '0'), power + 1);
}

/** `repr(Decimal(value).sqrt())` with this many digits, half to even; an exact root keeps no more than it needs. */
export function preciseRoot(value: PythonNumber, precision: bigint): string {
  const { mantissa, exponent } = binaryOf(value);
  // m × 2^-e = m × 5^e × 10^-e.
  const ten = Math.max(0, -exponent);
  const coefficient = mantissa * 5n ** BigInt(ten);
  if (coefficient === 0n) return `Decimal('${scientific(0n, -Math.floor(ten / 2))}')`;
  const ideal = Math.floor(-ten / 2);
  const digits = Number(precision) + 1;
  const isOdd = ten % 2 !== 0;
  let place = (-ten - (isOdd ? 1 : 0)) / 2;
  let number = isOdd ? coefficient * 10n : coefficient;
  const length = String(number).length;
  const shift = digits - Math.ceil(length / 2);
  let isExact = true;
  if (shift >= 0) number *= 100n ** BigInt(shift);
  else {
    const by = 100n ** BigInt(-shift);
    isExact = number % by === 0n;
    number /= by;
  }
  place -= shift;
  let root = squareRoot(number);
  isExact &&= root * root === number;
  if (isExact) {
    if (shift >= 0) root /= 10n ** BigInt(shift);
    else root *= 10n ** BigInt(-shift);
    place += shift;
  } else if (root % 5n === 0n) root += 1n;
  return `Decimal('${fixed(root, isExact ? ideal : place, Number(precision))}')`;
}

/** Rounds to the digits of the context, half to even, and writes as `str(Decimal)` does. */
function fixed(root: bigint, place: number, precision: number): string {
  const surplus = String(root).length - precision;
  if (surplus <= 0) return scientific(root, place);
  const by = 10n ** BigInt(surplus);
  let kept = root / by;
  const rest = root % by;
  if (rest * 2n > by || (rest * 2n === by && kept % 2n === 1n)) kept += 1n;
  const isLonger = String(kept).length > precision;
  return scientific(isLonger ? kept / 10n : kept, place + surplus + (isLonger ? 1 : 0));
}

function scientific(coefficient: bigint, exponent: number): string {
  const digits = String(coefficient);
  const power = exponent + digits.length - 1;
  if (exponent <= 0 && power >= -6) {
    if (exponent === 0) return digits;
    const padded = digits.padStart(1 - exponent, '0');
    return `${padded.slice(0, exponent)}.${padded.slice(exponent)}`;
  }
  const mantissa = digits.length > 1 ? `${digits[0]}.${digits.slice(1)}` : digits;
  return `${mantissa}E${power < 0 ? '-' : '+'}${Math.abs(power)}`;
}

/** The whole part of a square root, by Newton's steps. */
function squareRoot(value: bigint): bigint {
  if (value < 2n) return value;
  let root = 1n << BigInt(Math.ceil(bitLength(value) / 2));
  for (;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

function bitLength(value: bigint): number {
  return (value < 0n ? -value : value).toString(2).length;
}

function signOf(value: bigint): bigint {
  return value < 0n ? -1n : 1n;
}
