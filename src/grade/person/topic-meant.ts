import { chanceOf, formOf, signsOf } from './asked-for.ts';
import type { Form } from './asked-for.ts';
import { bagOf, fitsOf } from '../language/topic.ts';
import type { Bag, Fit } from '../language/topic.ts';
import type { Clause } from '../language/clause.ts';
import { nobodysFact, questionsFor } from '../language/evidence.ts';
import type { Evidence, Weights } from '../language/evidence.ts';
import { questionConcepts, tokensOf } from '../language/lexicon.ts';
import type { Token } from '../language/lexicon.ts';
import type { QuestionIndex, Topic } from './question-index.ts';
import type { PlayState } from '../scenario/play-state.ts';

/** The topics of what is asked: of all the things, where it names several. */
export function topicsMeant(clause: Clause, before: Clause | undefined, now: Now): readonly Topic[] {
  const things = clause.things?.().map((thing) => topicNow(thing, before, now)) ?? [];
  const each = new Set(things.filter((topic) => topic?.fact?.session === now.state.session) as Topic[]);
  if (each.size > 1) return [...each];
  const meant = topicNow(clause, before, now);
  return meant ? [meant] : [];
}

/** What was asked for in an earlier session is asked for as it is now, or as it was last. */
function topicNow(clause: Clause, before: Clause | undefined, now: Now): Topic | undefined {
  const meant = topicMeant(clause, before, now);
  const { session } = now.state;
  if (!meant?.fact || meant.fact.session >= session || speaksOfThen.test(clause.sentence)) return meant;
  const latest = now.ears.twins
    .get(meant)
    ?.filter(({ fact }) => fact!.session <= session)
    .reduce((one, other) => (other.fact!.session > one.fact!.session ? other : one));
  return latest ?? meant;
}

const speaksOfThen =
  /\b(?:first|beginning|initial|initially|originally|outset|earlier|back then|ago|last (?:time|call)|(?:gave|told) (?:me|us)|right after|was|were|did)\b/;

/** It is said like what operators say that want to know nothing. */
export function isIdle(clause: Clause, { evidence, unseen }: Now): boolean {
  const nobodys = evidence?.places.get(nobodysFact);
  if (nobodys === undefined) return false;
  const sum = evidence!.weigh(clause, unseen).sums[nobodys]!;
  return sum > (clause.marked ? leastIdle : 0);
}

/** What ends with a question mark is a question, unless it is very like idle ones ("Shall we begin?"). */
const leastIdle = 2;

/** The topic of what is asked. "What is it?" asks for what was spoken of right before, or for what it is all about. */
function topicMeant(clause: Clause, before: Clause | undefined, now: Now): Topic | undefined {
  if (clause.declines) return undefined;
  const states = !clause.asks && !clause.orders;
  const done = states && isToBeDone(clause) ? actMeant(clause, now) : undefined;
  if (done) return done;
  if (states && !clause.tokens.some(({ weight }) => weight > 0.5)) return undefined;
  const weights = now.evidence?.weigh(clause, now.unseen);
  const written = weights && !isBare(clause) && writtenFor(weights, now);
  if (written) return written;
  // A wish all the same, perhaps ("It would be a help to have your number"): but most say something else.
  if (states && !(weights && speaksForAny(weights))) return undefined;
  const { listener, topics } = now.ears;
  const bag = bagOf(clause.tokens, listener);
  const fits = fitsOf(bag, listener, (topic) => nearness(topics[topic]!, now.state));
  if (states) return likeliest(clause, { bag, fits, weights: weights! }, now);
  const direct = heardBy(fits, { clause, weights, ears: now.ears });
  if (direct?.first) return direct.topic;
  const likely = (weights && likeliest(clause, { bag, fits, weights }, now)) ?? direct?.topic;
  if (likely || !clause.asks) return likely;
  if (isBare(clause) && before && clause.tokens.length > 0) {
    const tokens = [...before.tokens, ...clause.tokens];
    const saidWords = [...before.saidWords.slice(0, -1), ...clause.saidWords];
    const both = { ...clause, said: `${before.said} ${clause.said}`, saidWords, tokens };
    const merged = fitsOf(bagOf(tokens, listener), listener, () => 0).filter(
      ({ sure, used }) => sure && used.some((index) => index >= before.tokens.length),
    );
    const meant = merged.length > 0 && topicMeant(both, undefined, now);
    if (meant && !isLearnt(meant, weights) && merged.some(({ topic }) => topics[topic] === meant))
      return meant;
  }
  if (clause.whole) {
    const whole = fitsOf(bagOf(clause.whole(), listener), listener, () => 0);
    const meant = heardBy(whole, { clause, weights, ears: now.ears })?.topic;
    if (meant) return meant;
  }
  // "How much is it?" may well be written for one fact alone: where nothing else is meant, that one is.
  const known = weights && isBare(clause) ? writtenFor(weights, now) : undefined;
  if (known) return known;
  const lent = clause.pointsBack ? lentBy(clause, bag, now) : undefined;
  return lent && !isLearnt(lent, weights) ? lent : undefined;
}

/** "Check the foam.": something is to be done, without a please. */
export function isToBeDone({ sentence, marked }: Clause): boolean {
  return !marked && toBeDone.test(sentence);
}

const toBeDone =
  /^(?:(?:and|so|then|now|ok|okay|just|first|no|yes|well|also),? )*(?:look|check|search|feel|reach|turn|shake|open|empty|rummage|double-check|recheck|go|see|visit|call|consult|show|take|measure|press)\b/;

