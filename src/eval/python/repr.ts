import { compareText, type PythonValue } from './value.ts';

/** Python's `repr(value)`. */
export function repr(value: PythonValue): string {
  if (value === null) return 'None';
  switch (typeof value) {
    case 'boolean':
      return value ? 'True' : 'False';
    case 'bigint':
      return String(value);
    case 'number':
      return reprOfFloat(value);
    case 'string':
      return reprOfText(value);
    default:
      if (Array.isArray(value)) return `[${value.map(repr).join(', ')}]`;
      return `{${[...value].map(([key, item]) => `${reprOfText(key)}: ${repr(item)}`).join(', ')}}`;
  }
}

/** Python's `str(value)`: text as it is, all else as `repr`. */
export function str(value: PythonValue): string {
  return typeof value === 'string' ? value : repr(value);
}

/**
 * `repr` of a value whose dicts were made tuples of pairs in the order of their keys, and whose lists were made tuples:
 * the text that tau-bench hashes.
 */
export function reprOfHashable(value: PythonValue): string {
  if (Array.isArray(value)) return tuple(value.map(reprOfHashable));
  if (!(value instanceof Map)) return repr(value);
  const keys = [...value.keys()].toSorted(compareText);
  return tuple(keys.map((key) => `(${reprOfText(key)}, ${reprOfHashable(value.get(key)!)})`));
}

/** Items that are written already, as a tuple: one alone keeps its comma. */
export function tuple(items: readonly string[]): string {
  return items.length === 1 ? `(${items[0]},)` : `(${items.join(', ')})`;
}

/** Shortest digits that give the same double, as JavaScript, but with Python's exponents and always a point. */
export function reprOfFloat(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  const size = Math.abs(value);
  if (size >= 1e16 || size < 1e-4) {
    const [digits, exponent] = value.toExponential().split('e') as [string, string];
    const power = exponent.slice(1).padStart(2, '0');
    return `${digits}e${exponent[0]}${power}`;
  }
  const text = String(value);
  return text.includes('.') ? text : `${text}.0`;
}

const plain = /^[ !#-&(-[\]-~]*$/;

function reprOfText(text: string): string {
  if (plain.test(text)) return `'${text}'`;
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  let written = quote;
  for (const character of text) written += escaped(character, quote);
  return written + quote;
}

const named: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escaped(character: string, quote: string): string {
  if (character === quote) return `\\${character}`;
  const name = named[character];
  if (name !== undefined) return name;
  if (isPrintable(character)) return character;
  const code = character.codePointAt(0)!;
  if (code <= 0xff) return `\\x${hexadecimal(code, 2)}`;
  return code <= 0xffff ? `\\u${hexadecimal(code, 4)}` : `\\U${hexadecimal(code, 8)}`;
}

function hexadecimal(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0');
}

function isPrintable(character: string): boolean {
  if (character === ' ') return true;
  if (/^[\p{C}\p{Z}]$/u.test(character)) return false;
  const code = character.codePointAt(0)!;
  return !assignedLater().some(([first, last]) => first <= code && code <= last);
}

/**
 * Characters that came with Unicode 15 to 17: Python 3.11 has Unicode 14 and escapes them.
 * Where an engine does not know them either, they are escaped as unassigned already.
 */
const unicode15To17 =
  '88f 897 c5c cdc cf3 ece 1acf-1add 1ae0-1aeb 1b4e-1b4f 1b7f 1c89-1c8a 20c1 2427-2429 2b96 2ffc-2fff 31e4-31e5 31ef ' +
  'a7cb-a7cf a7d2 a7d4 a7da-a7dc a7f1 fbc3-fbd2 fd90-fd91 fdc8-fdce 105c0-105f3 10940-10959 10d40-10d65 10d69-10d85 ' +
  '10d8e-10d8f 10ec2-10ec7 10ed0-10ed8 10efa-10eff 1123f-11241 11380-11389 1138b 1138e 11390-113b5 113b7-113c0 113c2 ' +
  '113c5 113c7-113ca 113cc-113d5 113d7-113d8 113e1-113e2 116d0-116e3 11b00-11b09 11b60-11b67 11bc0-11be1 11bf0-11bf9 ' +
  '11db0-11ddb 11de0-11de9 11f00-11f10 11f12-11f3a 11f3e-11f5a 1342f 13440-13455 13460-143fa 16100-16139 16d40-16d79 ' +
  '16ea0-16eb8 16ebb-16ed3 16ff2-16ff6 187f8-187ff 18cff 18d09-18d1e 18d80-18df2 1b132 1b155 1cc00-1ccfc 1cd00-1ceb3 ' +
  '1ceba-1ced0 1cee0-1cef0 1d2c0-1d2d3 1df25-1df2a 1e030-1e06d 1e08f 1e4d0-1e4f9 1e5d0-1e5fa 1e5ff 1e6c0-1e6de ' +
  '1e6e0-1e6f5 1e6fe-1e6ff 1f6d8 1f6dc 1f774-1f77f 1f7d9 1f8b2-1f8bb 1f8c0-1f8c1 1f8d0-1f8d8 1fa54-1fa57 1fa75-1fa77 ' +
  '1fa87-1fa8a 1fa8e-1fa8f 1faad-1faaf 1fabb-1fabf 1fac6 1fac8 1facd-1facf 1fada-1fadc 1fadf 1fae8-1faea 1faef ' +
  '1faf7-1faf8 1fbcb-1fbef 1fbfa 2b739-2b73f 2cea2-2cead 2ebf0-2ee5d 31350-33479';

let ranges: readonly (readonly [number, number])[] | undefined;

function assignedLater(): readonly (readonly [number, number])[] {
  ranges ??= unicode15To17.split(' ').map((range) => {
    const [first = '', last = first] = range.split('-');
    return [Number.parseInt(first, 16), Number.parseInt(last, 16)];
  });
  return ranges;
}
