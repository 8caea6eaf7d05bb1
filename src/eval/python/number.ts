import { PythonException } from './exception.ts';

/** A number as arithmetic takes it: True and False count as 1 and 0. */
export type PythonNumber = bigint | number;

/** An int as a float: the nearest one, or the error that Python raises where there is none. */
export function toFloat(value: PythonNumber): number {
  const float = Number(value);
  if (typeof value === 'bigint' && !Number.isFinite(float))
    throw tooLarge('int too large to convert to float');
  return float;
}

/** `+`, `-` and `*` of two numbers: an int of two ints, else a float. */
export function arithmetic(operator: '+' | '-' | '*', left: PythonNumber, right: PythonNumber): PythonNumber {
  if (typeof left === 'bigint' && typeof right === 'bigint') {
    if (operator === '+') return left + right;
    return operator === '-' ? left - right : left * right;
  }
  const a = toFloat(left);
  const b = toFloat(right);
  if (operator === '+') return a + b;
  return operator === '-' ? a - b : a * b;
}

/** Python's `/`. */
export function divide(left: PythonNumber, right: PythonNumber): number {
  if (typeof left === 'bigint' && typeof right === 'bigint') {
    if (right === 0n) throw divisionByZero('division by zero');
    return ratio(left, right);
  }
  const divisor = toFloat(right);
  if (divisor === 0) throw divisionByZero('float division by zero');
  return toFloat(left) / divisor;
}

/** Python's `//`: rounded down, not towards zero. */
export function floorDivide(left: PythonNumber, right: PythonNumber): PythonNumber {
  if (typeof left === 'bigint' && typeof right === 'bigint') {
    if (right === 0n) throw divisionByZero('integer division or modulo by zero');
    const quotient = left / right;
    return left % right !== 0n && left < 0n !== right < 0n ? quotient - 1n : quotient;
  }
  const a = toFloat(left);
  const b = toFloat(right);
  if (b === 0) throw divisionByZero('float floor division by zero');
  const remainder = a % b;
  let quotient = (a - remainder) / b;
  if (remainder !== 0 && b < 0 !== remainder < 0) quotient -= 1;
  if (quotient === 0) return a / b < 0 || Object.is(a / b, -0) ? -0 : 0;
  const floor = Math.floor(quotient);
  return quotient - floor > 0.5 ? floor + 1 : floor;
}

/** Python's `**`; `undefined` where the result is complex. */
export function power(base: PythonNumber, exponent: PythonNumber): PythonNumber | undefined {
  if (typeof base === 'bigint' && typeof exponent === 'bigint' && exponent >= 0n) {
    const size = base < 0n ? -base : base;
    // No double and no memory holds it; Python would still be computing.
    if (size > 1n && BigInt(size.toString(2).length) * exponent > longestPower) {
      throw tooLarge('int too large to convert to float');
    }
    return size > 1n ? base ** exponent : base ** (exponent === 0n ? 0n : 2n - (exponent & 1n));
  }
  const a = toFloat(base);
  const b = toFloat(exponent);
  if (a === 0 && b < 0) throw divisionByZero('0.0 cannot be raised to a negative power');
  if (a < 0 && Number.isFinite(a) && Number.isFinite(b) && !Number.isInteger(b)) return undefined;
  // IEEE 754 and Python say 1 where JavaScript says NaN.
  const result = a === 1 || (a === -1 && !Number.isFinite(b) && !Number.isNaN(b)) ? 1 : a ** b;
  if (!Number.isFinite(result) && Number.isFinite(a) && Number.isFinite(b)) {
    throw tooLarge("(34, 'Numerical result out of range')");
  }
  return result;
}

const longestPower = 4_000_000n;

/** Python's `round(value, digits)`: half to even on the binary value; an int stays as it is. */
export function round(value: PythonNumber, digits: 0 | 1 | 2): PythonNumber {
  if (typeof value === 'bigint' || !Number.isFinite(value) || Math.abs(value) >= 1e21) return value;
  const scale = 10 ** digits;
  // A tie is an exact binary half of the last digit: only multiples of 1/2, 1/4 and 1/8 can be one.
  const eighths = value * 8;
  const isTie =
    Number.isInteger(eighths) && Number.isInteger(value * scale * 2) && !Number.isInteger(value * scale);
  if (!isTie) return Number(value.toFixed(digits)) || (value < 0 || Object.is(value, -0) ? -0 : 0);
  const down = Math.floor(value * scale);
  return (down % 2 === 0 ? down : down + 1) / scale || (value < 0 ? -0 : 0);
}

function ratio(left: bigint, right: bigint): number {
  const isSmall = (value: bigint): boolean =>
    BigInt(Number.MIN_SAFE_INTEGER) <= value && value <= BigInt(Number.MAX_SAFE_INTEGER);
  if (isSmall(left) && isSmall(right)) return Number(left) / Number(right);
  const isNegative = left < 0n !== right < 0n;
  const dividend = left < 0n ? -left : left;
  const divisor = right < 0n ? -right : right;
  if (dividend === 0n) return 0;
  // 66 bits of the quotient and one that says whether anything follows: the double of that is rounded once.
  const shift = BigInt(66 - (dividend.toString(2).length - divisor.toString(2).length));
  const scaled = shift >= 0n ? dividend << shift : dividend;
  const by = shift >= 0n ? divisor : divisor << -shift;
  const quotient = (scaled / by) | (scaled % by === 0n ? 0n : 1n);
  const half = Math.trunc(-Number(shift) / 2);
  const size = Number(quotient) * 2 ** half * 2 ** (-Number(shift) - half);
  if (!Number.isFinite(size)) throw tooLarge('integer division result too large for a float');
  return isNegative ? -size : size;
}

function divisionByZero(message: string): PythonException {
  return new PythonException('ZeroDivisionError', message);
}

function tooLarge(message: string): PythonException {
  return new PythonException('OverflowError', message);
}
