import { wordsSaid } from './asking.ts';
import { plainText, sentencesOf } from './clause.ts';
import type { Clause, Sentence } from './clause.ts';
import { tokensFrom } from './lexicon.ts';
import type { Lexicon, Token } from './lexicon.ts';
import { allIn, count, countIn, kindOf, say, saysOf, split, tableFor, wholeOf } from './trait-table.ts';
import { addTraits, gistOf, isSaidWord, noGist, numbers, traitOf } from './traits.ts';
import type { Numbers } from './traits.ts';

/** A question that somebody wrote for a fact, or a near miss that must not draw it out. */
export interface Example {
  readonly fact: string;
  readonly asked: boolean;
  readonly text: string;
}

/** What the questions that were written for a person say of a new one. */
export interface Evidence {
  /**
   * By fact, how much what is said speaks for its being asked for (above 0) or against it, as a naive Bayes does: each
   * word, what it may stand for and each pair counts by how much more often it stands in the fact's own questions than
   * in near misses and in questions for other facts. `unseen` is the text itself where it may be one of the examples:
   * it is then weighed as if it were not.
   */
  readonly weigh: (clause: Clause, unseen?: string) => Weights;
}

export interface Weights {
  /** The fact for which this very sentence was written, and for no other. */
  readonly written: string | undefined;
  /** How many questions are written for a fact. */
  readonly questions: (fact: string) => number;
  readonly get: (fact: string) => Weight | undefined;
  /** The sum of a fact alone. */
  readonly sum: (fact: string) => number;
  /** The highest sum of all. */
  readonly most: () => number;
}

export interface Weight {
  readonly sum: number;
  /** The highest sum of any other fact. */
  readonly rival: () => number;
  /** What the words say by themselves, as they are said. */
  readonly said: number;
  /** What is said for it by all that the clause turns on together, and whether anybody wrote that. */
  readonly gist: number;
  readonly isKnown: boolean;
  /** The words that stand in none of its questions. */
  readonly strange: () => readonly Token[];
  /** What the telling words say by themselves, each by the best of all that it may stand for. */
  readonly telling: () => Telling;
}

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

