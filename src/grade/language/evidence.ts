import type { Clause } from './clause.ts';
import { plainText } from './plain-text.ts';
import { sentencesOf } from './sentence.ts';
import type { Sentence } from './sentence.ts';
import { tokensFrom } from './lexicon.ts';
import type { Lexicon } from './lexicon.ts';
import { countIn, kindOf, learn, saysOf, tableFor, tableWithout } from './trait-table.ts';
import type { Row, Table } from './trait-table.ts';
import { addTraits, isSaid, isSingle, noGist, learntOf, numbers } from './traits.ts';
import type { Numbers } from './traits.ts';

/** A question that somebody wrote for a fact, or a near miss that must not draw it out. */
export interface Example {
  readonly fact: string;
  readonly asked: boolean;
  readonly text: string;
}

/** What the questions that were written for a person say of a new one. */
export interface Evidence {
  /** Where a fact stands among those that questions are written for. */
  readonly places: ReadonlyMap<string, number>;
  /**
   * By fact, how much what is said speaks for its being asked for (above 0) or against it, as a naive Bayes does: each
   * word, what it may stand for and each pair counts by how much more often it stands in the fact's own questions than
   * in near misses and in questions for other facts. `unseen` is the text itself where it may be one of the examples:
   * it is then weighed as if it were not.
   */
  readonly weigh: (clause: Clause, unseen?: string) => Weights;
}

/** What speaks for the facts, each by its place. */
export interface Weights {
  readonly places: Evidence['places'];
  /** The fact for which this very sentence was written, and for no other. */
  readonly written: string | undefined;
  readonly clause: Clause;
  readonly sums: readonly number[];
  /** What the words say by themselves, as they are said. */
  readonly said: readonly number[];
  readonly table: Table;
  /** The row of all that the clause turns on together, where somebody wrote that. */
  readonly gist: Row | undefined;
  /** The rows of what each word of the clause may stand for. */
  readonly rows: () => readonly (readonly Row[])[];
}

/** How many questions are written for a fact. */
export function questionsFor({ table }: Weights, fact: number): number {
  return countIn(table.whole, fact);
}

/** The highest sum of any other fact, but for some that are not at stake; where there is no other, nothing speaks for one. */
export function rivalOf({ sums }: Weights, fact: number, apart: readonly number[]): number {
  let most = -Infinity;
  for (let other = 0; other < sums.length; other++)
    if (other !== fact && sums[other]! > most && !apart.includes(other)) most = sums[other]!;
  return most === -Infinity ? 0 : most;
}

/** What is said for a fact by all that the clause turns on together. */
export function gistFor({ table, gist }: Weights, fact: number): number {
  return gist === undefined ? 0 : saysOf(table, gist)[fact]!;
}

/** A word of the clause, by its place, that stands in none of a fact's questions. */
export function isStrangeTo({ rows }: Weights, fact: number, index: number): boolean {
  return !isAsked(rows()[index]!, fact);
}

/** What the telling words say by themselves, each by the best of all that it may stand for. */
export interface Telling {
  /** How many of them anybody ever wrote, and all that these say. */
  readonly known: number;
  readonly sum: number;
  readonly most: number;
  readonly second: number;
  readonly least: number;
  /** What those weigh that nobody ever wrote, and how many of them the question turns on. */
  readonly unknown: number;
  readonly unknownHeads: number;
  /** What those weigh that stand in questions, but in none for this fact. */
  readonly elsewhere: number;
  /** How many things are named, with an article or somebody's, that none of its questions names. */
  readonly strangeThings: number;
  /** The last telling word is in none of its questions. */
  readonly endsStrange: number;
}

export function tellingFor({ clause, table, rows }: Weights, fact: number): Telling {
  const found = {
    known: 0,
    sum: 0,
    most: 0,
    second: 0,
    least: 0,
    unknown: 0,
    unknownHeads: 0,
    elsewhere: 0,
    strangeThings: 0,
    endsStrange: 0,
  };
  const all = rows();
  for (let index = 0; index < all.length; index++) {
    const token = clause.tokens[index]!;
    if (token.weight <= 0.3) continue;
    const its = all[index]!;
    const asked = isAsked(its, fact);
    found.endsStrange = Number(!asked);
    if (!asked && index > 0 && determiners.has(clause.tokens[index - 1]!.word)) found.strangeThings++;
    if (its.length === 0) {
      found.unknown += token.weight;
      if (token.head) found.unknownHeads++;
      continue;
    }
    let best = -Infinity;
    for (const row of its) best = Math.max(best, saysOf(table, row)[fact]!);
    found.known++;
    found.sum += best;
    if (!asked) found.elsewhere += token.weight;
    if (best > found.most) {
      found.second = found.most;
      found.most = best;
    } else found.second = Math.max(found.second, best);
    found.least = Math.min(found.least, best);
  }
  return found;
}

/** One of them stands in a question for the fact. */
function isAsked(rows: readonly Row[], fact: number): boolean {
  return rows.some((row) => countIn(row, fact) > 0);
}

