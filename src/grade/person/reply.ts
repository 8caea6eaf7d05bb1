import { questionIndexOf, isReadAloud } from './question-index.ts';
import type { Topic } from './question-index.ts';
import { evidenceFrom } from '../scenario/examples.ts';
import type { Clause } from '../language/clause.ts';
import { readingOf } from '../language/reading.ts';
import { courtesiesOf, isSmallTalk, lineOf } from '../language/small-talk.ts';
import type { Courtesy, LineName } from '../language/small-talk.ts';
import type { PlayState } from '../scenario/play-state.ts';
import { isCheck, isCheckAdded, ReadBack } from './read-back.ts';
import type { Fact, PersonAct, Task } from '../scenario/task.ts';
import { isBare, isIdle, isToBeDone, topicsMeant } from './topic-meant.ts';

/** What the person says to a message, and what comes out with it. */
export interface Reply {
  readonly says: string;
  /** Facts that the person tells for the first time, also where a tool has shown them before. */
  readonly told: readonly string[];
  /** Tools of its own that the person used, as asked. */
  readonly does: readonly PersonAct[];
  readonly rapport: readonly string[];
  readonly asked: number;
  readonly notUnderstood: number;
  /** Too much was asked at once. */
  readonly crowded?: true;
  /** What was spoken of last, for a question that only says "it". */
  readonly last: string;
  readonly heard: string;
}

/** "Please do not press it": nobody does what it is told to leave. "Do not forget to press it" wants it done. */
const forbidding =
  /^(?:(?:please|but|and|so|no|now|just|okay|ok|well|then),? )*(?:do not|never) (?!(?:you|forget|fail|hesitate|wait|be|worry|mind|miss|hang|let)\b)(?!.*\b(?:but|unless|without)\b)[^,;:]*(?:, (?:please|yet|now|for now))?$/;

/** At most so many topics are answered in one message. */
const topicsPerMessage = 2;
/** Whoever asks for more than this at once is answered one thing, and asked to go slower; and nothing when it goes on so. */
const topicsHeard = 3;

/** The deterministic person: hears one message of the operator and answers by the scenario's rules. Pure. */
export function reply(
  task: Task,
  state: PlayState,
  message: string,
  how: { readonly unseen?: boolean } = {},
): Reply {
  const ears = questionIndexOf(task);
  const reading = readingOf(message, ears.lexicon);
  const plain = reading.plain.trim();
  const courtesies = plain === reading.plain ? reading.courtesies() : courtesiesOf(plain);
  const say = (name: LineName) =>
    lineOf(name, {
      manner: task.person.manner,
      own: task.person.lines,
      turn: state.turn + task.reference.seed,
    });
  const rapport = [...new Set([...state.rapport, ...courtesies])];
  const crowded = { crowded: true } as const;
  const base = {
    told: [],
    does: [],
    rapport,
    asked: 0,
    notUnderstood: 0,
    ...(state.crowded && crowded),
    last: state.last,
    heard: plain,
  };
  if (plain === '') return { ...base, says: say('waits') };
  if (state.turn > 1 && isSameAgain(plain, state.heard)) return { ...base, says: say('sameAgain') };

  const found: Topic[] = [];
  const confirmed: Topic[] = [];
  let asked = 0;
  let notUnderstood = 0;
  let before: Clause | undefined;
  let sentence: string | undefined;
  let readAloud = false;
  let isCourteous: boolean | undefined;
  let headed: readonly Topic[] = [];
  const lessons = task.examples();
  const evidence = lessons && evidenceFrom(lessons);
  const now = { ears, state, evidence, unseen: how.unseen ? message : undefined };
  const readBack = new ReadBack(ears, state);
  const isOut = ({ fact }: Topic) => fact !== undefined && Object.hasOwn(state.revealed, fact.id);
  for (const clause of reading.clauses()) {
    const spokenBefore = before;
    // Once a sentence: one without end may have clauses without end.
    if (clause.sentence !== sentence) {
      readAloud = isReadAloud(clause, ears.briefing);
      isCourteous = undefined;
    }
    sentence = clause.sentence;
    if (!isBare(clause)) before = readAloud ? undefined : clause;
    if (readAloud && !clause.orders && !isToBeDone(clause)) continue;
    const meant = isCheck(clause) || isSmallTalk(clause.text) ? [] : topicsMeant(clause, spokenBefore, now);
    let wanted: readonly Topic[] = meant.filter((topic) => {
      // "Please look through it once more." is to be done, though the briefing says it in these very words.
      if (readAloud) return topic.act !== undefined;
      // "So both charges are booked." repeats what was told, and does not ask for it.
      return clause.asks || clause.orders || !isOut(topic);
    });
    // "Work: have they offered you something?" asks for one thing: with its heading, or else without.
    if (clause.heads) {
      headed = wanted;
      continue;
    }
    if (headed.length > 0) wanted = headed;
    headed = [];
    if (wanted[0]?.act && !clause.marked && forbidding.test(clause.sentence)) continue;
    const repeated = readAloud ? [] : readBack.confirmedBy(clause, wanted.length > 0);
    const isUnderstood = wanted.length > 0 || repeated.length > 0;
    if (!isUnderstood) {
      if (!clause.asks || clause.names) continue;
      // "How are you?", "May I ask you something?": a question that wants no fact.
      if (isShort(clause) && (isCourteous ??= courtesiesOf(sentence).length > 0)) continue;
      if (isCheckAdded(clause) || isIdle(clause, now)) continue;
    }
    asked++;
    if (!isUnderstood) notUnderstood++;
    for (const topic of wanted) if (!found.includes(topic)) found.push(topic);
    confirmed.push(...repeated);
  }
  // What is only read back takes no room from what is asked.
  const answered = [...new Set([...found, ...confirmed])];

  const parts = courtesyReply(courtesies, say, answered.length > 0);
  const told: string[] = [];
  const does: PersonAct[] = [];
  let last = state.last;
  const known = { ...state.revealed };
  const tooMuch = found.length > topicsHeard;
  const most = !tooMuch ? topicsPerMessage : state.crowded ? 0 : 1;
  for (const topic of answered.slice(0, most)) {
    if (topic.fact) {
      const answer = answerFact(topic.fact, known, {
        task,
        shown: state.shown ?? [],
        rapport: warmth(rapport, courtesies),
        session: state.session,
        say,
      });
      parts.push(answer.says);
      if (answer.tells) {
        told.push(topic.fact.id);
        known[topic.fact.id] = state.turn;
      }
    } else if (topic.act && (topic.act.session ?? 1) > state.session) parts.push(say('notYet'));
    else if (topic.act) {
      does.push(topic.act);
      parts.push(topic.act.says);
    } else parts.push(topic.says);
    last = topic.about;
  }
  if (tooMuch) parts.push(say('tooMuch'));
  else if (found.length > topicsPerMessage) parts.push(say('more'));
  else if (notUnderstood > 0 && answered.length === 0) parts.push(say('notUnderstood'));
  if (parts.length === 0) parts.push(say(courtesies.includes('farewell') ? 'farewell' : 'listening'));
  return {
    says: parts.join(' '),
    told,
    does,
    rapport,
    asked,
    notUnderstood,
    ...(tooMuch && crowded),
    last,
    heard: plain,
  };
}

