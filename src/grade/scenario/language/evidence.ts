import { wordsSaid } from './asking.ts';
import { clausesOf, plainText } from './clause.ts';
import type { Clause } from './clause.ts';
import type { Lexicon, Token } from './lexicon.ts';

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
  /** How many questions are written for a fact. */
  readonly questions: (fact: string) => number;
  readonly get: (fact: string) => Weight | undefined;
}

export interface Weight {
  readonly sum: number;
  /** Those of some words that stand in none of its questions. */
  readonly strange: (tokens: readonly Token[]) => readonly Token[];
}

/** A fact's own near misses say more against it than a question for something else. */
const nearMiss = 8;

/** What is counted as seen of whatever was never seen. */
const prior = 0.1;

export function evidenceOf(examples: readonly Example[], lexicon: Lexicon): Evidence {
  const facts = [...new Set(examples.map(({ fact }) => fact))];
  const places = new Map(facts.map((fact, place) => [fact, place]));
  const words = new Map<string, number>();
  const counts = new Map<number, Counts>();
  // Most traits are pairs that stand in one text alone: all that stand in texts of one kind share their counts.
  const once = [true, false].map((asked) =>
    facts.map((_, at) => {
      const counts = countsFor(facts.length);
      count(counts, at, asked);
      return counts;
    }),
  );
  const shared = new Set(once.flat());
  const whole = countsFor(facts.length);
  const labels = new Map<string, Example[]>();
  const learn = (word: string) => numberIn(words, word);
  for (const example of examples) {
    const at = places.get(example.fact)!;
    count(whole, at, example.asked);
    for (const trait of traitsIn(example.text, lexicon, learn)) {
      const known = counts.get(trait);
      if (!known) {
        counts.set(trait, once[example.asked ? 0 : 1]![at]!);
        continue;
      }
      const own = shared.has(known)
        ? { ...known, asked: [...known.asked], missed: [...known.missed] }
        : known;
      count(own, at, example.asked);
      if (own !== known) counts.set(trait, own);
    }
    const same = labels.get(example.text);
    if (same) same.push(example);
    else labels.set(example.text, [example]);
  }

  return {
    weigh(clause, unseen) {
      const strangers = new Map<string, number>();
      const numberOf = (word: string) => words.get(word) ?? words.size + numberIn(strangers, word);
      const traits = traitsOf([clause], numberOf);
      const left = (unseen !== undefined && labels.get(unseen)) || [];
      const counted = left.length > 0 ? traitsIn(unseen!, lexicon, numberOf) : nothing;
      const known: { readonly trait: number; readonly counts: Counts }[] = [];
      for (const trait of traits) {
        const found = counts.get(trait);
        if (found) known.push({ trait, counts: found });
      }
      let sums: Float64Array | undefined;
      const sumsOf = () => {
        const all = new Float64Array(facts.length);
        for (const one of known) {
          const says = saysOf(one.counts, whole);
          for (let at = 0; at < says.length; at++) all[at]! += says[at]!;
        }
        return all;
      };
      return {
        questions(fact) {
          const at = places.get(fact);
          if (at === undefined) return 0;
          return whole.asked[at]! - left.filter((one) => one.fact === fact && one.asked).length;
        },
        get(fact) {
          const at = places.get(fact);
          if (at === undefined) return undefined;
          const own = { asked: 0, missed: 0, all: left.length };
          for (const one of left) if (one.fact === fact) own[one.asked ? 'asked' : 'missed']++;
          let sum = 0;
          if (left.length === 0) sum = (sums ??= sumsOf())[at]!;
          else
            for (const { trait, counts: one } of known)
              if (!counted.has(trait)) sum += saysOf(one, whole)[at]!;
              else if (one.all > own.all) sum += say(one, { whole, at, own });
          const isStrange = (key: string) => {
            const trait = traitOf(key, numberOf);
            return (counts.get(trait)?.asked[at] ?? 0) <= (counted.has(trait) ? own.asked : 0);
          };
          const strange = (tokens: readonly Token[]) => tokens.filter(({ keys }) => keys.every(isStrange));
          return { sum: sum / Math.sqrt(Math.max(1, traits.size)), strange };
        },
      };
    },
  };
}

