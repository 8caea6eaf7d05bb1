import { PythonException, typeError } from '../../python/exception.ts';
import { divide, power, type PythonNumber, toFloat } from '../../python/number.ts';
import { asNumber, isGreater, isLess, iterate, operate, sum } from '../../python/operate.ts';
import { isNumber, isTrue, type PythonDict, type PythonValue, typeName } from '../../python/value.ts';
import { type Api, dict, error, method } from './api.ts';
import { preciseLogarithm, preciseRoot } from './precise.ts';

const both = 'Both inputs must be numbers';
const every = 'All elements in the list must be numbers';

/** Arithmetic, one operation a call; it keeps nothing. */
export function startMathematics(): Api {
  return { state: () => new Map(), methods };
}

const methods: Api['methods'] = {
  logarithm: method(['value', 'base', 'precision'], (value = null, base = null, precision = null) => {
    try {
      // What JSON has no form for is answered as Python writes it.
      return `{'result': ${preciseLogarithm(numberOf(value), numberOf(base), precision as bigint)}}`;
    } catch (cause) {
      return error((cause as Error).message);
    }
  }),
  mean: method(['numbers'], (numbers = null) =>
    ofAll(numbers, 'calculate mean', (items) => quotient(sum(items), BigInt(items.length))),
  ),
  standard_deviation: method(['numbers'], (numbers = null) =>
    ofAll(numbers, 'calculate standard deviation', (items) => {
      const count = BigInt(items.length);
      const mean = quotient(sum(items), count);
      const squares = items.map((item) => {
        const apart = operate('-', item, mean);
        return operate('*', apart, apart);
      });
      return Math.sqrt(toFloat(numberOf(quotient(sum(squares), count))));
    }),
  ),
  si_unit_conversion: method(['value', 'unit_in', 'unit_out'], (value = null, from = null, to = null) => {
    if (!isNumber(value)) return error('Value must be a number');
    const [into, out] = [metres.get(String(from)), metres.get(String(to))];
    if (into === undefined || out === undefined) return notSupported(from, to);
    return result(operate('*', operate('*', value, into), 1 / Number(out)));
  }),
  imperial_si_conversion: method(['value', 'unit_in', 'unit_out'], (value = null, from = null, to = null) => {
    if (!isNumber(value)) return error('Value must be a number');
    if (from === to) return result(value);
    const factor = factors.get(`${String(from)}_to_${String(to)}`);
    if (factor === undefined) return notSupported(from, to);
    if (from === 'celsius') return result(operate('+', operate('*', value, factor), 32n));
    return result(operate('*', from === 'fahrenheit' ? operate('-', value, 32n) : value, factor));
  }),
  add: ofTwo('a', 'b', (a, b) => operate('+', a, b)),
  subtract: ofTwo('a', 'b', (a, b) => operate('-', a, b)),
  multiply: ofTwo('a', 'b', (a, b) => operate('*', numberOf(a), numberOf(b))),
  divide: method(['a', 'b'], (a = null, b = null) => {
    if (isNumber(b) && Number(b) === 0) return error('Cannot divide by zero');
    return answered(() => quotient(a, b), both);
  }),
  power: ofTwo('base', 'exponent', (base, exponent) => power(numberOf(base), numberOf(exponent)) ?? null),
  square_root: method(['number', 'precision'], (number = null, precision = null) => {
    try {
      if (isLess(number, 0n)) return error('Cannot calculate square root of a negative number');
      return `{'result': ${preciseRoot(numberOf(number), precision as bigint)}}`;
    } catch {
      return error('Input must be a number or computation resulted in an invalid operation');
    }
  }),
  absolute_value: method(['number'], (number = null) =>
    answered(() => {
      const value = numberOf(number);
      return value < 0 ? -value : value;
    }, 'Input must be a number'),
  ),
  round_number: method(['number', ['decimal_places', 0n]], (number = null, places = 0n) =>
    answered(
      () => roundTo(numberOf(number), places),
      'First input must be a number, second input must be an integer',
    ),
  ),
  percentage: method(['part', 'whole'], (part = null, whole = null) => {
    if (isNumber(whole) && Number(whole) === 0) return error('Whole value cannot be zero');
    return answered(() => operate('*', quotient(part, whole), 100n), both);
  }),
  min_value: method(['numbers'], (numbers = null) =>
    ofAll(numbers, 'find minimum', (items) =>
      items.reduce((least, item) => (isLess(item, least) ? item : least)),
    ),
  ),
  max_value: method(['numbers'], (numbers = null) =>
    ofAll(numbers, 'find maximum', (items) =>
      items.reduce((most, item) => (isGreater(item, most) ? item : most)),
    ),
  ),
  sum_values: method(['numbers'], (numbers = null) => ofAll(numbers, 'calculate sum', (items) => sum(items))),
};

