import type { Clause } from '../language/clause.ts';
import type { Weights } from '../language/evidence.ts';
import { questionsFor } from '../language/telling.ts';
import type { Fit } from '../language/topic.ts';
import type { PlayState } from '../scenario/play-state.ts';
import { chanceOf, formOf, signsOf } from './asked-for.ts';
import type { QuestionIndex, Topic } from './question-index.ts';

/** What the words say must not be worse than this, where no pattern is enough by itself. */
const leastSaid = -1;

/** The same may be asked for in several sessions: the one that is running is meant. */
const otherSession = 4;

/** The fact that is most likely asked for, of those that questions are written for. */
export function likeliest(
  clause: Clause,
  { fits, weights }: { readonly fits: readonly Fit[]; readonly weights: Weights },
  { index, state }: { readonly index: QuestionIndex; readonly state: PlayState },
): Topic | undefined {
  const form = formOf(clause, index);
  let found: Topic | undefined;
  let most = -Infinity;
  for (const [place, topic] of index.topics.entries()) {
    const fact = topic.fact && weights.places.get(topic.fact.id);
    if (fact === undefined) continue;
    const questions = questionsFor(weights, fact);
    if (questions === 0) continue;
    const fit = fits.find((one) => one.topic === place);
    if (weights.sums[fact]! < leastSaid && !fit?.sure) continue;
    const { session } = topic.fact!;
    const apart = factsApart(index, weights.places, session);
    const chance = chanceOf(signsOf(form, { place, fit, weights, fact, apart }, index), questions);
    if (chance <= 0) continue;
    const sum = chance - (session === state.session ? 0 : otherSession);
    if (sum > most) [found, most] = [topic, sum];
  }
  return found;
}

/** The facts of other sessions than one, by their places in the evidence. */
export function factsApart(
  { topics, isJourney }: QuestionIndex,
  places: ReadonlyMap<string, number>,
  session: number,
): readonly number[] {
  if (!isJourney) return [];
  return topics.flatMap(({ fact }) => (fact && fact.session !== session ? (places.get(fact.id) ?? []) : []));
}