/** How often something stands in questions and near misses: of all facts together, and of each fact. */
interface Counts {
  all: number;
  readonly asked: number[];
  readonly missed: number[];
  /** What it says for each fact, worked out when it is first met. */
  says?: readonly number[];
}

type Own = { readonly asked: number; readonly missed: number; readonly all: number };

const none: Own = { asked: 0, missed: 0, all: 0 };
const nothing: ReadonlySet<number> = new Set();

function saysOf(counts: Counts, whole: Counts): readonly number[] {
  counts.says ??= whole.asked.map((_, at) => say(counts, { whole, at, own: none }));
  return counts.says;
}

/** What a trait says for a fact; `own` are the counts of the text itself, which are left out. */
function say(
  counts: Counts,
  { whole, at, own }: { readonly whole: Counts; readonly at: number; readonly own: Own },
): number {
  const asked = (one: Counts) => one.asked[at]! - own.asked;
  const against = (one: Counts) =>
    one.all - own.all - asked(one) + (nearMiss - 1) * (one.missed[at]! - own.missed);
  const questions = asked(whole);
  if (questions <= 0) return 0;
  const share = against(whole) / questions;
  return Math.log(((asked(counts) + prior) * share) / (against(counts) + prior * share));
}

/** The traits of a whole text. */
function traitsIn(text: string, lexicon: Lexicon, numberOf: (word: string) => number): ReadonlySet<number> {
  const clauses = clausesOf(plainText(text), lexicon);
  const asking = clauses.filter(({ asks, orders }) => asks || orders);
  return traitsOf(asking.length > 0 ? asking : clauses, numberOf);
}

/**
 * What is counted: what the words may stand for, two side by side, two telling ones in a row; and all words as they are
 * said, alone and two by two. All are numbers, for most are pairs: a text for each would cost more than all the rest.
 */
function traitsOf(clauses: readonly Clause[], numberOf: (word: string) => number): ReadonlySet<number> {
  const traits = new Set<number>();
  for (const clause of clauses) {
    let before: number | undefined;
    let telling: number | undefined;
    for (const { word, keys, weight } of clause.tokens) {
      for (const key of keys) traits.add(traitOf(key, numberOf));
      const own = numberOf(word);
      if (before !== undefined) traits.add(pairOf(before, own));
      before = own;
      if (weight <= 0.3) continue;
      const last = numberOf(keys.at(-1)!);
      if (telling !== undefined) traits.add(pairOf(telling, last));
      telling = last;
    }
    before = undefined;
    for (const word of wordsSaid(clause)) {
      // Another number than the word's meaning has.
      const own = numberOf(`'${word}`);
      traits.add(own);
      if (before !== undefined) traits.add(pairOf(before, own));
      before = own;
    }
  }
  return traits;
}

/** "How long" is the same trait whether two words or a phrase with a meaning of its own. */
function traitOf(key: string, numberOf: (word: string) => number): number {
  const space = key.lastIndexOf(' ');
  return space < 0 ? numberOf(key) : pairOf(numberOf(key.slice(0, space)), numberOf(key.slice(space + 1)));
}

/** Of up to 16,000 words all pairs are small integers, which are looked up fastest; beyond, they are still told apart. */
function pairOf(one: number, other: number): number {
  return (one + 1) * 2 ** 17 + other;
}

function numberIn(numbers: Map<string, number>, word: string): number {
  let found = numbers.get(word);
  if (found === undefined) numbers.set(word, (found = numbers.size));
  return found;
}

function countsFor(facts: number): Counts {
  return { all: 0, asked: Array<number>(facts).fill(0), missed: Array<number>(facts).fill(0) };
}

function count(counts: Counts, fact: number, asked: boolean): void {
  counts.all++;
  (asked ? counts.asked : counts.missed)[fact]!++;
}
