import type { PythonValue } from '../python/value.ts';

/** Python's `int(text)`: `undefined` where it raises. */
export function readInteger(text: string): bigint | undefined {
  const digits = strip(text);
  if (!/^[+-]?[0-9]+(?:_[0-9]+)*$/.test(digits)) return undefined;
  const plain = digits.replaceAll('_', '');
  return plain.startsWith('-') ? -BigInt(plain.slice(1)) : BigInt(plain.replace('+', ''));
}

const digits = '[0-9]+(?:_[0-9]+)*';
const floatForm = new RegExp(`^[+-]?(?:${digits}\\.?(?:${digits})?|\\.${digits})(?:[eE][+-]?${digits})?$`);

/** Python's `float(text)`: `undefined` where it raises. */
export function readFloat(text: string): number | undefined {
  const written = strip(text);
  const word = /^([+-]?)(?:(inf(?:inity)?)|nan)$/i.exec(written);
  if (word !== null) {
    if (word[2] === undefined) return Number.NaN;
    return word[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }
  return floatForm.test(written) ? Number(written.replaceAll('_', '')) : undefined;
}

/** A number where a text is one to Python, else the text. */
export function numberOrText(text: string): PythonValue {
  return readInteger(text) ?? readFloat(text) ?? text;
}

/** Python's `text.strip()`. */
export function strip(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text.charCodeAt(start))) start++;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

/** White space to Python: unlike JavaScript's, the separators of ASCII and U+0085 are, and the byte order mark is not. */
function isSpace(code: number): boolean {
  if (code < 0x80) return code === 0x20 || (code >= 0x09 && code <= 0x0d) || (code >= 0x1c && code <= 0x1f);
  return code === 0x85 || (code !== 0xfeff && /\s/.test(String.fromCharCode(code)));
}

/** Python's `text[1:-1]`. */
export function withoutEnds(text: string): string {
  return [...text].slice(1, -1).join('');
}

/** Whether a text begins and ends with a quote; one alone does both. */
export function isQuoted(text: string, quote: string): boolean {
  return text.startsWith(quote) && text.endsWith(quote);
}