/** Works out beforehand what the first message of a task would wait for: what its person listens for, and has learnt. */
export function getReady(task: Task): void {
  try {
    questionIndexOf(task);
    const lessons = task.examples();
    if (lessons) evidenceFrom(lessons);
  } catch {
    // It fails again at the first message, where somebody hears of it.
  }
}

/**
 * Warmth counts each kind of courtesy once: flattery repeated is worth nothing, and an insult costs two. Whoever says
 * why they ask has answered what the person evades with, so that weighs two, and three with the question itself, unless
 * they were rude.
 */
function warmth(kinds: readonly string[], now: readonly Courtesy[]): number {
  let points = now.includes('reassurance') && !kinds.includes('insult') ? 1 : 0;
  for (const kind of kinds) points += warm[kind] ?? 0;
  return points;
}

const warm: Readonly<Record<string, number>> = {
  greeting: 1,
  introduction: 1,
  thanks: 1,
  empathy: 1,
  reassurance: 2,
  insult: -2,
};

/** The same words, in whatever order: a list that only begins elsewhere is no other list. */
function isSameAgain(plain: string, before: string): boolean {
  if (plain === before) return true;
  if (plain.length !== before.length) return false;
  const words = sorted(plain);
  return words.length >= leastWords && words.join(' ') === sorted(before).join(' ');
}

/** "Is it you or he?" has the words of "Is he it or you?". */
const leastWords = 12;

function sorted(plain: string): readonly string[] {
  return (plain.match(/[a-z0-9]+/g) ?? []).sort();
}

function isShort({ tokens }: Clause): boolean {
  return tokens.filter((token) => !token.empty).length <= 6;
}

function answerFact(
  fact: Fact,
  known: Readonly<Record<string, number>>,
  now: {
    task: Task;
    shown: readonly string[];
    rapport: number;
    session: number;
    say: (name: LineName) => string;
  },
): { readonly says: string; readonly tells: boolean } {
  // What a tool has shown the operator is no news, but the person has not said it before.
  if (Object.hasOwn(known, fact.id) && now.shown.includes(fact.id)) return { says: fact.says, tells: true };
  if (Object.hasOwn(known, fact.id)) return { says: `${now.say('again')} ${fact.says}`, tells: false };
  // What has not happened yet is no secret: evaded, it would be asked for again and again.
  if (fact.session > now.session) return { says: now.say('notYet'), tells: false };
  const locked =
    fact.after.some((id) => !Object.hasOwn(known, id)) ||
    (fact.reveal === 'rapport_required' && now.rapport < now.task.person.rapport);
  return locked
    ? { says: fact.deflects ?? now.say('deflect'), tells: false }
    : { says: fact.says, tells: true };
}

function courtesyReply(
  courtesies: readonly Courtesy[],
  say: (name: LineName) => string,
  answers: boolean,
): string[] {
  if (courtesies.includes('insult')) return [say('insult')];
  if (courtesies.includes('howAreYou')) return [say('howAreYou')];
  if (answers) return [];
  if (courtesies.includes('asksToBegin')) return [say('ready')];
  if (courtesies.includes('anythingElse')) return [say('nothingElse')];
  if (courtesies.includes('empathy')) return [say('empathy')];
  if (courtesies.includes('greeting')) return [say('greeting')];
  if (courtesies.includes('thanks')) return [say('thanks')];
  return [];
}
