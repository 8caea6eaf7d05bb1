import type { Clause } from '../language/clause.ts';
import type { Weights } from '../language/evidence.ts';
import { questionsFor } from '../language/fact-scores.ts';
import type { Fit } from '../language/topic.ts';
import type { PlayState } from '../scenario/play-state.ts';
import { chanceOf, formOf, signsOf } from './asked-for.ts';
import type { QuestionIndex, Topic } from './question-index.ts';

/** What the words say must not be worse than this, where no pattern is enough by itself. */
const leastSaid = -1;

/** The same may be asked for in several sessions: the one that is running is meant. */
const otherSession = 4;

/** The fact that is most likely asked for, of those that questions are written for. */
export function mostLikelyFact(clause: Clause, signs: ClauseSigns, now: Now): Topic | undefined {
  const { state } = now;
  let found: Topic | undefined;
  let most = -Infinity;
  for (const [topic, chance] of chances(clause, signs, now.index, leastSaid)) {
    if (chance <= 0) continue;
    const sum = chance - (topic.fact!.session === state.session ? 0 : otherSession);
    if (sum > most) [found, most] = [topic, sum];
  }
  return found;
}

interface Now {
  readonly index: QuestionIndex;
  readonly state: PlayState;
}

/** What is known of a clause: the patterns that it meets, and what the questions that were written say of it. */
interface ClauseSigns {
  readonly fits: readonly Fit[];
  readonly weights: Weights;
}

/**
 * How likely each fact is asked for, of those that questions are written for; above 0, so likely that it is told.
 * `atLeast` leaves out those of which the words say less, where no pattern is enough by itself.
 */
export function* chances(
  clause: Clause,
  { fits, weights }: ClauseSigns,
  index: QuestionIndex,
  atLeast = -Infinity,
): Generator<readonly [topic: Topic, chance: number]> {
  const form = formOf(clause, index);
  for (const [place, topic] of index.topics.entries()) {
    const fact = topic.fact && weights.places.get(topic.fact.id);
    if (fact === undefined) continue;
    const questions = questionsFor(weights, fact);
    if (questions === 0) continue;
    const fit = fits.find((one) => one.topic === place);
    if (weights.sums[fact]! < atLeast && !fit?.sure) continue;
    const apart = factsOfOtherSessions(index, weights.places, topic.fact!.session);
    yield [topic, chanceOf(signsOf(form, { place, fit, weights, fact, apart }, index), questions)];
  }
}

/** The facts of other sessions than one, by their places in the evidence. */
export function factsOfOtherSessions(
  { topics, isJourney }: QuestionIndex,
  places: ReadonlyMap<string, number>,
  session: number,
): readonly number[] {
  if (!isJourney) return [];
  return topics.flatMap(({ fact }) => (fact && fact.session !== session ? (places.get(fact.id) ?? []) : []));
}