export function evidenceOf(examples: readonly Example[], lexicon: Lexicon): Evidence {
  const facts = [...new Set(examples.map(({ fact }) => fact))];
  const places = new Map(facts.map((fact, place) => [fact, place]));
  const words = numbers();
  const table = tableFor(facts.length);
  const labels = new Map<string, Example[]>();
  /** The fact that a sentence asks for, '' where it asks for several; and what stands among a fact's near misses too. */
  const written = new Map<string, string>();
  const unwritten = new Set<string>();
  for (const example of examples) {
    const kind = kindOf(table, places.get(example.fact)!, example.asked);
    count(table, wholeOf(table), kind);
    const sentences = sentencesOf(plainText(example.text));
    if (sentences.length === 1) {
      const { text } = sentences[0]!;
      if (!example.asked) unwritten.add(`${example.fact} ${text}`);
      else written.set(text, written.has(text) && written.get(text) !== example.fact ? '' : example.fact);
    }
    for (const trait of traitsIn(sentences, lexicon, words)) {
      const row = table.places.get(trait);
      if (row === undefined) table.places.set(trait, kind);
      else count(table, row < table.kinds ? split(table, trait, row) : row, kind);
    }
    const same = labels.get(example.text);
    if (same) same.push(example);
    else labels.set(example.text, [example]);
  }

  table.says = Array.from({ length: table.rows }, () => undefined);
  const saysNow = (trait: number) => {
    const row = table.places.get(trait);
    return row === undefined ? undefined : saysOf(table, row);
  };
  const writtenFor = (sentence: string): string | undefined => {
    const fact = written.get(sentence);
    return fact && !unwritten.has(`${fact} ${sentence}`) ? fact : undefined;
  };
  return {
    weigh(clause, unseen) {
      const its = { ...words, strangers: new Map<string, number>() };
      const traits = new Set<number>();
      addTraits(traits, clause, its);
      const left = (unseen !== undefined && labels.get(unseen)) || nobody;
      const counted = left.length > 0 ? traitsIn(sentencesOf(plainText(unseen!)), lexicon, its) : nothing;
      const owns = (left.length > 0 ? facts : []).map((fact) => {
        const own = { asked: 0, missed: 0, all: left.length };
        for (const one of left) if (one.fact === fact) own[one.asked ? 'asked' : 'missed']++;
        return own;
      });
      const meet = (trait: number): Met | undefined => {
        const row = table.places.get(trait);
        if (row === undefined) return undefined;
        const forgets = left.length > 0 && counted.has(trait);
        return forgets && allIn(table, row) <= left.length ? undefined : { row, forgets };
      };
      const says = ({ row, forgets }: Met, at: number) =>
        left.length > 0 ? say(table, { row, at, own: owns[at]!, forgets }) : saysOf(table, row)[at]!;
      const saysUnseen = (trait: number) => {
        const one = meet(trait);
        return one && facts.map((_, at) => says(one, at));
      };
      const isAsked = ({ row, forgets }: Met, at: number) =>
        countIn(table, row, at) > (forgets ? owns[at]!.asked : 0);
      const sums = new Float64Array(facts.length);
      const saidSums = new Float64Array(facts.length);
      for (const trait of traits) {
        const all = left.length > 0 ? saysUnseen(trait) : saysNow(trait);
        if (!all) continue;
        for (let at = 0; at < sums.length; at++) sums[at]! += all[at]!;
        if (isSaidWord(trait)) for (let at = 0; at < sums.length; at++) saidSums[at]! += all[at]!;
      }
      const gist = meet(gistOf(clause, its));
      for (let at = 0; at < sums.length; at++) sums[at]! /= Math.sqrt(Math.max(1, traits.size));
      let met: readonly (readonly Met[])[] | undefined;
      /** What is known of each word of the clause. */
      const metIn = () => (met ??= clause.tokens.map(({ keys }) => keysMet(keys)));
      const keysMet = (keys: readonly string[]) => {
        const found: Met[] = [];
        for (const key of keys) {
          const one = meet(traitOf(key, its));
          if (one) found.push(one);
        }
        return found;
      };
      return {
        written: left.length === 0 ? writtenFor(clause.said) : undefined,
        questions(fact) {
          const at = places.get(fact);
          return at === undefined ? 0 : countIn(table, wholeOf(table), at) - (owns[at]?.asked ?? 0);
        },
        sum: (fact) => sums[places.get(fact) ?? -1] ?? -Infinity,
        most: () => Math.max(...sums),
        get(fact) {
          const at = places.get(fact);
          if (at === undefined) return undefined;
          return {
            sum: sums[at]!,
            rival() {
              let most = -Infinity;
              for (let other = 0; other < sums.length; other++)
                if (other !== at && sums[other]! > most) most = sums[other]!;
              return most;
            },
            said: saidSums[at]! / Math.sqrt(wordsSaid(clause).length),
            gist: gist ? says(gist, at) : 0,
            isKnown: gist !== undefined,
            strange() {
              const mets = metIn();
              return clause.tokens.filter((_, index) => !mets[index]!.some((one) => isAsked(one, at)));
            },
            telling() {
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
              const all = metIn();
              for (let index = 0; index < all.length; index++) {
                const token = clause.tokens[index]!;
                if (token.weight <= 0.3) continue;
                const mets = all[index]!;
                found.endsStrange = Number(!mets.some((met) => isAsked(met, at)));
                const isThing = determiners.has(clause.tokens[index - 1]?.word ?? '');
                if (isThing && found.endsStrange) found.strangeThings++;
                if (mets.length === 0) {
                  found.unknown += token.weight;
                  if (token.head) found.unknownHeads++;
                  continue;
                }
                let best = -Infinity;
                let asked = false;
                for (const met of mets) {
                  best = Math.max(best, says(met, at));
                  asked ||= isAsked(met, at);
                }
                found.known++;
                found.sum += best;
                if (!asked) found.elsewhere += token.weight;
                if (best > found.most) [found.most, found.second] = [best, found.most];
                else found.second = Math.max(found.second, best);
                found.least = Math.min(found.least, best);
              }
              return found;
            },
          };
        },
      };
    },
  };
}

/** A trait of what is said that is known from elsewhere; whether it also stands in the text that is to be forgotten. */
interface Met {
  readonly row: number;
  readonly forgets: boolean;
}

const nobody: readonly Example[] = [];
const nothing: ReadonlySet<number> = new Set();

/** The traits of a whole text, sentence by sentence: what in it asks is for the new clause to say. */
function traitsIn(sentences: readonly Sentence[], lexicon: Lexicon, its: Numbers): ReadonlySet<number> {
  const traits = new Set<number>();
  for (const { text: said, asked, words } of sentences) {
    const tokens = tokensFrom(words, lexicon);
    addTraits(traits, { said, marked: asked, tokens }, its);
    const gist = gistOf({ tokens, marked: asked }, its);
    if (gist !== noGist) traits.add(gist);
  }
  return traits;
}

/** What stands before a thing: "the machine", "your car". */
const determiners: ReadonlySet<string> = new Set(
  'the a an your his her their any this that these those its some other another our my'.split(' '),
);
