import type { JsonValue } from '../../base/json/value.ts';

/** Thrown for whatever is left to js-yaml; made once, as a stack would cost more than the reading. */
export const beyond = new Error('this is not plain YAML');

const space = 32;
const nine = 57;

/** What words mean without quotes: a number, a truth, nothing, or themselves. */
export function meaning(words: string): JsonValue {
  const first = words.charCodeAt(0);
  if (!mayMean[first]) return words;
  if (first > nine) {
    if (words.length > 5) return words;
    const known = keywords.get(words);
    return known === undefined ? words : known;
  }
  if (simpleNumber.test(words)) return Number(words);
  if (otherNumber.test(words)) throw beyond;
  return words;
}

const keywords: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
  ...['~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
  ...['true', 'True', 'TRUE'].map((word) => [word, true] as const),
  ...['false', 'False', 'FALSE'].map((word) => [word, false] as const),
]);

/** By character code: what may be a number, a truth or nothing begins so. */
const mayMean: readonly boolean[] = Array.from({ length: 128 }, (_, code) =>
  '+-.0123456789~nNtTfF'.includes(String.fromCharCode(code)),
);
const simpleNumber = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/;
const otherNumber =
  /^(?:[-+]?(?:0o[0-7]+|0x[\da-f]+|(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?|\.(?:inf|nan))|---|\.\.\.)$/i;

/** By character code: what words begin with. No indicator but `-`, and nothing beyond Latin letters: those are rare. */
export const startsPlain: readonly boolean[] = Array.from(
  { length: 0x250 },
  (_, code) =>
    (code > space && code < 127 && !'#&*!|>\'"%@`?:,[]{}'.includes(String.fromCharCode(code))) || code > 0xa0,
);
/** By character code: where words end between brackets. */
export const endsInFlow: readonly boolean[] = Array.from({ length: 128 }, (_, code) =>
  ',[]{}'.includes(String.fromCharCode(code)),
);

/** Without spaces at its end: other white space is part of the words. */
export function trimmed(text: string, start: number, end: number): string {
  let last = end;
  while (text.charCodeAt(last - 1) === space) last--;
  return text.slice(start, last);
}
