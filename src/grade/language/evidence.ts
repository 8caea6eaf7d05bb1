import type { Clause } from './clause.ts';
import type { Lexicon } from './lexicon.ts';
import { plainText } from './plain-text.ts';
import { sentencesOf } from './sentence.ts';
import { tokensFrom } from './tokens.ts';
import { countsFor, countsWithout, learn, saysOf } from './trait-counts.ts';
import type { Row, TraitCounts } from './trait-counts.ts';
import { traitsOf } from './traits.ts';

/** A question that somebody wrote for a fact, or a near miss that must not draw it out. */
export interface Example {
  readonly fact: string;
  readonly asked: boolean;
  readonly text: string;
}

/** The fact that talk asks for which wants to know nothing. */
export const nobodysFact = '';

/** What the questions that were written for a person say of a new one. */
export interface Evidence {
  /** Where a fact stands among those that questions are written for. */
  readonly places: ReadonlyMap<string, number>;
  /**
   * By fact, how much what is said speaks for its being asked for (above 0) or against it, as a naive Bayes does: each
   * word, what it may stand for and each pair counts by how much more often it is in the fact's own questions than
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
  readonly counts: TraitCounts;
  /** What is known of all that the clause turns on together, where somebody wrote that. */
  readonly gist: Row | undefined;
  /** What is known of all that each of its words may stand for. */
  readonly rows: readonly (readonly Row[])[];
}

export function evidenceOf(examples: readonly Example[], lexicon: Lexicon): Evidence {
  const places = new Map([...new Set(examples.map(({ fact }) => fact))].map((fact, place) => [fact, place]));
  const words = new Map<string, number>();
  const learnWord = (word: string) => words.get(word) ?? words.set(word, words.size + 1).size;
  const counts = countsFor(places.size, places.get(nobodysFact));
  const kindOf = ({ fact, asked }: Example) => places.get(fact)! + (asked ? 0 : places.size);
  for (const example of examples)
    learn(counts, traitsIn(example.text, example.asked, { lexicon, numberOf: learnWord }), kindOf(example));
  const sameText = Map.groupBy(examples, ({ text }) => text);
  const written = factsBySentence(examples);
  const weighed = new WeakMap<Clause, { readonly unseen: string | undefined; readonly weights: Weights }>();
  return {
    places,
    weigh(clause, unseen) {
      const before = weighed.get(clause);
      if (before && before.unseen === unseen) return before.weights;
      const strangers = new Map<string, number>();
      const numberOf = (word: string) => {
        const known = words.get(word) ?? strangers.get(word);
        if (known !== undefined) return known;
        strangers.set(word, words.size + strangers.size + 1);
        return words.size + strangers.size;
      };
      const traits = traitsOf(clause, numberOf);
      const left = unseen === undefined ? undefined : sameText.get(unseen);
      let known = counts;
      if (left) {
        const asked = left.every((one) => one.asked);
        const forgotten = traitsIn(unseen!, asked, { lexicon, numberOf });
        const wanted = [...traits.all, traits.gist ?? 0];
        known = countsWithout(counts, { kinds: left.map(kindOf), traits: forgotten }, wanted);
      }
      const { rows } = known;
      const add = (those: ReadonlySet<number>, share: number): readonly number[] => {
        const sums = [...places].map(() => 0);
        for (const trait of those) {
          const row = rows.get(trait);
          if (row === undefined) continue;
          const says = saysOf(known, row);
          for (let fact = 0; fact < sums.length; fact++) sums[fact]! += says[fact]!;
        }
        return sums.map((sum) => sum / Math.sqrt(share));
      };
      const weights = {
        places,
        written: left ? undefined : written.get(clause.said),
        clause,
        sums: add(traits.all, Math.max(1, traits.all.size)),
        said: add(traits.said, clause.saidWords.length),
        counts: known,
        gist: rows.get(traits.gist ?? 0),
        rows: traits.keys.map((keys) => keys.flatMap((key) => rows.get(key) ?? [])),
      };
      weighed.set(clause, { unseen, weights });
      return weights;
    },
  };
}

/** The sentences that were written for one fact alone, and not as near misses of it too. */
function factsBySentence(examples: readonly Example[]): ReadonlyMap<string, string> {
  const facts = new Map<string, string>();
  const several = new Set<string>();
  const nearMisses = new Set<string>();
  for (const { fact, asked, text } of examples) {
    const [sentence, ...more] = sentencesOf(plainText(text));
    if (!sentence || more.length > 0) continue;
    if (!asked) nearMisses.add(`${fact} ${sentence.text}`);
    else if ((facts.get(sentence.text) ?? fact) === fact) facts.set(sentence.text, fact);
    else several.add(sentence.text);
  }
  const isClear = ([sentence, fact]: readonly [string, string]) =>
    fact !== nobodysFact && !several.has(sentence) && !nearMisses.has(`${fact} ${sentence}`);
  return new Map([...facts].filter(isClear));
}

/** The traits of a whole text, sentence by sentence; of a question those of what asks in it, not of what is said before. */
function traitsIn(
  text: string,
  asked: boolean,
  { lexicon, numberOf }: { readonly lexicon: Lexicon; readonly numberOf: (word: string) => number },
): ReadonlySet<number> {
  const sentences = [...sentencesOf(plainText(text))];
  const marked = sentences.filter((sentence) => sentence.asked);
  const asking = marked.length > 0 ? marked : sentences.slice(-1);
  const all = new Set<number>();
  for (const { said, asked: mark, words } of asked ? asking : sentences) {
    const tokens = tokensFrom(words, lexicon);
    const traits = traitsOf({ saidWords: said, marked: mark, tokens }, numberOf);
    for (const trait of traits.all) all.add(trait);
    if (traits.gist !== undefined) all.add(traits.gist);
  }
  return all;
}
