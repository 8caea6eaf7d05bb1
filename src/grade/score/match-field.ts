import { Recent } from '../../base/host/recent.ts';
import type { JsonValue } from '../../base/json/value.ts';
import { isJsonObject } from '../../base/json/value.ts';
import type { FieldMatch } from '../scenario/task.ts';
import { checkValue } from '../../base/schema/check-at-once.ts';
import { describeIssue } from '../../base/schema/issue.ts';
import type { JsonSchema } from '../../base/schema/json-schema.ts';
import { readingOf } from '../scenario/language/reading.ts';
import { lexiconOf } from '../scenario/language/lexicon.ts';
import type { Lexicon } from '../scenario/language/lexicon.ts';
import { matchPattern, patternOf, phrasesIn } from '../scenario/language/pattern.ts';
import { readExpression } from './expression.ts';
import { quantityOf, writtenNumber } from './quantity.ts';
import { allWords, similarity } from './similarity.ts';
import { denies } from './spoken.ts';

/** How well a value meets what was expected, from 0 to 1, with a sentence that says why not, for who asks. */
export interface Matched {
  readonly share: number;
  readonly reason: () => string;
}

/** Matches one field. A bare value or a list means `equal`; an object is a matcher. */
export function matchField(wanted: FieldMatch, found: JsonValue | undefined): Matched {
  if (!isJsonObject(wanted)) return matchEqual(wanted, found);
  for (const [name, matcher] of matcherList) if (name in wanted) return matcher(wanted[name]!, found, wanted);
  return matchEqual(wanted, found);
}

type Matcher = (
  wanted: JsonValue,
  found: JsonValue | undefined,
  options: { readonly [key: string]: JsonValue },
) => Matched;

const hit = (reason: () => string): Matched => ({ share: 1, reason });
const miss = (reason: () => string, share = 0): Matched => ({ share, reason });

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