function ofTwo(first: string, second: string, run: (a: PythonValue, b: PythonValue) => PythonValue) {
  return method([first, second], (a = null, b = null) => answered(() => run(a, b), both));
}

function ofAll(
  numbers: PythonValue,
  purpose: string,
  run: (items: readonly PythonValue[]) => PythonValue,
): PythonDict {
  if (!isTrue(numbers)) return error(`Cannot ${purpose} of an empty list`);
  return answered(() => run(iterate(numbers)), every);
}

/** What comes out, or the API's own words where Python raises a `TypeError`. */
function answered(run: () => PythonValue, words: string): PythonDict {
  try {
    return result(run());
  } catch (cause) {
    if (cause instanceof PythonException && cause.type === 'TypeError') return error(words);
    throw cause;
  }
}

function result(value: PythonValue): PythonDict {
  return dict({ result: value });
}

function notSupported(from: PythonValue, to: PythonValue): PythonDict {
  return error(`Conversion from '${String(from)}' to '${String(to)}' is not supported`);
}

function numberOf(value: PythonValue): PythonNumber {
  if (isNumber(value)) return asNumber(value);
  throw typeError(`must be real number, not ${typeName(value)}`);
}

function quotient(left: PythonValue, right: PythonValue): number {
  return divide(numberOf(left), numberOf(right));
}

/** Python's `round(number, places)`: half to even on the binary value. */
function roundTo(number: PythonNumber, places: PythonValue): PythonNumber {
  if (typeof places !== 'bigint') throw typeError('an integer is required');
  if (typeof number === 'bigint') {
    if (places >= 0n) return number;
    const unit = 10n ** -places;
    const rest = ((number % unit) + unit) % unit;
    const down = number - rest;
    const isUp = rest * 2n > unit || (rest * 2n === unit && (down / unit) % 2n !== 0n);
    return isUp ? down + unit : down;
  }
  const at = Number(places);
  if (at > 22 || !Number.isFinite(number)) return number;
  if (at < 0) return Number(roundTo(BigInt(Math.trunc(number)), places));
  const down = Number(number.toFixed(Math.min(at, 100)));
  // A tie that `toFixed` took upwards is one where a digit more says exactly five, and all its digits are there.
  const written = Math.abs(number).toFixed(Math.min(at + 30, 100));
  const isTie = /^50*$/.test(written.slice(written.indexOf('.') + 1 + at));
  if (!isTie) return down;
  const unit = 10 ** -at;
  const isOdd = Math.round(Math.abs(down) / unit) % 2 === 1;
  return isOdd ? Number((down - Math.sign(number) * unit).toFixed(at)) : down;
}

const metres: ReadonlyMap<string, number | bigint> = new Map<string, number | bigint>([
  ['km', 1000n],
  ['m', 1n],
  ['cm', 0.01],
  ['mm', 0.001],
  ['um', 1e-6],
  ['nm', 1e-9],
]);

const factors: ReadonlyMap<string, number> = new Map([
  ['cm_to_in', 0.393701],
  ['in_to_cm', 2.54],
  ['m_to_ft', 3.28084],
  ['ft_to_m', 0.3048],
  ['m_to_yd', 1.09361],
  ['yd_to_m', 0.9144],
  ['km_to_miles', 0.621371],
  ['miles_to_km', 1.60934],
  ['kg_to_lb', 2.20462],
  ['lb_to_kg', 0.453592],
  ['celsius_to_fahrenheit', 1.8],
  ['fahrenheit_to_celsius', 5 / 9],
]);