/** What the person does when told this; what it knows is asked for, and not ordered. */
function actMeant({ tokens }: Clause, { ears, state }: Now): Topic | undefined {
  if (!ears.topics.some(({ act }) => act)) return undefined;
  const { listener, topics } = ears;
  const fits = fitsOf(bagOf(tokens, listener), listener, (topic) => nearness(topics[topic]!, state));
  const best = fits.find(({ sure }) => sure);
  return best && topics[best.topic]!.act ? topics[best.topic] : undefined;
}

export interface Now {
  readonly ears: QuestionIndex;
  readonly state: PlayState;
  readonly evidence: Evidence | undefined;
  /** The message, where it may be one of the examples and is to be heard as if it were not. */
  readonly unseen: string | undefined;
}

/** Nothing in it says what is asked for: "What is it?", "Do you?", "And yours, please?" */
export function isBare(clause: Clause): boolean {
  return clause.tokens.every(
    ({ weight, keys }) => weight < 0.5 || keys.some((key) => questionConcepts.has(key)),
  );
}

function speaksForAny({ sums, places }: Weights): boolean {
  const nobodys = places.get(nobodysFact);
  return sums.some((sum, fact) => sum > 0 && fact !== nobodys);
}

/** The fact for which this very sentence was written, unless it belongs to another session. */
function writtenFor({ written }: Weights, { ears, state }: Now): Topic | undefined {
  return ears.topics.find(({ fact }) => fact && fact.id === written && fact.session === state.session);
}

/** What is heard by its patterns alone, since no questions are written for it; and whether nothing fits better. */
function heardBy(
  fits: readonly Fit[],
  {
    clause,
    weights,
    ears,
  }: { readonly clause: Clause; readonly weights: Weights | undefined; readonly ears: QuestionIndex },
): { readonly topic: Topic; readonly first: boolean } | undefined {
  let first = true;
  for (const fit of fits) {
    if (!fit.sure) continue;
    const topic = ears.topics[fit.topic]!;
    // Who only orders something done asks for no fact.
    if (topic.act || (clause.asks && questionsOf(topic, weights) === 0)) return { topic, first };
    first = false;
  }
  return undefined;
}

/** How many questions are written for it. */
function questionsOf({ fact }: Topic, weights: Weights | undefined): number {
  const place = fact && weights?.places.get(fact.id);
  return place === undefined ? 0 : questionsFor(weights!, place);
}

/** With fewer questions than these, words that are lent may also say what is meant. */
const leastQuestions = 12;

function isLearnt(topic: Topic, weights: Weights | undefined): boolean {
  return questionsOf(topic, weights) >= leastQuestions;
}

/** What the words say must not be worse than this, where no pattern is enough by itself. */
const leastSaid = -1;

/** The facts of other sessions than one, by their places in the evidence. */
export function factsApart(
  { topics, isJourney }: QuestionIndex,
  places: ReadonlyMap<string, number>,
  session: number,
): readonly number[] {
  if (!isJourney) return none;
  return topics.flatMap(({ fact }) => (fact && fact.session !== session ? (places.get(fact.id) ?? []) : []));
}

const none: readonly number[] = [];

/** The fact that is most likely asked for, of those that questions are written for. */
function likeliest(
  clause: Clause,
  { bag, fits, weights }: { readonly bag: Bag; readonly fits: readonly Fit[]; readonly weights: Weights },
  { ears, state }: Now,
): Topic | undefined {
  let form: Form | undefined;
  let found: Topic | undefined;
  let most = -Infinity;
  for (let place = 0; place < ears.topics.length; place++) {
    const topic = ears.topics[place]!;
    const fact = topic.fact && weights.places.get(topic.fact.id);
    if (fact === undefined) continue;
    const questions = questionsFor(weights, fact);
    if (questions === 0) continue;
    const fit = fits.find((one) => one.topic === place);
    if (weights.sums[fact]! < leastSaid && !fit?.sure) continue;
    form ??= formOf(clause, ears);
    const words = ears.listener.topics[place]!;
    const { session } = topic.fact!;
    const apart = factsApart(ears, weights.places, session);
    const chance = chanceOf(signsOf(form, { words, bag, fit, weights, fact, apart }), questions);
    if (chance <= 0) continue;
    // The same may be asked for in several sessions: the one that is running is meant.
    const sum = chance - (session === state.session ? 0 : 4);
    if (sum > most) [found, most] = [topic, sum];
  }
  return found;
}

/** "How bad is it?": what it is all about lends its words, or else what was spoken of last. */
function lentBy(clause: Clause, bag: Bag, now: Now): Topic | undefined {
  const { listener } = now.ears;
  // Each telling word must be met, so one that no pattern wants settles it.
  if (
    bag.keys.some(
      (keys, index) => bag.tokens[index]!.weight > 0.5 && !keys.some((key) => listener.wanted[key] === 1),
    )
  )
    return undefined;
  return lent(clause, listener.about, now) ?? lent(clause, spokenOf(now.state.last, now.ears), now);
}

/** The clause with words that are lent to it: it must hold one of its own that counts, and none that does not. */
function lent(clause: Clause, words: readonly Token[], { ears, state }: Now): Topic | undefined {
  const own = clause.tokens.length;
  const lean = (topic: number) => nearness(ears.topics[topic]!, state);
  const bag = bagOf([...clause.tokens, ...words], ears.listener);
  const best = fitsOf(bag, ears.listener, lean, own).find(({ sure }) => sure);
  if (!best?.used.some((index) => index < own)) return undefined;
  const left = clause.tokens.some(({ weight }, index) => weight > 0.5 && !best.used.includes(index));
  return left ? undefined : ears.topics[best.topic];
}

/** The words of what was spoken of: the first pattern of a topic, without its signs. */
function spokenOf(pattern: string, { lexicon, spoken }: QuestionIndex): readonly Token[] {
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
