import { setMember } from '../../json/member.ts';
import { comparableNumber, mayHoldTokens, NumberToken } from '../../json/number-token.ts';

/** A value with its number tokens as what the schema library compares rightly: doubles and bigints. */
export function comparableValue(value: unknown): {
  readonly comparable: unknown;
  /** There are bigints in it. */
  readonly bigNumbers: boolean;
} {
  // Most processes never keep a number as written, and need not look.
  if (!mayHoldTokens() || !holdsToken(value)) return { comparable: value, bigNumbers: false };
  const found = { bigNumbers: false };
  const comparable = withoutTokens(value, found);
  return { comparable, ...found };
}

function holdsToken(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(holdsToken);
  return value instanceof NumberToken || Object.values(value).some(holdsToken);
}

function withoutTokens(value: unknown, found: { bigNumbers: boolean }): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => withoutTokens(item, found));
  if (value instanceof NumberToken) {
    const number = comparableNumber(value);
    found.bigNumbers ||= typeof number === 'bigint';
    return number;
  }
  const members: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) setMember(members, key, withoutTokens(member, found));
  return members;
}
