import type { JsonValue } from '../../../base/json/value.ts';
import { isJsonObject } from '../../../base/json/value.ts';
import { checkValue } from '../../../base/schema/check/check-at-once.ts';
import { describeIssue } from '../../../base/schema/check/issue.ts';
import type { JsonSchema } from '../../../base/schema/json-schema.ts';
import type { FieldMatch } from '../../scenario/task.ts';
import { matchList } from './match-list.ts';
import { matchText } from './match-text.ts';
import { hit, miss, show } from './match-result.ts';
import type { MatchResult } from './match-result.ts';
import { quantityOf, writtenNumber } from './quantity.ts';
import { same } from './same-value.ts';

/** Matches one field. A bare value or a list means `equal`; an object is a matcher. */
export function matchField(wanted: FieldMatch, found: JsonValue | undefined): MatchResult {
  if (!isJsonObject(wanted)) return matchEqual(wanted, found);
  for (const [name, matcher] of matcherList) if (name in wanted) return matcher(wanted[name]!, found, wanted);
  return matchEqual(wanted, found);
}

type Matcher = (
  wanted: JsonValue,
  found: JsonValue | undefined,
  options: { readonly [key: string]: JsonValue },
) => MatchResult;

const matchers: Readonly<Record<string, Matcher>> = {
  equal: (wanted, found) => matchEqual(wanted, found),
  one_of: (wanted, found) => {
    const choices = Array.isArray(wanted) ? (wanted as readonly JsonValue[]) : [wanted];
    const matched = found !== undefined && choices.some((choice) => same(choice, found));
    return matched
      ? hit(() => `${show(found)} is one of the expected.`)
      : miss(() => `expected one of ${choices.map(show).join(', ')}, got ${show(found)}.`);
  },
  list: (wanted, found, options) =>
    matchList(Array.isArray(wanted) ? (wanted as readonly JsonValue[]) : [wanted], found, options),
  near: (wanted, found, options) => {
    const number = numberIn(found);
    const target = Number(wanted);
    const within =
      typeof options['percent'] === 'number'
        ? Math.abs(target) * (options['percent'] / 100)
        : Number(options['within'] ?? 0);
    if (number === undefined) return miss(() => `expected a number near ${target}, got ${show(found)}.`);
    return isWithin(number - target, within, Math.max(Math.abs(number), Math.abs(target)))
      ? hit(() => `${number} is within ${within} of ${target}.`)
      : miss(() => `expected ${target} give or take ${within}, got ${number}.`);
  },
  text: (wanted, found) => matchText(wanted, found),
  date: (wanted, found) => matchDate(wanted, found),
  quantity: (wanted, found, options) => matchQuantity(String(wanted), found, options),
  schema: (wanted, found) => {
    const issues = found === undefined ? [] : checkValue(wanted as JsonSchema, found);
    if (found === undefined) return miss(() => 'expected something, got nothing.');
    return issues.length === 0
      ? hit(() => 'as its schema asks.')
      : miss(() => `${describeIssue({ ...issues[0]!, place: issues[0]!.place || 'the value' })}.`);
  },
  present: (wanted, found) => matchPresence(wanted !== false, found),
  absent: (wanted, found) => matchPresence(wanted === false, found),
};

const matcherList = Object.entries(matchers);

function matchPresence(isWanted: boolean, found: JsonValue | undefined): MatchResult {
  const stands = !isEmpty(found);
  if (stands === isWanted)
    return hit(() => (stands ? 'something is here.' : 'nothing is here, as expected.'));
  return miss(() =>
    isWanted ? 'expected something, got nothing.' : `expected nothing here, got ${show(found)}.`,
  );
}

/** Blanks, empty lists and empty objects are nothing. */
function isEmpty(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === 'string') return value.trim() === '';
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.keys(value).length === 0;
}

function matchEqual(wanted: JsonValue, found: JsonValue | undefined): MatchResult {
  if (Array.isArray(wanted) && !Array.isArray(found))
    return miss(() => `expected the list ${show(wanted)}, got ${show(found)}.`);
  return found !== undefined && same(wanted, found)
    ? hit(() => `${show(found)} is as expected.`)
    : miss(() => `expected ${show(wanted)}, got ${show(found)}.`);
}

/** A day within `from` and `to`, both included; an ISO date, with a time or without. The day is as written, in any zone. */
function matchDate(wanted: JsonValue, found: JsonValue | undefined): MatchResult {
  const range = isJsonObject(wanted) ? wanted : { from: wanted, to: wanted };
  const from = dayOf(range['from']);
  const to = dayOf(range['to']);
  const day = dayOf(found);
  if (day === undefined) return miss(() => `expected a date such as 2024-02-15, got ${show(found)}.`);
  const isOpen = (bound: JsonValue | undefined): boolean => bound === undefined || bound === null;
  // An end that nobody can read is none that is open.
  if ((from === undefined && !isOpen(range['from'])) || (to === undefined && !isOpen(range['to'])))
    return miss(() => `the expected dates cannot be read: ${show(range)}.`);
  const fits = (from === undefined || day >= from) && (to === undefined || day <= to);
  return fits
    ? hit(() => `${day} is in time.`)
    : miss(() => `expected a date from ${from ?? 'any'} to ${to ?? 'any'}, got ${day}.`);
}

export function dayOf(value: JsonValue | undefined): string | undefined {
  const written = typeof value === 'string' ? dayPattern.exec(value.trim()) : null;
  if (!written) return undefined;
  const [, year, month, day] = written;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day)
    ? `${year}-${month}-${day}`
    : undefined;
}

const dayPattern =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ]\d{2}(?::?\d{2}(?::?\d{2}(?:[.,]\d{1,9})?)?)? ?(?:Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;

/** A quantity in any unit of its kind. */
function matchQuantity(
  wanted: string,
  found: JsonValue | undefined,
  options: { readonly [key: string]: JsonValue },
): MatchResult {
  const target = quantityOf(wanted);
  const given = quantityOf(typeof found === 'number' ? `${found}` : typeof found === 'string' ? found : '');
  if (!target || !given) return miss(() => `expected a quantity such as ${wanted}, got ${show(found)}.`);
  if (target.kind !== given.kind)
    return miss(
      () =>
        `expected a quantity such as ${wanted}, got ${show(found)} (${given.kind === '' ? 'no' : 'another'} unit).`,
    );
  const within =
    options['within'] === undefined
      ? Math.abs(target.amount) * (Number(options['percent'] ?? 1) / 100)
      : Number(options['within']) * target.factor;
  return isWithin(
    target.amount - given.amount,
    within,
    Math.max(Math.abs(target.amount), Math.abs(given.amount)),
  )
    ? hit(() => `${show(found)} is ${wanted}.`)
    : miss(() => `expected ${wanted}, got ${show(found)}.`);
}

/** What is written in tenths is not a tenth in binary: so much is the last bits' doing, at any size. */
function isWithin(distance: number, within: number, size: number): boolean {
  return Math.abs(distance) <= within + size * 1e-12;
}

function numberIn(value: JsonValue | undefined): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  return typeof value === 'string' ? writtenNumber(value.trim()) : undefined;
}
