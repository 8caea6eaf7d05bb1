import type { Clause } from '../language/clause.ts';
import { nobodysFact } from '../language/evidence.ts';
import type { Weights } from '../language/evidence.ts';
import { questionConcepts } from '../language/lexicon.ts';
import { questionsFor } from '../language/fact-scores.ts';
import { fitsOf } from '../language/topic.ts';
import type { Fit } from '../language/topic.ts';
import { mostLikelyFact } from './rank-facts.ts';
import { followedUp } from './follow-up.ts';
import { topicOfEllipsis, lastTopicWords } from './ellipsis.ts';
import type { ReplyContext } from './reply-context.ts';
import { salience } from './salience.ts';
import type { QuestionIndex, Topic } from './question-index.ts';

/** The topics of what is asked: of all the things, where it names several. */
export function topicsMeant(clause: Clause, before: Clause | undefined, now: ReplyContext): readonly Topic[] {
  const things = clause.things.map((thing) => topicNow(thing, before, now));
  const each = new Set(things.filter((topic) => topic?.fact?.session === now.state.session) as Topic[]);
  if (each.size > 1) return [...each];
  const meant = topicNow(clause, before, now);
  return meant ? [meant] : [];
}

/** What was asked for in an earlier session is asked for as it is now, or as it was last. */
function topicNow(clause: Clause, before: Clause | undefined, now: ReplyContext): Topic | undefined {
  const meant = topicMeant(clause, before, now);
  const { session } = now.state;
  if (!meant?.fact || meant.fact.session >= session || speaksOfThen.test(clause.sentence)) return meant;
  const twins = now.index.twins.get(meant)?.filter(({ fact }) => fact!.session <= session);
  return twins?.toSorted((one, other) => other.fact!.session - one.fact!.session)[0] ?? meant;
}

const speaksOfThen =
  /\b(?:first|beginning|initial|initially|originally|outset|earlier|back then|ago|last (?:time|call)|(?:gave|told) (?:me|us)|right after|was|were|did)\b/;

/** It is said like what operators say that want to know nothing. */
export function isIdle(clause: Clause, { evidence, unseen }: ReplyContext): boolean {
  const nobodys = evidence?.places.get(nobodysFact);
  if (nobodys === undefined) return false;
  const sum = evidence!.weigh(clause, unseen).sums[nobodys]!;
  return sum > (clause.marked ? leastIdle : 0);
}

/** What ends with a question mark is a question, unless it is very like idle ones ("Shall we begin?"). */
const leastIdle = 2;

/** The topic of what is asked. "What is it?" asks for what was spoken of right before, or for what it is all about. */
function topicMeant(clause: Clause, before: Clause | undefined, now: ReplyContext): Topic | undefined {
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
  const { patterns, topics } = now.index;
  const fits = fitsOf(clause.tokens, patterns, (topic) => salience(topics[topic]!, now.state));
  if (states) return mostLikelyFact(clause, { fits, weights: weights! }, now);
  const direct = byPatterns(fits, clause, { weights, index: now.index });
  if (direct?.first) return direct.topic;
  const likely = (weights && mostLikelyFact(clause, { fits, weights }, now)) ?? direct?.topic;
  if (likely || !clause.asks) return likely;
  return indirectlyMeant(clause, before, { weights, now });
}

/** What is asked for with words of something else: of the clause before, of the lead-in, or of what was spoken of last. */
function indirectlyMeant(
  clause: Clause,
  before: Clause | undefined,
  { weights, now }: { readonly weights: Weights | undefined; readonly now: ReplyContext },
): Topic | undefined {
  const { patterns, topics } = now.index;
  if (isBare(clause) && before && clause.tokens.length > 0) {
    const tokens = [...before.tokens, ...clause.tokens];
    const merged = fitsOf(tokens, patterns, () => 0).filter(
      ({ sure, used }) => sure && used.some((index) => index >= before.tokens.length),
    );
    const saidWords = [...before.saidWords.slice(0, -1), ...clause.saidWords];
    const both = { ...clause, said: `${before.said} ${clause.said}`, saidWords, tokens };
    const meant = merged.length > 0 && topicMeant(both, undefined, now);
    if (meant && !isLearnt(meant, weights) && merged.some(({ topic }) => topics[topic] === meant))
      return meant;
  }
  if (clause.whole) {
    const fits = fitsOf(clause.whole, patterns, () => 0);
    const meant = byPatterns(fits, clause, { weights, index: now.index })?.topic;
    if (meant) return meant;
  }
  // "How much is it?" may well be written for one fact alone: where nothing else is meant, that one is.
  const known = weights && isBare(clause) ? writtenFor(weights, now) : undefined;
  if (known) return known;
  const completed = clause.pointsBack ? topicOfEllipsis(clause, now) : undefined;
  if (completed && !isLearnt(completed, weights)) return completed;
  return isBare(clause) ? followedUp(clause, now, lastTopicWords(now)) : undefined;
}

/** "Check the foam.": something is to be done, without a please. */
export function isToBeDone({ sentence, marked }: Clause): boolean {
  return !marked && toBeDone.test(sentence);
}

const toBeDone =
  /^(?:(?:and|so|then|now|ok|okay|just|first|no|yes|well|also),? )*(?:look|check|search|feel|reach|turn|shake|open|empty|rummage|double-check|recheck|go|see|visit|call|consult|show|take|measure|press)\b/;

/** What the person does when told this; what it knows is asked for, and not ordered. */
function actMeant({ tokens }: Clause, { index, state }: ReplyContext): Topic | undefined {
  const { patterns, topics } = index;
  if (!topics.some(({ act }) => act)) return undefined;
  const fits = fitsOf(tokens, patterns, (topic) => salience(topics[topic]!, state));
  const best = fits.find(({ sure }) => sure);
  return best && topics[best.topic]!.act ? topics[best.topic] : undefined;
}

/** Nothing in it says what is asked for: "What is it?", "Do you?", "And yours, please?" */
export function isBare({ tokens }: Clause): boolean {
  return tokens.every(({ weight, keys }) => weight < 0.5 || keys.some((key) => questionConcepts.has(key)));
}

function speaksForAny({ sums, places }: Weights): boolean {
  const nobodys = places.get(nobodysFact);
  return sums.some((sum, fact) => sum > 0 && fact !== nobodys);
}

/** The fact for which this very sentence was written, unless it belongs to another session. */
function writtenFor({ written }: Weights, { index, state }: ReplyContext): Topic | undefined {
  return index.topics.find(({ fact }) => fact && fact.id === written && fact.session === state.session);
}

/** What is understood by its patterns alone, since no questions are written for it; and whether nothing fits better. */
function byPatterns(
  fits: readonly Fit[],
  { asks }: Clause,
  { weights, index }: { readonly weights: Weights | undefined; readonly index: QuestionIndex },
): { readonly topic: Topic; readonly first: boolean } | undefined {
  const sure = fits.filter((fit) => fit.sure).map((fit) => index.topics[fit.topic]!);
  // Who only orders something done asks for no fact.
  const topic = sure.find((one) => one.act || (asks && questionsOf(one, weights) === 0));
  return topic && { topic, first: topic === sure[0] };
}

/** How many questions are written for it. */
function questionsOf({ fact }: Topic, weights: Weights | undefined): number {
  const place = fact && weights?.places.get(fact.id);
  return place === undefined ? 0 : questionsFor(weights!, place);
}

/** With fewer questions than these, words that complete it may also say what is meant. */
const leastQuestions = 12;

function isLearnt(topic: Topic, weights: Weights | undefined): boolean {
  return questionsOf(topic, weights) >= leastQuestions;
}
