import type { Clause } from '../language/clause.ts';
import type { Weights } from '../language/evidence.ts';
import { questionConcepts } from '../language/lexicon.ts';
import { tokensOf } from '../language/tokens.ts';
import { fitsOf, isBarred, topicIndexOf } from '../language/topic.ts';
import type { Fit } from '../language/topic.ts';
import { isCommon } from '../language/word-vectors.ts';
import { generalQuestions } from '../scenario/general.ts';
import type { Fact } from '../scenario/task.ts';
import { readNet, sumBy } from './asked-for.ts';
import { type Likeness, likenesses } from './likeness.ts';
import { chances } from './rank-facts.ts';
import type { ReplyContext } from './reply-context.ts';
import type { QuestionIndex, Topic } from './question-index.ts';

const net = readNet('guess');

/** What may be meant by a question that nothing settles. */
export interface Guess {
  /** What most likely is. */
  readonly topic: Topic | undefined;
  /** It is in plain words, or what anybody may be asked, and no fact is like it: it was heard, and there is no answer to it. */
  readonly isStrange: boolean;
}

/**
 * Guesses what is asked for by a question that neither patterns nor the questions of a fact settle: the fact that speaks
 * of most of what it speaks of, by the same words or by relatives.
 */
export function guess(clause: Clause, { index, state, evidence, unseen }: ReplyContext): Guess {
  const weights = evidence?.weigh(clause, unseen);
  const signs = guessSigns(clause, weights, index);
  let nearest: Fact | undefined;
  let most = -Infinity;
  for (const [fact, each] of signs) {
    if (fact.session !== state.session) continue;
    const sum = sumBy(net, each);
    if (sum > most) [nearest, most] = [fact, sum];
  }
  return {
    topic: most > 0 ? index.topics.find(({ fact }) => fact === nearest) : undefined,
    isStrange: most < nothingLike && (isPlain(clause) || isGeneral(clause)),
  };
}

/** Below this nobody who knew the fact would think of it. */
const nothingLike = -3;

const anybodys = topicIndexOf(Object.values(generalQuestions), { synonyms: [], about: '', name: '' });

/** Anybody may be asked so, and this person has no answer to it. */
function isGeneral({ text }: Clause): boolean {
  return fitsOf(tokensOf(text, anybodys.lexicon), anybodys, () => 0).some(({ sure }) => sure);
}

/** It has words that tell, and all of them are common ones. */
function isPlain({ tokens }: Clause): boolean {
  const telling = tokens.filter(
    ({ empty, keys }) => !empty && !keys.some((key) => questionConcepts.has(key)),
  );
  return telling.length > 0 && telling.every(({ keys }) => isCommon(keys[0]!));
}

/** All that speaks for or against each fact that a clause may be about, in the order that the weights were learnt in. */
export function guessSigns(
  clause: Clause,
  weights: Weights | undefined,
  index: QuestionIndex,
): ReadonlyMap<Fact, readonly number[]> {
  // "Shall I write it down?" offers something, and asks for nothing.
  if (clause.heads || clause.tokens.some(({ offered }) => offered)) return new Map();
  const alike = [...likenesses(clause, index)];
  const fits = fitsOf(clause.tokens, index.patterns, () => 0);
  const learnt = new Map(
    weights && [...chances(clause, { fits, weights }, index)].map(([{ fact }, chance]) => [fact, chance]),
  );
  const rivals = {
    asked: rivalsBy(alike, ({ asked }) => asked),
    said: rivalsBy(alike, ({ said }) => said),
    kin: rivalsBy(alike, ({ kin }) => kin),
  };
  return new Map(
    alike.flatMap(([fact, likeness]) => {
      const place = index.topics.findIndex((topic) => topic.fact === fact);
      if (!speaksOf(likeness) || isBarred(index.patterns.topics[place]!, clause.tokens)) return [];
      const fit = fits.find(({ topic }) => topic === place);
      const chance = learnt.get(fact);
      const signs = [
        ...signsOfLikeness(likeness),
        likeness.asked - rivals.asked(fact),
        likeness.said - rivals.said(fact),
        likeness.kin - rivals.kin(fact),
        ...signsOfFit(fit),
        Number(clause.marked),
        Number(clause.names),
        Number(clause.orders),
        Math.max(-6, Math.min(3, chance ?? -3)),
        Number(chance !== undefined),
      ];
      return [[fact, signs] as const];
    }),
  );
}

/** For each fact, the most that any other has. */
function rivalsBy(
  alike: readonly (readonly [Fact, Likeness])[],
  by: (likeness: Likeness) => number,
): (fact: Fact) => number {
  let first: Fact | undefined;
  let [most, second] = [0, 0];
  for (const [fact, likeness] of alike) {
    const value = by(likeness);
    if (value > most) [first, most, second] = [fact, value, most];
    else if (value > second) second = value;
  }
  return (fact) => (fact === first ? second : most);
}

/** Some word of the clause is one of the fact's, or a near relative of one: question words alone point at nothing. */
function speaksOf({ most, mostKin }: Likeness): boolean {
  return most > 0.3 || mostKin > 0.55;
}

function signsOfLikeness(likeness: Likeness): readonly number[] {
  const { asked, said, kin, most, mostKin, least, strange, questions, questionsMet, others, words } =
    likeness;
  return [
    asked,
    said,
    kin,
    most,
    mostKin,
    least,
    Math.min(4, strange),
    questions,
    questionsMet,
    others,
    Math.min(6, words),
  ];
}

function signsOfFit(fit: Fit | undefined): readonly number[] {
  return fit ? [1, Math.max(-1, Math.min(2, fit.margin))] : [0, -1];
}
