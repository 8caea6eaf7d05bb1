import type { JsonValue } from '../../../base/json/value.ts';

/** How well a value meets what was expected, from 0 to 1, with a sentence that says why not. */
export interface MatchResult {
  readonly share: number;
  readonly reason: () => string;
}

/** It matches. A reason is written only when asked for: most grades are never explained. */
export const hit = (reason: () => string): MatchResult => ({ share: 1, reason });

/** It does not, or only in part. */
export const miss = (reason: () => string, share = 0): MatchResult => ({ share, reason });

/** A value as a reason names it: short, whatever was sent. */
export function show(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}
