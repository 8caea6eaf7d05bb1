import { bagOf } from './language/pattern.ts';
import type { Bag } from './language/pattern.ts';
import { fitsOf, isBarred, unexplainedBy } from './language/topic.ts';
import type { Fit } from './language/topic.ts';
import type { Clause } from './language/clause.ts';
import type { Evidence, Weights } from './language/evidence.ts';
import { questionConcepts, tokensOf } from './language/lexicon.ts';
import type { Token } from './language/lexicon.ts';
import type { Ears, Topic } from './ears.ts';
import type { PlayState } from './play-state.ts';

/** The topic of a clause. "What is it?" asks for what was spoken of right before, or for what it is all about. */
export function topicMeant(clause: Clause, before: Clause | undefined, now: Now): Topic | undefined {
  const direct = pick(clause.bag, now);
  if (direct) return direct;
  if (isBare(clause) && before && clause.tokens.length > 0) {
    const meant = pick(bagOf([...before.tokens, ...clause.tokens]), now);
    if (meant) return meant;
  }
  const whole = clause.whole && pick(bagOf(clause.whole()), now);
  if (whole) return whole;
  return (clause.pointsBack ? lentBy(clause, now) : undefined) ?? vouchedFor(clause, now);
}

export interface Now {
  readonly ears: Ears;
  readonly state: PlayState;
  readonly evidence: Evidence | undefined;
  /** The message, where it may be one of the examples and is to be heard as if it were not. */
  readonly unseen?: string;
}

/** Nothing in it says what is asked for: "What is it?", "Do you?", "And yours, please?" */
export function isBare(clause: Clause): boolean {
  return clause.tokens.every(
    ({ weight, keys }) => weight < 0.5 || keys.some((key) => questionConcepts.has(key)),
  );
}

function pick(bag: Bag, now: Now): Topic | undefined {
  const { ears, state, evidence, unseen } = now;
  const fits = fitsOf(bag, ears.listener, (topic) => nearness(ears.topics[topic]!, state));
  if (fits.length === 0) return undefined;
  const weights = evidence?.weigh(bag.tokens, unseen);
  const best = fits.find((fit) => isLikely(fit, weights, ears));
  return best && ears.topics[best.topic];
}

/** Patterns hear it; the questions that are known must not speak against it, the less the more it says that is new. */
function isLikely({ topic, margin }: Fit, weights: Weights | undefined, ears: Ears): boolean {
  const { fact } = ears.topics[topic]!;
  const weight = fact && weights?.get(fact.id);
  if (!weight) return true;
  const strange = unexplainedBy(ears.listener.topics[topic]!, weight.strange());
  const known = Math.min(1, weight.questions / 50);
  return weight.sum + Math.min(margin, 2) >= 1 - 10 / weight.questions + 2.5 * Math.min(1, strange) * known;
}

/** No pattern hears it, and it is much like questions that are known: the more of these there are, the less it takes. */
function vouchedFor(clause: Clause, { ears, state, evidence, unseen }: Now): Topic | undefined {
  if (!evidence || clause.names) return undefined;
  const weights = evidence.weigh(clause.tokens, unseen);
  const vague = clause.tokens.reduce((said, { weight }) => said + weight, 0) < 0.9 ? 1 : 0;
  let found: Topic | undefined;
  let most = 0;
  for (const [place, topic] of ears.topics.entries()) {
    const weight = topic.fact && weights.get(topic.fact.id);
    if (!weight || weight.sum < 3 + vague + 30 / weight.questions) continue;
    const words = ears.listener.topics[place]!;
    if (isBarred(words, clause.bag)) continue;
    if (unexplainedBy(words, weight.strange()) > 0.7) continue;
    const sum = weight.sum + nearness(topic, state);
    if (sum > most) [found, most] = [topic, sum];
  }
  return found;
}

/** "How bad is it?": what it is all about lends its words, or else what was spoken of last. */
function lentBy(clause: Clause, now: Now): Topic | undefined {
  const { listener } = now.ears;
  // Each telling word must be met, so one that no pattern wants settles it.
  if (clause.tokens.some(({ weight, keys }) => weight > 0.5 && !keys.some((key) => listener.wanted.has(key))))
    return undefined;
  return lent(clause, listener.about, now) ?? lent(clause, spokenOf(now.state.last, now.ears), now);
}

/** The clause with words that are lent to it: it must hold one of its own that counts, and none that does not. */
function lent(clause: Clause, words: readonly Token[], { ears, state }: Now): Topic | undefined {
  const own = clause.tokens.length;
  const lean = (topic: number) => nearness(ears.topics[topic]!, state);
  const [best] = fitsOf(bagOf([...clause.tokens, ...words]), ears.listener, lean, own);
  if (!best?.used.some((index) => index < own)) return undefined;
  const left = clause.tokens.some(({ weight }, index) => weight > 0.5 && !best.used.includes(index));
  return left ? undefined : ears.topics[best.topic];
}

/** The words of what was spoken of: the first pattern of a topic, without its signs. */
function spokenOf(pattern: string, { lexicon, spoken }: Ears): readonly Token[] {
  const known = spoken.get(pattern);
  if (known) return known;
  const tokens = tokensOf(pattern.replace(/[!?]\S+/g, ' ').replace(/[|=_]/g, ' '), lexicon);
  spoken.set(pattern, tokens);
  return tokens;
}

/** Of two facts that fit a question alike, the one that is not out yet is meant, and the one of this session. */
function nearness({ fact }: Topic, state: PlayState): number {
  if (!fact) return 0;
  return (Object.hasOwn(state.revealed, fact.id) ? 0 : 0.1) - (fact.session === state.session ? 0 : 0.2);
}
