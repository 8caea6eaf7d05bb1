import { clausesOf, plainText } from './clause.ts';
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
   * By fact, how much the words speak for its being asked for (above 0) or against it, as a naive Bayes does: each
   * word, what it may stand for and each pair counts by how much more often it stands in the fact's own questions than
   * in near misses and in questions for other facts. `unseen` is the text itself where it may be one of the examples:
   * it is then weighed as if it were not.
   */
  readonly weigh: (tokens: readonly Token[], unseen?: string) => Weights;
}

/** Each fact is weighed when it is asked for: most never are. */
export interface Weights {
  readonly get: (fact: string) => Weight | undefined;
}

export interface Weight {
  readonly sum: number;
  /** The words that stand in none of its questions. */
  readonly strange: () => readonly Token[];
  /** Of how many questions it speaks. */
  readonly questions: number;
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
  const whole = countsFor(facts.length);
  const labels = new Map<string, Example[]>();
  const learn = (word: string) => numberIn(words, word);
  for (const example of examples) {
    const at = places.get(example.fact)!;
    count(whole, at, example.asked);
    for (const trait of traitsOf(wordsAsked(example.text, lexicon), learn)) {
      let known = counts.get(trait);
      if (!known) counts.set(trait, (known = countsFor(facts.length)));
      count(known, at, example.asked);
    }
    const same = labels.get(example.text);
    if (same) same.push(example);
    else labels.set(example.text, [example]);
  }

  const weigh = (tokens: readonly Token[], unseen?: string): Weights => {
    const strangers = new Map<string, number>();
    const numberOf = (word: string) => words.get(word) ?? words.size + numberIn(strangers, word);
    const traits = traitsOf(tokens, numberOf);
    const left = (unseen !== undefined && labels.get(unseen)) || [];
    const counted = left.length > 0 ? traitsOf(wordsAsked(unseen!, lexicon), numberOf) : nothing;
    const known: { readonly counts: Counts; readonly own: boolean }[] = [];
    for (const trait of traits) {
      const found = counts.get(trait);
      if (found) known.push({ counts: found, own: counted.has(trait) });
    }
    return {
      get(fact) {
        const at = places.get(fact);
        if (at === undefined) return undefined;
        const own = { asked: 0, missed: 0, all: left.length };
        for (const one of left) if (one.fact === fact) own[one.asked ? 'asked' : 'missed']++;
        const sum = weighFact(known, { whole, at, own });
        const questions = whole.asked[at]! - own.asked;
        const isStrange = (key: string) => {
          const trait = traitOf(key, numberOf);
          return (counts.get(trait)?.asked[at] ?? 0) <= (counted.has(trait) ? own.asked : 0);
        };
        const strange = () => tokens.filter(({ keys }) => keys.every(isStrange));
        return { sum: sum / Math.sqrt(Math.max(1, traits.size)), strange, questions };
      },
    };
  };

  let last:
    | { readonly tokens: readonly Token[]; readonly unseen: string | undefined; readonly weights: Weights }
    | undefined;
  return {
    weigh(tokens, unseen) {
      // A clause is weighed for what a pattern hears in it, and again where none does.
      if (last?.tokens !== tokens || last.unseen !== unseen)
        last = { tokens, unseen, weights: weigh(tokens, unseen) };
      return last.weights;
    },
  };
}

/** How often something stands in questions and near misses: of all facts together, and of each fact. */
interface Counts {
  all: number;
  readonly asked: number[];
  readonly missed: number[];
}

type Own = { readonly asked: number; readonly missed: number; readonly all: number };

const none: Own = { asked: 0, missed: 0, all: 0 };
const nothing: ReadonlySet<number> = new Set();

function weighFact(
  known: readonly { readonly counts: Counts; readonly own: boolean }[],
  /** `own` are the counts of the text itself, which are left out wherever it was counted. */
  by: { readonly whole: Counts; readonly at: number; readonly own: Own },
): number {
  const { whole, at } = by;
  const asked = (one: Counts, own: Own) => one.asked[at]! - own.asked;
  const against = (one: Counts, own: Own) =>
    one.all - own.all - asked(one, own) + (nearMiss - 1) * (one.missed[at]! - own.missed);
  const questions = asked(whole, by.own);
  if (questions <= 0) return 0;
  const share = against(whole, by.own) / questions;
  let sum = 0;
  for (const one of known) {
    const own = one.own ? by.own : none;
    sum += Math.log(((asked(one.counts, own) + prior) * share) / (against(one.counts, own) + prior * share));
  }
  return sum;
}

/** The words of whatever a text asks. */
function wordsAsked(text: string, lexicon: Lexicon): readonly Token[] {
  return clausesOf(plainText(text), lexicon)
    .filter(({ asks, orders }) => asks || orders)
    .flatMap(({ tokens }) => tokens);
}

/**
 * What is counted: words, what they may stand for, two words that stand side by side, two telling words in a row. All
 * are numbers, for most are pairs: a text for each would cost more than all the rest.
 */
function traitsOf(tokens: readonly Token[], numberOf: (word: string) => number): ReadonlySet<number> {
  const traits = new Set<number>();
  let before: number | undefined;
  let telling: number | undefined;
  for (const { word, keys, weight } of tokens) {
    for (const key of keys) traits.add(traitOf(key, numberOf));
    const own = numberOf(word);
    if (before !== undefined) traits.add(pairOf(before, own));
    before = own;
    if (weight <= 0.3) continue;
    const last = numberOf(keys.at(-1)!);
    if (telling !== undefined) traits.add(pairOf(telling, last));
    telling = last;
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
