import { phrasesAt } from '../language/lexicon.ts';
import type { Lexicon } from '../language/lexicon.ts';
import { stem } from '../language/stem.ts';
import { commonWords, isCommon } from '../language/word-vectors.ts';
import { wordsOf } from '../language/words.ts';
import type { Examples } from '../scenario/examples.ts';
import type { Task } from '../scenario/task.ts';

/** Words by how often they are in texts. */
type Counts = ReadonlyMap<string, number>;

/** The words that a person knows: those of its own facts and patterns, and of the questions written for all variants. */
type Vocabulary = readonly [own: Counts, written: Counts];

const known = new WeakMap<Task, Vocabulary>();

const knownWritten = new WeakMap<Examples, Counts>();

/** More words than these that nobody knows are not slips: it is another language, or a list of names. */
const mostSlips = 6;
const longestWord = 20;

/**
 * A message without its typing errors: a word that nobody knows is read as one that the person knows and that is one
 * letter away (left out, doubled, put in, wrong or swapped with its neighbour).
 */
export function withoutTyping(message: string, task: Task, lexicon: Lexicon): string {
  const words = new Set(message.match(plainWord)?.map((word) => word.toLowerCase()));
  const strange = [...words].filter((word) => word.length <= longestWord && !isKnown(word, lexicon));
  if (strange.length === 0) return message;
  const vocabulary = vocabularyOf(task);
  const slips = strange.filter((word) => countIn(vocabulary, word) === 0);
  if (
    slips.length === 0 ||
    slips.length > mostSlips ||
    slips.length * 3 > wordsOf(message.toLowerCase()).length
  )
    return message;
  const meant = new Map(slips.map((slip) => [slip, wordMeant(slip, vocabulary)]));
  return message.replace(plainWord, (word) => meant.get(word.toLowerCase()) ?? word);
}

/** Four letters or more, and nothing of a number or a name put together. */
const plainWord = /(?<![\w@.-])[A-Za-z]{4,}(?![\w@-]|\.\w)/g;

function isKnown(word: string, lexicon: Lexicon): boolean {
  const itsStem = stem(word);
  return isCommon(itsStem) || phrasesAt(itsStem, lexicon).length > 0;
}

/** Of the words that are one letter away the one that the person's own texts hold most often, else the most common. */
function wordMeant(slip: string, vocabulary: Vocabulary): string | undefined {
  let own: string | undefined;
  let common: string | undefined;
  for (const word of oneLetterAway(slip)) {
    const count = countIn(vocabulary, word);
    if (count > (own === undefined ? 0 : countIn(vocabulary, own))) own = word;
    const place = commonWords().get(word);
    if (place !== undefined && place < (commonWords().get(common ?? '') ?? Infinity)) common = word;
  }
  return own ?? common;
}

const letters = [...'abcdefghijklmnopqrstuvwxyz'];

function* oneLetterAway(word: string): Generator<string> {
  for (let at = 0; at <= word.length; at++) {
    const [before, after] = [word.slice(0, at), word.slice(at)];
    if (after !== '') yield before + after.slice(1);
    if (after.length > 1) yield before + after[1] + after[0] + after.slice(2);
    for (const letter of letters) {
      yield before + letter + after;
      if (after !== '') yield before + letter + after.slice(1);
    }
  }
}

function vocabularyOf(task: Task): Vocabulary {
  let vocabulary = known.get(task);
  if (vocabulary === undefined) known.set(task, (vocabulary = readVocabulary(task)));
  return vocabulary;
}

function readVocabulary(task: Task): Vocabulary {
  const { facts, person, briefing } = task;
  const asks = [...facts, ...person.acts, ...person.topics].flatMap(({ ask }) => ask);
  const told = facts.flatMap(({ is, says }) => [is, says]);
  const examples = task.examples();
  let written = examples ? knownWritten.get(examples) : noWords;
  if (written === undefined)
    knownWritten.set(examples!, (written = countWords(examples!.examples.map(({ text }) => text))));
  return [countWords([briefing, person.about, ...person.synonyms.flat(), ...asks, ...told]), written];
}

const noWords: Counts = new Map();

function countIn([own, written]: Vocabulary, word: string): number {
  return (own.get(word) ?? 0) + (written.get(word) ?? 0);
}

function countWords(texts: readonly string[]): Counts {
  const counts = new Map<string, number>();
  for (const text of texts)
    for (const word of wordsOf(text.toLowerCase().replaceAll('_', ' ')))
      if (word.length >= 4) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
