import { emptyWords, framingWords, lightWords } from './framing-words.ts';
import type { Meaning } from './lexicon.ts';
import { Recent } from '../../../base/host/recent.ts';
import { isWorthKeeping, ownCopy, stem } from './stem.ts';
import { addSigns, marksIn, signsOf } from './wording.ts';
import type { Signs } from './wording.ts';

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
  /** Of its parts, where wordings need them; read when a wording is first looked for. */
  signs: readonly Signs[] | undefined;
  /** Its number among the words of which forms are made, 0 for none; read when it is first said in a clause. */
  form: number | undefined;
  /** What it stands for where a scenario says nothing of it. */
  meaning: Meaning | undefined;
  /** What it stood for in the lexicon that was asked last. */
  latest: Meaning | undefined;
  /** The number of that lexicon: a word outlives those who spoke it. */
  lexicon: number | undefined;
}

/**
 * The same words as `wordsOf`, with what they are. A word that was met before is known by its letters, and never cut out
 * of the text: this runs over all that is said, and most of it are words that everybody uses.
 */
export function wordsIn(text: string): readonly Word[] {
  return scan(text, false);
}

/** The words as they are said, with what is left open behind them, and with commas; a number is "#". */
export function saidIn(text: string): Word[] {
  return scan(text, true);
}

function scan(text: string, asSaid: boolean): Word[] {
  const words: Word[] = [];
  for (let at = 0; at < text.length;) {
    const first = text.charCodeAt(at);
    let end = at + 1;
    if (isDigit(first)) {
      end = endOfNumber(text, end);
      words.push(asSaid ? aNumber : numberOf(text.slice(at, end)));
    } else if (isLetter(first)) {
      let hash = first;
      let hashThere = first;
      for (let next = end; next < text.length; next++) {
        const code = text.charCodeAt(next);
        const letter = isLetter(code);
        if (!letter && code !== apostrophe && code !== hyphen) break;
        hashThere = (Math.imul(hashThere, 31) + code) | 0;
        // A word ends with a letter.
        if (letter || asSaid) {
          end = next + 1;
          hash = hashThere;
        }
      }
      if (end > at + 1 || first < 128 || asSaid) words.push(wordAt(text, at, end, hash));
    } else if (asSaid && first === 44) words.push(comma);
    at = end;
  }
  return words;
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
    signs: undefined,
    form: undefined,
    meaning: undefined,
    latest: undefined,
    lexicon: undefined,
  };
}

/** A number is what it is, and there are too many of them to remember. */
function numberOf(text: string): Word {
  return { ...someNumber, text, stem: text };
}

/** What wordings may find in a text of these words. */
export function signsIn(text: string, words: readonly Word[]): Signs {
  const all = marksIn(text);
  for (const word of words) {
    word.signs ??= (word.text.match(/\w+/g) ?? []).flatMap(signsOf);
    for (const signs of word.signs) addSigns(all, signs);
  }
  return all;
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

const someNumber: Word = { ...wordAnew('0'), signs: [] };

/** What a clause holds besides words, as it is said. */
const aNumber = wordAnew('#');
const comma = wordAnew(',');
export const questionMark = wordAnew('?');
export const fullStop = wordAnew('.');
