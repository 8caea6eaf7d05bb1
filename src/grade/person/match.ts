import type { Clause } from '../language/clause.ts';
import { courtesiesOf, isSmallTalk } from '../language/courtesy.ts';
import { guess } from './guess.ts';
import type { ReplyContext } from './reply-context.ts';
import type { ParsedMessage, ParsedClause } from './parse.ts';
import type { Topic } from './question-index.ts';
import { isCheck, isCheckAdded, ReadBack } from './read-back.ts';
import { isBare, isIdle, isToBeDone, topicsMeant } from './topic-meant.ts';
import { takesYesOrNo } from './yes-or-no.ts';

/** What a message asks for. */
export interface Matched {
  /** What is asked for, in the order of the questions. */
  readonly wanted: readonly Topic[];
  /** What is read back, to be confirmed. */
  readonly confirmed: readonly Topic[];
  /** What is asked for so that a yes or a no would answer something else. */
  readonly open: ReadonlySet<Topic>;
  readonly asked: number;
  readonly notUnderstood: number;
  /** How many of these are in plain words and about nothing that the person knows. */
  readonly strange: number;
}

/** "Please do not press it": nobody does what it is told to leave. "Do not forget to press it" wants it done. */
const forbidding =
  /^(?:(?:please|but|and|so|no|now|just|okay|ok|well|then),? )*(?:do not|never) (?!(?:you|forget|fail|hesitate|wait|be|worry|mind|miss|hang|let)\b)(?!.*\b(?:but|unless|without)\b)[^,;:]*(?:, (?:please|yet|now|for now))?$/;

/** Whoever is asked so many things that it makes nothing of does not think about the next. */
const mostGuesses = 8;

/** Looks for what each clause of a message asks for. */
export function match(heard: ParsedMessage, now: ReplyContext): Matched {
  const wanted = new Set<Topic>();
  const confirmed: Topic[] = [];
  const open = new Set<Topic>();
  let asked = 0;
  let notUnderstood = 0;
  let strange = 0;
  let before: Clause | undefined;
  let headed: readonly Topic[] = [];
  const readBack = new ReadBack(now.index, now.state);
  for (const { clause, readAloud } of heard.clauses) {
    const spokenBefore = before;
    if (!isBare(clause)) before = readAloud ? undefined : clause;
    if (readAloud && !clause.orders && !isToBeDone(clause)) continue;
    let topics = topicsIn({ clause, readAloud }, spokenBefore, now);
    // "Work: have they offered you something?" asks for one thing: with its heading, or else without.
    if (clause.heads) {
      headed = topics;
      continue;
    }
    if (headed.length > 0) topics = headed;
    headed = [];
    if (topics[0]?.act && !clause.marked && forbidding.test(clause.sentence)) continue;
    const repeated = readAloud ? [] : readBack.confirmedBy(clause, topics.length > 0);
    const isUnderstood = topics.length > 0 || repeated.length > 0;
    if (!isUnderstood && !isQuestion(clause, now)) continue;
    asked++;
    const isSettled = isUnderstood || readAloud || isCheck(clause) || notUnderstood >= mostGuesses;
    const guessed = isSettled ? undefined : guess(clause, now);
    if (!isUnderstood && !guessed?.topic) notUnderstood++;
    if (guessed?.isStrange) strange++;
    for (const topic of guessed?.topic ? [guessed.topic] : topics) {
      wanted.add(topic);
      if (!takesYesOrNo(clause, topic.says)) open.add(topic);
    }
    confirmed.push(...repeated);
  }
  return { wanted: [...wanted], confirmed, open, asked, notUnderstood, strange };
}

/** What a clause asks for, or wants done. */
function topicsIn(
  { clause, readAloud }: ParsedClause,
  before: Clause | undefined,
  now: ReplyContext,
): readonly Topic[] {
  if (isCheck(clause) || isSmallTalk(clause.text)) return [];
  return topicsMeant(clause, before, now).filter(({ fact, act }) => {
    // "Please look through it once more." is to be done, though the briefing says it in these very words.
    if (readAloud) return act !== undefined;
    // "So both charges are booked." repeats what was told, and does not ask for it.
    const isOut = fact !== undefined && Object.hasOwn(now.state.revealed, fact.id);
    return clause.asks || clause.orders || !isOut;
  });
}

/** Of what was not understood: whether it was a question at all that a person should know an answer to. */
function isQuestion(clause: Clause, now: ReplyContext): boolean {
  if (!clause.asks || clause.names) return false;
  // "How are you?", "May I ask you something?": a question that wants no fact.
  if (isShort(clause) && courtesiesOf(clause.sentence).length > 0) return false;
  return !isCheckAdded(clause) && !isIdle(clause, now);
}

function isShort({ tokens }: Clause): boolean {
  return tokens.filter((token) => !token.empty).length <= 6;
}
