import { questionConcepts } from './lexicon.ts';
import type { Lexicon } from './lexicon.ts';
import { stem } from './stem.ts';
import { tokensOf } from './tokens.ts';
import type { Token } from './tokens.ts';
import { emptyWords } from './words.ts';

/**
 * Words that must all be in one clause, in any order, as they are or as something that means the same.
 * `when hurt|pain ?yesterday !treatment`: a word for when, a word for hurt or pain, none for treatment; and yesterday
 * may also be mentioned. `=word|word` takes no synonyms, `next_door` is a phrase.
 */
export interface Pattern {
  readonly source: string;
  readonly wanted: readonly (readonly string[])[];
  readonly barred: readonly string[];
  /** What may be spoken of besides. */
  readonly besides: readonly string[];
  /** It wants no word: it says what may, or may not, be spoken of, for all patterns that are with it. */
  readonly aside: boolean;
  /** Nothing but question words: it would catch every question of its kind, and so catches none. */
  readonly empty: boolean;
}

export interface Match {
  /** Longer patterns say more; question words say half. */
  readonly score: number;
  /** Indexes of the tokens it used. */
  readonly used: readonly number[];
}

/** With `every`, small words are wanted too ("lie about"): what nobody may say must not be wider than it is written. */
export function patternOf(source: string, lexicon: Lexicon, { every = false } = {}): Pattern {
  const wanted: string[][] = [];
  const barred: string[] = [];
  const besides: string[] = [];
  const plain: string[] = [];
  for (const word of source.toLowerCase().split(/\s+/)) {
    if (word === '') continue;
    if (word.startsWith('!')) barred.push(...choicesOf(word.slice(1), lexicon, 'exact'));
    else if (word.startsWith('?')) besides.push(...choicesOf(word.slice(1), lexicon, 'exact'));
    else if (/[|=_]/.test(word)) wanted.push([...choicesOf(word, lexicon, every ? 'all' : 'telling')]);
    else plain.push(word);
  }
  for (const keys of wishesOf(plain.join(' '), lexicon, every)) wanted.push([...keys]);
  const aside = wanted.length === 0 && barred.length + besides.length > 0;
  const empty =
    !aside && wanted.every((keys) => keys.every((key) => questionConcepts.has(key) && !specific.has(key)));
  return { source, wanted, barred, besides, aside, empty };
}

/** The phrases that a pattern writes as one word. */
export function phrasesIn(source: string): readonly string[] {
  return source
    .toLowerCase()
    .split(/[\s|=!?]+/)
    .filter((word) => word.includes('_'))
    .map((word) => word.replaceAll('_', ' '));
}

/**
 * All that stands for one of the choices of `a|b`; with `=` in front, only these very words. Words that carry no topic
 * count only where no choice carries one.
 */
function choicesOf(choices: string, lexicon: Lexicon, taken: 'exact' | 'all' | 'telling'): readonly string[] {
  const only = taken === 'exact' || choices.startsWith('=');
  const all = choices
    .replaceAll('=', '')
    .split('|')
    .filter((choice) => choice !== '');
  const telling =
    taken !== 'telling'
      ? all
      : all.filter((choice) => !emptyWords.has(choice) || /^(?:what|which)$/.test(choice));
  return (telling.length > 0 ? telling : all).flatMap((choice) => {
    const concept = `#${choice.replaceAll('_', ' ')}`;
    if (choice.includes('_')) return [concept];
    if (only) return [stem(choice)];
    return wishesOf(choice, lexicon, false).at(-1) ?? [stem(choice)];
  });
}

/** A phrase ("how long") is one wish; a word that names a concept means that one, another all that it stands for. */
function wishesOf(words: string, lexicon: Lexicon, every: boolean): readonly (readonly string[])[] {
  const wishes: (readonly string[])[] = [];
  let last: { readonly shared: readonly string[]; readonly index: number } | undefined;
  tokensOf(words, lexicon).forEach((token, index) => {
    const concepts = token.keys.filter((key) => key.startsWith('#'));
    const shared =
      last && last.index === index - 1 ? concepts.filter((key) => last!.shared.includes(key)) : [];
    if (shared.length > 0) {
      wishes[wishes.length - 1] = shared;
      last = { shared, index };
    } else if (!token.empty || concepts.length > 0) {
      // A question word means its concept: a "when" that only joins has none.
      const asks = concepts.some((concept) => questionConcepts.has(concept));
      const own = `#${token.word}`;
      const keys = lexicon.concepts.has(own)
        ? [...(asks ? [] : token.keys.slice(0, 1)), own]
        : asks
          ? concepts
          : token.keys;
      wishes.push(keys);
      last = { shared: concepts, index };
    } else if (every) wishes.push(token.keys);
  });
  return wishes;
}

/** How well the words of a clause meet a pattern, or nothing. */
export function matchPattern(pattern: Pattern, tokens: readonly Token[]): Match | undefined {
  const { barred, empty, aside } = pattern;
  if (empty || aside) return undefined;
  const used: number[] = [];
  let score = 0;
  for (const keys of pattern.wanted) {
    const at = firstMeeting(tokens, keys, used);
    if (at < 0) return undefined;
    const met = tokens[at]!.keys.find((key) => keys.includes(key))!;
    let { weight } = tokens[at]!;
    used.push(at);
    // All words of a phrase are meant.
    for (let next = at + 1; isSamePhrase(tokens[next], met) && !used.includes(next); next++) {
      used.push(next);
      weight = Math.max(weight, tokens[next]!.weight);
    }
    // The word as it was written says more than one that merely means the same.
    score += Math.max(weight, 0.3) * (questionConcepts.has(met) ? 0.6 : 1) + (met.startsWith('#') ? 0 : 0.1);
  }
  // Bars are many, and what could be met is seldom barred: they are asked last.
  if (barred.length > 0 && tokens.some(({ keys }) => keys.some((key) => barred.includes(key))))
    return undefined;
  return { score, used };
}

function isSamePhrase(token: Token | undefined, concept: string): boolean {
  return concept.startsWith('#') && token?.keys.includes(concept) === true;
}

function firstMeeting(tokens: readonly Token[], keys: readonly string[], used: readonly number[]): number {
  for (let index = 0; index < tokens.length; index++) {
    if (used.includes(index)) continue;
    for (const key of tokens[index]!.keys) if (keys.includes(key)) return index;
  }
  return -1;
}

/** "How bad" and "how much" say what they ask for by themselves. */
const specific: ReadonlySet<string> = new Set([
  '#how long',
  '#how much',
  '#how many',
  '#how often',
  '#how bad',
]);
