import { emptyWords, framingWords, lightWords } from './framing-words.ts';
import type { Meaning } from './lexicon.ts';
import { Recent } from '../../base/host/recent.ts';
import { isWorthKeeping, ownCopy, stem } from './stem.ts';
import type { Numbers } from './traits.ts';

/** What a word is by itself, whatever stands around it. */
export interface Word {
  readonly text: string;
  readonly stem: string;
  readonly empty: boolean;
  readonly questions: boolean;
  /** Put together of parts that say what it means. */
  readonly joined: boolean;
  /** How much it leaves unsaid where it asks nothing. */
  readonly weight: number;
  /** "Shall": with it an offer may begin. */
  readonly offers: boolean;
  /** "Which": what comes behind it is what is asked. */
  readonly asks: boolean;
  readonly subject: boolean;
  readonly auxiliary: boolean;
  readonly people: boolean;
  /** "Most": people behind it are the world in general. */
  readonly generalises: boolean;
  /** Its number, as it is said, in the evidence that weighed it last. */
  learnt: number;
  learntBy: Numbers | undefined;
  /** What it stands for where a scenario says nothing of it. */
  meaning: Meaning | undefined;
  /** What it stood for in the lexicon that was asked last. */
  latest: Meaning | undefined;
  /** The number of that lexicon: a word outlives those who spoke it. */
  lexicon: number | undefined;
}

/** The same words as `wordsOf`, with what they are. */
export function wordsIn(text: string): readonly Word[] {
  const words: Word[] = [];
  readWords(text, words);
  return words;
}

/**
 * A word that was met before is known by its letters, and never cut out of the text: this runs over all that is said, and
 * most of it are words that everybody uses. As they are said, they come with what is left open behind them and with
 * commas, and a number is "#".
 */
export function readWords(text: string, words: Word[], asSaid?: Word[]): void {
  for (let at = 0; at < text.length;) {
    const first = text.charCodeAt(at);
    let next = at + 1;
    if (isDigit(first)) {
      next = endOfNumber(text, next);
      words.push(numberOf(text.slice(at, next)));
      asSaid?.push(aNumber);
    } else if (isLetter(first)) {
      let end = next;
      let hash = first;
      let hashThere = first;
      for (; next < text.length; next++) {
        const code = text.charCodeAt(next);
        const letter = isLetter(code);
        if (!letter && code !== apostrophe && code !== hyphen) break;
        hashThere = (Math.imul(hashThere, 31) + code) | 0;
        // A word ends with a letter.
        if (letter) {
          end = next + 1;
          hash = hashThere;
        }
      }
      const word = end > at + 1 || first < 128 ? wordAt(text, at, end, hash) : undefined;
      if (word) words.push(word);
      asSaid?.push(word && end === next ? word : wordAt(text, at, next, hashThere));
    } else if (first === 44) asSaid?.push(comma);
    at = next;
  }
}

const apostrophe = 39;
const hyphen = 45;

function endOfNumber(text: string, start: number): number {
  let end = start;
  for (;;) {
    const code = text.charCodeAt(end);
    // 1,000 and 3.5 and 12-6
    const joins = code >= 44 && code <= 46;
    if (!isDigit(code) && !(joins && isDigit(text.charCodeAt(end + 1)))) return end;
    end++;
  }
}

export function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 0xc0 && code <= 0x24f);
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** By a number made of their letters: of two words with the same one, the later takes the place. */
const known = new Recent<number, Word>(20_000);

function wordAt(text: string, start: number, end: number, hash: number): Word {
  let word = known.get(hash);
  if (word === undefined || !isAt(text, start, end, word.text)) {
    const found = text.slice(start, end);
    if (!isWorthKeeping(found)) return wordAnew(found);
    word = wordAnew(ownCopy(found));
    known.set(hash, word);
  }
  return word;
}

function isAt(text: string, start: number, end: number, word: string): boolean {
  if (word.length !== end - start) return false;
  for (let at = 0; at < word.length; at++)
    if (text.charCodeAt(start + at) !== word.charCodeAt(at)) return false;
  return true;
}

function wordAnew(text: string): Word {
  const itsStem = stem(text);
  return {
    text,
    stem: itsStem,
    empty: emptyWords.has(text),
    questions: questionWords.has(text),
    joined: joined.test(text),
    weight: ownWeightOf(text, itsStem),
    offers: offering.has(text),
    asks: askers.has(text),
    subject: subjects.has(text),
    auxiliary: auxiliaries.has(text),
    people: people.has(text),
    generalises: generalBefore.has(text),
    learnt: 0,
    learntBy: undefined,
    meaning: undefined,
    latest: undefined,
    lexicon: undefined,
  };
}

/** A number is what it is, and there are too many of them to remember. */
function numberOf(text: string): Word {
  return { ...someNumber, text, stem: text };
}

const joined = /^(?:non|ex|anti|half|self|long|full)-|-(?:free|related|like|wise|based|induced)$/;

const offering: ReadonlySet<string> = new Set(['shall', 'should', 'may', 'can', 'could', 'must']);

const askers: ReadonlySet<string> = new Set(['what', 'which', 'whose', 'how', 'who']);
const subjects: ReadonlySet<string> = new Set([
  'you',
  'she',
  'he',
  'they',
  'it',
  'anyone',
  'anybody',
  'someone',
  'somebody',
]);
const auxiliaries: ReadonlySet<string> = new Set([
  'do',
  'does',
  'did',
  'have',
  'has',
  'had',
  'can',
  'could',
  'will',
  'would',
  'is',
  'are',
  'was',
  'were',
  'may',
  'might',
  'should',
  'shall',
  'must',
]);

/** "Do people …?" and "most people" speak of the world, unless the fact itself speaks of these. */
const people: ReadonlySet<string> = new Set([
  'people',
  'patients',
  'workers',
  'employees',
  'companies',
  'customers',
  'clients',
  'men',
  'women',
  'children',
  'adults',
]);
const generalBefore: ReadonlySet<string> = new Set([
  'do',
  'does',
  'did',
  'can',
  'could',
  'should',
  'are',
  'most',
  'many',
]);

const otherOnes: ReadonlySet<string> = new Set(['other', 'others', 'else', 'another', 'own']);

function ownWeightOf(word: string, itsStem: string): number {
  if (emptyWords.has(word) || framingWords.has(itsStem)) return 0;
  if (otherOnes.has(word)) return 0.6;
  if (itsStem === 'work' || itsStem === 'happen' || itsStem === 'try') return 0.6;
  return lightWords.has(itsStem) || /^\d/.test(word) ? 0.35 : 1;
}

const questionWords: ReadonlySet<string> = new Set([
  'how',
  'what',
  'which',
  'when',
  'where',
  'who',
  'whom',
  'whose',
  'why',
]);

const someNumber: Word = wordAnew('0');

/** What is said besides words. */
const aNumber = wordAnew('#');
const comma = wordAnew(',');
export const questionMark = wordAnew('?');
export const fullStop = wordAnew('.');
