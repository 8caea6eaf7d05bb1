import { Recent } from '../../../base/host/recent.ts';
import type { JsonValue } from '../../../base/json/value.ts';
import { isJsonObject } from '../../../base/json/value.ts';
import { lexiconOf } from '../../language/lexicon.ts';
import type { Lexicon } from '../../language/lexicon.ts';
import { matchPattern, patternOf, phrasesIn } from '../../language/pattern.ts';
import { readingOf } from '../../language/reading.ts';
import { readExpression } from './expression.ts';
import { hit, miss, show } from './match-result.ts';
import type { MatchResult } from './match-result.ts';
import { normal } from './same-value.ts';
import { allWords, similarity } from './similarity.ts';
import { assertedTokens } from './clause-words.ts';

/** A text: near another, with these words in it, saying one of these patterns, fitting an expression, no longer than so many words. */
export function matchText(wanted: JsonValue, found: JsonValue | undefined): MatchResult {
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

/** What is not an expression matches nothing: `whet scenario check` tells its author. */
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
  const clauses = [...readingOf(text, lexicon).clauses];
  return patterns.some((source) => {
    const pattern = patternOf(source, lexicon);
    return clauses.some((clause) => matchPattern(pattern, assertedTokens(clause, lexicon)) !== undefined);
  });
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return value === undefined ? [] : Array.isArray(value) ? (value as readonly JsonValue[]) : [value];
}
