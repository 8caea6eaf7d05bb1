import { Recent } from '../../base/host/recent.ts';
import type { Clause } from '../language/clause.ts';
import { otherPeople, questionConcepts } from '../language/lexicon.ts';
import { tokensOf } from '../language/tokens.ts';
import type { Token } from '../language/tokens.ts';
import { kinship } from '../language/word-vectors.ts';
import type { Fact } from '../scenario/task.ts';
import type { QuestionIndex } from './question-index.ts';

/** How like a clause is to a fact, by what both speak of. */
export interface Likeness {
  /** How much of the clause the fact's patterns speak of, what it says, and words that mean nearly the same: 0 to 1 each. */
  readonly asked: number;
  readonly said: number;
  readonly kin: number;
  /** The word that is met best, by itself and by a relative, and the one that is met least. */
  readonly most: number;
  readonly mostKin: number;
  readonly least: number;
  /** What the words weigh that the fact does not speak of. */
  readonly strange: number;
  /** When, where, why: how often that is asked, and how often the fact's patterns ask it. */
  readonly questions: number;
  readonly questionsMet: number;
  /** Somebody else is spoken of. */
  readonly others: number;
  readonly words: number;
}

/** What a fact speaks of in its patterns and in what it says, with how much that tells: 1 where no other fact speaks of it. */
interface Subject {
  readonly asks: Words;
  readonly says: Words;
}

type Words = ReadonlyMap<string, number>;

interface Subjects {
  readonly facts: ReadonlyMap<Fact, Subject>;
  /** All that any of them speaks of. */
  readonly words: readonly string[];
  /** How near a word of a clause is to each fact: people say the same words over and over. */
  readonly nearness: Recent<string, ReadonlyMap<Subject, number>>;
}

const mostWordsKept = 1000;

const known = new WeakMap<QuestionIndex, Subjects>();

/** How like a clause is to each fact that can be asked for. */
export function likenesses(clause: Clause, index: QuestionIndex): ReadonlyMap<Fact, Likeness> {
  const subjects = subjectsOf(index);
  const said = clause.tokens
    .filter((token) => isTelling(token) && !index.patterns.given.has(token.keys[0]!))
    .map(({ keys, price }) => ({ keys, price, near: nearnessOf(keys[0]!, subjects) }));
  return new Map([...subjects.facts].map(([fact, subject]) => [fact, likenessOf(said, subject)] as const));
}

interface Word extends Pick<Token, 'keys' | 'price'> {
  readonly near: ReadonlyMap<Subject, number>;
}

function likenessOf(words: readonly Word[], subject: Subject): Likeness {
  const { asks, says } = subject;
  const found = {
    most: 0,
    mostKin: 0,
    least: 1,
    strange: 0,
    questions: 0,
    questionsMet: 0,
    others: 0,
    words: 0,
  };
  let [all, asked, said, kin] = [0, 0, 0, 0];
  for (const word of words) {
    const { keys, price } = word;
    const byPattern = best(keys, asks);
    if (keys.some((key) => questionConcepts.has(key))) {
      found.questions++;
      found.questionsMet += Number(byPattern > 0);
      continue;
    }
    const bySaying = best(keys, says);
    if (byPattern === 0 && keys.some((key) => otherPeople.has(key))) found.others++;
    const met = Math.max(byPattern, bySaying);
    const near = word.near.get(subject)!;
    all += price;
    asked += price * byPattern;
    said += price * bySaying;
    kin += price * near;
    found.words++;
    found.most = Math.max(found.most, met);
    found.mostKin = Math.max(found.mostKin, near);
    found.least = Math.min(found.least, met);
    if (met === 0) found.strange += price;
  }
  const whole = all || 1;
  const least = found.words > 0 ? found.least : 0;
  return { ...found, least, asked: asked / whole, said: said / whole, kin: kin / whole };
}

/** A relative of a word that the fact says is worth a little less than of one by which it is asked for. */
const saidShare = 0.8;

function best(keys: readonly string[], held: Words): number {
  return keys.reduce((most, key) => Math.max(most, held.get(key) ?? 0), 0);
}

function nearnessOf(word: string, { facts, words, nearness }: Subjects): ReadonlyMap<Subject, number> {
  const kept = nearness.get(word);
  if (kept !== undefined) return kept;
  const kin = new Map(words.map((other) => [other, kinship(word, other)]));
  const near = ({ asks, says }: Subject) => Math.max(nearest(kin, asks), saidShare * nearest(kin, says));
  const found = new Map([...facts.values()].map((subject) => [subject, near(subject)]));
  nearness.set(word, found);
  return found;
}

function nearest(kin: ReadonlyMap<string, number>, held: Words): number {
  let most = 0;
  for (const [key, worth] of held) most = Math.max(most, (kin.get(key) ?? 0) * (0.4 + 0.6 * worth));
  return most;
}

function subjectsOf(index: QuestionIndex): Subjects {
  let subjects = known.get(index);
  if (subjects === undefined) known.set(index, (subjects = readSubjects(index)));
  return subjects;
}

function readSubjects({ topics, patterns, lexicon }: QuestionIndex): Subjects {
  const spoken = topics.flatMap(({ fact }, place) => {
    if (!fact) return [];
    const says = tokensOf(`${fact.says} ${fact.id.replaceAll('_', ' ')}`.toLowerCase(), lexicon);
    return {
      fact,
      asks: new Set(patterns.topics[place]!.patterns.flatMap(({ wanted }) => wanted.flat())),
      says: new Set(says.filter(isTelling).flatMap(({ keys }) => keys)),
    };
  });
  const asks = weighed(spoken.map((one) => one.asks));
  const says = weighed(spoken.map((one) => one.says));
  const words = new Set([...asks, ...says].flatMap((held) => [...held.keys()]));
  return {
    facts: new Map(spoken.map(({ fact }, at) => [fact, { asks: asks[at]!, says: says[at]! }])),
    words: [...words].filter((word) => !word.startsWith('#')),
    nearness: new Recent(mostWordsKept),
  };
}

/** The more facts speak of something, the less it tells. */
function weighed(all: readonly ReadonlySet<string>[]): readonly Words[] {
  const counts = new Map<string, number>();
  for (const key of all.flatMap((keys) => [...keys])) counts.set(key, (counts.get(key) ?? 0) + 1);
  const worth = (key: string) =>
    Math.log((all.length + 1) / (counts.get(key)! + 0.5)) / Math.log(all.length + 1);
  return all.map((keys) => new Map([...keys].map((key) => [key, worth(key)])));
}

function isTelling({ weight, keys }: Token): boolean {
  return weight >= 0.3 || keys.some((key) => questionConcepts.has(key));
}
