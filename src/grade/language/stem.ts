import { Recent } from '../../base/host/recent.ts';
import { readPhrases } from './read-lists.ts';

/** The stem of an English word: enough that asks, asked and asking meet; not a dictionary. */
export function stem(word: string): string {
  if (!isWorthKeeping(word)) return stemAnew(word);
  let found = stems.get(word);
  if (found === undefined) {
    const own = ownCopy(word);
    found = stemAnew(own);
    stems.set(own, found);
  }
  return found;
}

const stems = new Recent<string, string>(20_000);

/** Numbers are without end and cost nothing to look at; nor is a word of the language endless. */
export function isWorthKeeping(word: string): boolean {
  return word.length <= 40 && !(word.charCodeAt(0) <= 57);
}

/** A word found in a text may be a window into it: whoever keeps such a word keeps the whole text. */
export function ownCopy(word: string): string {
  return JSON.parse(JSON.stringify(word)) as string;
}

function stemAnew(word: string): string {
  const known = irregular.get(word);
  if (known !== undefined) return known;
  if (word.length < 4 || /\d/.test(word)) return word;
  let base = withoutEnding(singular(word));
  if (base.length > 5 && base.endsWith('ll')) base = base.slice(0, -1);
  if (base.length > 3 && base.endsWith('e')) base = base.slice(0, -1);
  return base.length > 3 && base.endsWith('y') ? `${base.slice(0, -1)}i` : base;
}

function singular(word: string): string {
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ss|sh|ch|x|z)es$/.test(word)) return word.slice(0, -2);
  return word.endsWith('s') && !/(?:ss|us|is)$/.test(word) ? word.slice(0, -1) : word;
}

function withoutEnding(word: string): string {
  for (const [ending, instead] of endings) {
    const rest = word.slice(0, -ending.length);
    if (!word.endsWith(ending) || rest.length < 3 || !/[aeiouy]/.test(rest)) continue;
    if (word.endsWith('eed')) return pastInEed.test(word) ? word : word.slice(0, -1);
    return instead === '' ? rest.replace(/([bdgmnprt])\1$/, '$1') : rest + instead;
  }
  return word;
}

const endings: readonly (readonly [string, string])[] = [
  ['ations', 'at'],
  ['ation', 'at'],
  ['ments', ''],
  ['ment', ''],
  ['ness', ''],
  ['ingly', ''],
  ['edly', ''],
  ['fully', ''],
  ['ing', ''],
  ['ied', 'y'],
  ['ed', ''],
  ['ly', ''],
  ['ful', ''],
];

/** "Proceed" is not the past of anything, as "agreed" is. */
const pastInEed = /(?:^(?:bl|br|gr|sp|st|tw)|c|ind)eed$/;

/** "Went" and "gone" are forms of "go". */
const irregular: ReadonlyMap<string, string> = new Map(
  readPhrases(new URL('./data/irregular-stems.txt', import.meta.url)).flatMap((line) => {
    const [itsStem, forms] = line.split(': ');
    return forms!.split(' ').map((form) => [form, itsStem!] as const);
  }),
);
