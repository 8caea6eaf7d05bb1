import type { JsonValue } from '../../../base/json/value.ts';
import { isJsonObject } from '../../../base/json/value.ts';

/** Texts are equal when only case and white space differ, at any depth: a grade is not a spelling test. */
export function same(wanted: JsonValue, found: JsonValue): boolean {
  if (typeof wanted === 'string' && typeof found === 'string')
    return wanted === found || normal(wanted) === normal(found);
  if (Array.isArray(wanted) && Array.isArray(found))
    return (
      wanted.length === found.length &&
      wanted.every((item: JsonValue, index) => same(item, (found as readonly JsonValue[])[index]!))
    );
  if (!isJsonObject(wanted) || !isJsonObject(found)) return wanted === found;
  const keys = Object.keys(wanted);
  return (
    keys.length === Object.keys(found).length &&
    keys.every((key) => Object.hasOwn(found, key) && same(wanted[key]!, found[key]!))
  );
}

/** A text as it is compared: without its case, its spare white space and the form of its quotation marks. */
export function normal(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[‘’‛]/g, "'")
    .replace(/[“”‟]/g, '"')
    .trim()
    .toLowerCase()
    .replace(/\s+/g, ' ');
}
