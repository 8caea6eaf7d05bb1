import { canonicalJson } from './canonical.ts';
import { canonicalNumber, NumberToken } from './number-token.ts';
import type { ExactJson } from './value.ts';

/**
 * Deep equality of JSON values: the order of keys does not count, `5.0` is `5`, `-0` is `0`, and two number tokens
 * that no double holds are equal when they are written alike. Agrees with `canonicalJson`. Never recurses.
 */
export function jsonEqual(left: ExactJson, right: ExactJson): boolean {
  if (left === right) return true;
  const pairs: unknown[] = [left, right];
  for (let compared = 0; pairs.length > 0; compared++) {
    // Larger than any document, or a value that contains itself: that is refused where it is written.
    if (compared === 2 ** 24) return canonicalJson(left) === canonicalJson(right);
    const b = pairs.pop();
    const a = pairs.pop();
    if (a === b) continue;
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
      if (!sameScalar(a, b)) return false;
    } else if (a instanceof NumberToken || b instanceof NumberToken) {
      if (!sameScalar(a, b)) return false;
    } else if (Array.isArray(a) || Array.isArray(b)) {
      if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
      for (let index = 0; index < a.length; index++) pairs.push(a[index], b[index]);
    } else {
      const keys = Object.keys(a);
      if (keys.length !== Object.keys(b).length) return false;
      for (const key of keys) {
        if (!Object.hasOwn(b, key)) return false;
        pairs.push((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]);
      }
    }
  }
  return true;
}

function sameScalar(a: unknown, b: unknown): boolean {
  if (!(a instanceof NumberToken || b instanceof NumberToken)) return false;
  const left = numberText(a);
  return left !== undefined && left === numberText(b);
}

function numberText(value: unknown): string | undefined {
  if (value instanceof NumberToken) return canonicalNumber(value.text);
  return typeof value === 'number' ? String(value + 0) : undefined;
}