function matchPresence(isWanted: boolean, found: JsonValue | undefined): Matched {
  const stands = !isEmpty(found);
  if (stands === isWanted)
    return hit(() => (stands ? 'something stands here.' : 'nothing stands here, as expected.'));
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

function matchEqual(wanted: JsonValue, found: JsonValue | undefined): Matched {
  if (Array.isArray(wanted) && !Array.isArray(found))
    return miss(() => `expected the list ${show(wanted)}, got ${show(found)}.`);
  return found !== undefined && same(wanted, found)
    ? hit(() => `${show(found)} is as expected.`)
    : miss(() => `expected ${show(wanted)}, got ${show(found)}.`);
}

/** Any order unless it is asked for; each item asked for counts, each item too many takes one away. */
function matchList(
  wanted: readonly JsonValue[],
  found: JsonValue | undefined,
  options: { readonly [key: string]: JsonValue },
): Matched {
  if (!Array.isArray(found))
    return wanted.length === 0 && (found === undefined || found === null)
      ? hit(() => 'nothing was expected.')
      : miss(() => `expected a list with ${wanted.map(show).join(', ') || 'nothing'}, got ${show(found)}.`);
  if (wanted.length === 0 && found.length === 1 && saysNone(found[0]!))
    return hit(() => `${show(found[0])} says that there is nothing, as expected.`);
  const { lacking, rest } = (options['ordered'] === true ? pairInOrder : pairAnyhow)(
    wanted,
    found as readonly JsonValue[],
  );
  const mayHaveMore = options['extra'] === 'allowed';
  const surplus = mayHaveMore ? 0 : rest.length;
  const needed =
    typeof options['at_least'] === 'number' ? Math.min(options['at_least'], wanted.length) : wanted.length;
  const got = wanted.length - lacking.length;
  if (got >= needed && surplus === 0) return hit(() => 'the list is as expected.');
  const share =
    wanted.length === 0 ? 0 : Math.max(0, Math.min(1, got / Math.max(1, needed)) - surplus / wanted.length);
  const say = (): string => {
    // What stands elsewhere is neither lacking nor too many.
    const isMoved = (item: JsonValue) => lacking.some((other) => same(other, item));
    const moved = rest.filter(isMoved);
    const gone = lacking.filter((item) => !moved.some((other) => same(item, other)));
    const extra = mayHaveMore ? [] : rest.filter((item) => !isMoved(item));
    const few = needed < wanted.length ? ` (${needed} are needed)` : '';
    const said = [
      got < needed && gone.length > 0 ? `lacks ${gone.map(show).join(', ')}${few}` : '',
      moved.length > 0 ? `has ${moved.map(show).join(', ')} in another place` : '',
      extra.length > 0 ? `has ${extra.map(show).join(', ')} too many` : '',
    ];
    return `the list ${said.filter(Boolean).join(' and ')}.`;
  };
  return miss(say, Math.min(share, 0.99));
}

/** "Work restrictions: none": who writes it down so means the empty list. */
function saysNone(item: JsonValue): boolean {
  return (
    typeof item === 'string' &&
    /^(?:none|nothing|nil|no|n\/?a|none (?:known|reported|present|given)|(?:no|none) known (?:drug )?allerg(?:y|ies)|nkd?a)$/.test(
      normal(item).replace(/\.$/, ''),
    )
  );
}

interface Paired {
  readonly lacking: readonly JsonValue[];
  readonly rest: readonly JsonValue[];
}

function pairAnyhow(wanted: readonly JsonValue[], found: readonly JsonValue[]): Paired {
  const rest: JsonValue[] = [...found];
  const lacking: JsonValue[] = [];
  for (const item of wanted) {
    const at = rest.findIndex((other) => same(item, other));
    if (at < 0) lacking.push(item);
    else rest.splice(at, 1);
  }
  return { lacking, rest };
}

/** The most items that stand in both in the same order; the others are lacking, or too many. */
function pairInOrder(wanted: readonly JsonValue[], found: readonly JsonValue[]): Paired {
  const best: number[][] = Array.from({ length: wanted.length + 1 }, () =>
    Array.from({ length: found.length + 1 }, () => 0),
  );
  for (let one = wanted.length - 1; one >= 0; one--)
    for (let other = found.length - 1; other >= 0; other--)
      best[one]![other] = same(wanted[one]!, found[other]!)
        ? best[one + 1]![other + 1]! + 1
        : Math.max(best[one + 1]![other]!, best[one]![other + 1]!);
  const lacking: JsonValue[] = [];
  const rest: JsonValue[] = [];
  let one = 0;
  let other = 0;
  while (one < wanted.length && other < found.length)
    if (same(wanted[one]!, found[other]!)) {
      one += 1;
      other += 1;
    } else if (best[one + 1]![other]! >= best[one]![other + 1]!) lacking.push(wanted[one++]!);
    else rest.push(found[other++]!);
  return { lacking: [...lacking, ...wanted.slice(one)], rest: [...rest, ...found.slice(other)] };
}

/** A text: near another, with these words in it, saying one of these patterns, fitting an expression, no longer than so many words. */
function matchText(wanted: JsonValue, found: JsonValue | undefined): Matched {
  if (typeof found !== 'string') return miss(() => `expected a text, got ${show(found)}.`);
  const options = isJsonObject(wanted) ? wanted : { like: wanted };
  const shares: number[] = [];
  const misses: string[] = [];
  const note = (share: number, reason: string) => {
    shares.push(share);
    if (share < 1) misses.push(reason);
  };
  if (typeof options['like'] === 'string') {
    const close = similarity(options['like'], found);
    const threshold = Number(options['at_least'] ?? 0.6);
    note(
      close >= threshold ? 1 : Math.min(0.99, close / threshold),
      `the text is ${close.toFixed(2)} close to the expected one, ${threshold} is needed`,
    );
  }
  const parts = listOf(options['contains']);
  const lacking = parts.filter((part) => !normal(found).includes(normal(String(part))));
  if (parts.length > 0)
    note(1 - lacking.length / parts.length, `the text lacks ${lacking.map(show).join(', ')}`);
  const patterns = listOf(options['says']).map(String);
  if (patterns.length > 0)
    note(saysOneOf(patterns, found) ? 1 : 0, `the text says none of: ${patterns.join('; ')}`);
  if (typeof options['matches'] === 'string')
    note(fitsExpression(options['matches'], found) ? 1 : 0, `the text does not fit /${options['matches']}/`);
  const words = allWords(found).length;
  const most = Number(options['at_most_words'] ?? Infinity);
  if (words > most) return miss(() => `the text has ${words} words, ${most} are allowed.`);
  if (misses.length === 0) return hit(() => 'the text says what it should.');
  return miss(
    () => `${misses.join('; ')}.`,
    Math.min(0.99, shares.reduce((total, share) => total + share, 0) / shares.length),
  );
}

/** An expression is tried on so much of a text. */
const longestTested = 10_000;

/** What is no expression fits nothing: `whet scenario check` tells its author. */
function fitsExpression(source: string, text: string): boolean {
  try {
    return readExpression(source).test(text.slice(0, longestTested));
  } catch {
    return false;
  }
}

/** By the phrases that patterns write as one word; most write none. */
const lexicons = new Recent<string, Lexicon>(100);

function lexiconWith(phrases: readonly string[]): Lexicon {
  const key = phrases.join('\n');
  let lexicon = lexicons.get(key);
  if (lexicon === undefined) lexicons.set(key, (lexicon = lexiconOf([], phrases)));
  return lexicon;
}

function saysOneOf(patterns: readonly string[], text: string): boolean {
  const lexicon = lexiconWith(patterns.flatMap(phrasesIn));
  const clauses = readingOf(text, lexicon).clauses();
  return patterns.some((source) => {
    const pattern = patternOf(source, lexicon);
    return clauses.some((clause) => !denies(clause) && matchPattern(pattern, clause.tokens) !== undefined);
  });
}

/** A day within `from` and `to`, both included; an ISO date, with a time or without. The day is as written, in any zone. */
function matchDate(wanted: JsonValue, found: JsonValue | undefined): Matched {
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
): Matched {
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

/** What is written in tenths is no tenth in binary: so much is the last bits' doing, at any size. */
function isWithin(distance: number, within: number, size: number): boolean {
  return Math.abs(distance) <= within + size * 1e-12;
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return value === undefined ? [] : Array.isArray(value) ? (value as readonly JsonValue[]) : [value];
}

/** Texts are equal when only case and white space differ, at any depth: a grade is no spelling test. */
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

function normal(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[‘’‛]/g, "'")
    .replace(/[“”‟]/g, '"')
    .trim()
    .toLowerCase()
    .replace(/\s+/g, ' ');
}

function numberIn(value: JsonValue | undefined): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  return typeof value === 'string' ? writtenNumber(value.trim()) : undefined;
}

function show(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}
