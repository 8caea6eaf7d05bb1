import type { JsonValue } from '../../base/json/value.ts';
import type { Finish } from '../../base/message/usage.ts';

type Reason = Finish['reason'];

/** Their reason in our words, by the API's own table; a value that nobody has heard of is `other`. */
export function readFinish(raw: JsonValue | undefined, table: Readonly<Record<string, Reason>>): Finish {
  const reason = typeof raw === 'string' && Object.hasOwn(table, raw) ? table[raw]! : 'other';
  return raw === undefined ? { reason } : { reason, raw };
}

/** Our reason in their words: the raw value if the table knows it, else the first that means the same. */
export function writeFinish(
  finish: Finish,
  table: Readonly<Record<string, Reason>>,
  fallback: string,
): string {
  if (typeof finish.raw === 'string' && table[finish.raw] === finish.reason) return finish.raw;
  return Object.keys(table).find((raw) => table[raw] === finish.reason) ?? fallback;
}

/** After such an end a call that was still being written has been cut, whatever its arguments look like. */
export function cutsCalls(reason: Reason): boolean {
  return reason === 'length' || reason === 'filter' || reason === 'refusal' || reason === 'error';
}
