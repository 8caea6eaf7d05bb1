import type { JsonValue } from '../../base/json/value.ts';
import { isJsonObject } from '../../base/json/value.ts';
import type { FieldMatch } from '../scenario/task.ts';
import { equalJson } from '../scenario/world-path.ts';
import { similarity } from './similarity.ts';

/** How well a value meets what was expected, from 0 to 1, with a sentence that says why not. */
export interface Matched {
  readonly share: number;
  readonly reason: string;
}

/** What a matcher may say besides its own members. */
export const fieldMembers = ['weight', 'after', 'required'] as const;

/** Matches one field. A bare value or a list means `equal`; an object is a matcher. */
export function matchField(wanted: FieldMatch, found: JsonValue | undefined): Matched {
  if (!isJsonObject(wanted)) return matchEqual(wanted, found);
  for (const [name, matcher] of Object.entries(matchers))
    if (name in wanted) return matcher(wanted[name]!, found, wanted);
  return matchEqual(wanted, found);
}

type Matcher = (
  wanted: JsonValue,
  found: JsonValue | undefined,
  options: { readonly [key: string]: JsonValue },
) => Matched;

const hit = (reason: string): Matched => ({ share: 1, reason });
const miss = (reason: string, share = 0): Matched => ({ share, reason });

const matchers: Readonly<Record<string, Matcher>> = {
  equal: (wanted, found) => matchEqual(wanted, found),
  one_of: (wanted, found) => {
    const choices = Array.isArray(wanted) ? (wanted as readonly JsonValue[]) : [wanted];
    const matched = found !== undefined && choices.some((choice) => same(choice, found));
    return matched
      ? hit(`${show(found)} is one of the expected.`)
      : miss(`expected one of ${choices.map(show).join(', ')}, got ${show(found)}.`);
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
    if (number === undefined) return miss(`expected a number near ${target}, got ${show(found)}.`);
    return Math.abs(number - target) <= within + 1e-9
      ? hit(`${number} is within ${within} of ${target}.`)
      : miss(`expected ${target} give or take ${within}, got ${number}.`);
  },
  text: (wanted, found, options) => matchText(wanted, found, options),
  absent: (wanted, found) => {
    const isAbsent = found === undefined || found === null;
    return isAbsent === (wanted !== false)
      ? hit('as expected.')
      : miss(
          wanted === false
            ? 'expected something, got nothing.'
            : `expected nothing here, got ${show(found)}.`,
        );
  },
};

function matchEqual(wanted: JsonValue, found: JsonValue | undefined): Matched {
  if (Array.isArray(wanted) && !Array.isArray(found))
    return miss(`expected the list ${show(wanted)}, got ${show(found)}.`);
  return found !== undefined && same(wanted, found)
    ? hit(`${show(found)} is as expected.`)
    : miss(`expected ${show(wanted)}, got ${show(found)}.`);
}

/** Any order by default; each item asked for counts, each item too many takes one away. */
function matchList(
  wanted: readonly JsonValue[],
  found: JsonValue | undefined,
  options: { readonly [key: string]: JsonValue },
): Matched {
  if (!Array.isArray(found))
    return wanted.length === 0 && (found === undefined || found === null)
      ? hit('nothing was expected.')
      : miss(`expected a list with ${wanted.map(show).join(', ') || 'nothing'}, got ${show(found)}.`);
  const rest: JsonValue[] = [...(found as readonly JsonValue[])];
  const lacking: JsonValue[] = [];
  for (const item of wanted) {
    const at = rest.findIndex((other) => same(item, other));
    if (at < 0) lacking.push(item);
    else rest.splice(at, 1);
  }
  const mayHaveMore = options['extra'] === 'allowed';
  const surplus = mayHaveMore ? 0 : rest.length;
  const needed =
    typeof options['at_least'] === 'number' ? Math.min(options['at_least'], wanted.length) : wanted.length;
  const got = wanted.length - lacking.length;
  if (got >= needed && surplus === 0) return hit('the list is as expected.');
  const share =
    wanted.length === 0 ? 0 : Math.max(0, Math.min(1, got / Math.max(1, needed)) - surplus / wanted.length);
  const said = [
    lacking.length > 0 ? `lacks ${lacking.map(show).join(', ')}` : '',
    surplus > 0 ? `has ${rest.map(show).join(', ')} too many` : '',
  ];
  return miss(`the list ${said.filter(Boolean).join(' and ')}.`, Math.min(share, 0.99));
}

function matchText(
  wanted: JsonValue,
  found: JsonValue | undefined,
  options: { readonly [key: string]: JsonValue },
): Matched {
  if (typeof found !== 'string') return miss(`expected a text, got ${show(found)}.`);
  const close = similarity(String(wanted), found);
  const threshold = Number(options['at_least'] ?? 0.8);
  return close >= threshold
    ? hit(`close to the expected text (${close.toFixed(2)}).`)
    : miss(
        `the text is ${close.toFixed(2)} close, ${threshold} is needed.`,
        Math.min(0.99, close / threshold),
      );
}

/** Texts are equal when only case and white space differ: a grade is no spelling test. */
function same(wanted: JsonValue, found: JsonValue): boolean {
  if (typeof wanted === 'string' && typeof found === 'string') return normal(wanted) === normal(found);
  return equalJson(wanted, found);
}

function normal(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase().replace(/\s+/g, ' ');
}

function numberIn(value: JsonValue | undefined): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  const number = Number(value.replaceAll(',', ''));
  return Number.isFinite(number) ? number : undefined;
}

export function show(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}