/** The fact that talk asks for which wants to know nothing. */
export const nobodysFact = '';

export function evidenceOf(examples: readonly Example[], lexicon: Lexicon): Evidence {
  const facts = [...new Set(examples.map(({ fact }) => fact))];
  const places = new Map(facts.map((fact, place) => [fact, place]));
  const words = numbers();
  const whole = tableFor(facts.length, places.get(nobodysFact));
  const labels = new Map<string, Example[]>();
  /** The fact that a sentence asks for, '' where it asks for several; and what stands among a fact's near misses too. */
  const written = new Map<string, string>();
  const unwritten = new Set<string>();
  const kindOfExample = ({ fact, asked }: Example) => kindOf(whole, places.get(fact)!, asked);
  for (const example of examples) {
    const sentences = sentencesOf(plainText(example.text));
    if (sentences.length === 1) {
      const { text } = sentences[0]!;
      if (!example.asked) unwritten.add(`${example.fact} ${text}`);
      else written.set(text, written.has(text) && written.get(text) !== example.fact ? '' : example.fact);
    }
    const traits = new Set<number>();
    addAll(traits, example.asked ? asking(sentences) : sentences, lexicon, words);
    learn(whole, traits, kindOfExample(example));
    const same = labels.get(example.text);
    if (same) same.push(example);
    else labels.set(example.text, [example]);
  }
  words.strangers = new Map();

  const writtenFor = (sentence: string): string | undefined => {
    const fact = written.get(sentence);
    return fact && !unwritten.has(`${fact} ${sentence}`) ? fact : undefined;
  };
  /** Without a text, for what has just been read of a clause. */
  const forget = (
    text: string,
    left: readonly Example[],
    traits: ReadonlySet<number>,
    gist: number,
  ): Table => {
    const its = new Set<number>();
    const sentences = sentencesOf(plainText(text));
    addAll(its, left.every(({ asked }) => asked) ? asking(sentences) : sentences, lexicon, words);
    return tableWithout(whole, { kinds: left.map(kindOfExample), traits: its }, [...traits, gist]);
  };
  return {
    places,
    weigh(clause, unseen) {
      if (words.strangers!.size > 0) words.strangers!.clear();
      const traits = new Set<number>();
      const gist = addTraits(traits, clause, words);
      const left = unseen === undefined ? undefined : labels.get(unseen);
      const table = left ? forget(unseen!, left, traits, gist) : whole;
      let mayBeWritten = !left;
      const sums: number[] = facts.map(() => 0);
      const said: number[] = facts.map(() => 0);
      for (const [place, trait] of [...traits].entries()) {
        const row = table.rows.get(trait);
        if (row === undefined) {
          // Nobody wrote it with these words side by side. What it ends with is said last.
          if (isSaid(trait) && place < traits.size - 2) mayBeWritten = false;
          continue;
        }
        const says = saysOf(table, row);
        for (let fact = 0; fact < sums.length; fact++) sums[fact]! += says[fact]!;
        if (!isSaid(trait) || !isSingle(trait)) continue;
        for (let fact = 0; fact < sums.length; fact++) said[fact]! += says[fact]!;
      }
      const length = Math.sqrt(clause.saidWords.length);
      for (let fact = 0; fact < sums.length; fact++) {
        sums[fact]! /= Math.sqrt(Math.max(1, traits.size));
        said[fact]! /= length;
      }
      let rows: readonly (readonly Row[])[] | undefined;
      return {
        places,
        written: mayBeWritten ? writtenFor(clause.said) : undefined,
        clause,
        sums,
        said,
        table,
        gist: table.rows.get(gist),
        rows: () => (rows ??= clause.tokens.map((token) => rowsOf(learntOf(token, words).keys, table))),
      };
    },
  };
}

/** What asks in a question: not what is said before it. */
function asking(sentences: readonly Sentence[]): readonly Sentence[] {
  if (sentences.length < 2) return sentences;
  const marked = sentences.filter(({ asked }) => asked);
  return marked.length > 0 ? marked : sentences.slice(-1);
}

/** The rows of what a word may stand for. */
function rowsOf(keys: readonly number[], { rows }: Table): readonly Row[] {
  return keys.flatMap((key) => rows.get(key) ?? []);
}

/** The traits of a whole text, sentence by sentence: what in it asks is for the new clause to say. */
function addAll(traits: Set<number>, sentences: readonly Sentence[], lexicon: Lexicon, its: Numbers): void {
  for (const { said, asked, words } of sentences) {
    const clause = { saidWords: said, marked: asked, tokens: tokensFrom(words, lexicon) };
    const gist = addTraits(traits, clause, its);
    if (gist !== noGist) traits.add(gist);
  }
}

/** What stands before a thing: "the machine", "your car". */
const determiners: ReadonlySet<string> = new Set(
  'the a an your his her their any this that these those its some other another our my'.split(' '),
);
