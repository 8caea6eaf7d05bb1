import type { JsonValue } from '../../../base/json/value.ts';

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

/** By byte: what words begin with. No indicator but `-`, and no strange space. */
export const startsPlain: readonly boolean[] = Array.from(
  { length: 256 },
  (_, code) =>
    (code > space && code < 127 && !'#&*!|>\'"%@`?:,[]{}'.includes(String.fromCharCode(code))) || code > 0xc2,
);
/** By byte: where words end between brackets, or on the line. */
export const endsWords: Uint8Array = Uint8Array.from({ length: 256 }, (_, code) => {
  const one = String.fromCharCode(code);
  return ',[]{}\n'.includes(one) ? 1 : '#:'.includes(one) ? code : 0;
});

/** Deeper nests nobody; js-yaml says so of what is far too deep. */
export const maxDepth = 40;
/** They are repeated, not shared, wherever a value is copied: a few of them, and no file grows beyond measure. */
export const maxAliases = 30;
