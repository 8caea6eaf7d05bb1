import type { Courtesy } from '../language/courtesy.ts';
import type { LineName } from '../scenario/manner.ts';
import type { PlayState } from '../scenario/play-state.ts';
import type { Fact, PersonAct, Task } from '../scenario/task.ts';
import { lineOf } from './lines.ts';
import type { Matched } from './match.ts';
import type { Topic } from './question-index.ts';
import { withoutYesOrNo } from './yes-or-no.ts';

/** What the person says, and what comes out with it. */
export interface Answer {
  readonly says: string;
  /** Facts that the person tells for the first time, also where a tool has shown them before. */
  readonly told: readonly string[];
  /** Facts that were asked for and that the person keeps to itself for now. */
  readonly withheld: readonly string[];
  /** Tools of its own that the person used, as asked. */
  readonly does: readonly PersonAct[];
  /** Too much was asked at once. */
  readonly tooMuch: boolean;
  /** What was spoken of last, for a question that only says "it". */
  readonly last: string;
}

/** At most so many topics are answered in one message. */
const topicsPerMessage = 2;
/** Whoever asks for more than this at once is answered one thing, and asked to go slower; and nothing when it goes on so. */
const topicsHeard = 3;

/** Answers what was asked for, by the scenario's rules. */
export function answer(
  task: Task,
  state: PlayState,
  {
    matched: { wanted, confirmed, open, notUnderstood, strange },
    courtesies,
    rapport,
  }: {
    readonly matched: Matched;
    readonly courtesies: readonly Courtesy[];
    readonly rapport: readonly string[];
  },
): Answer {
  const say = (name: LineName) => lineOf(name, task, state.turn);
  // What is only read back takes no room from what is asked.
  const answered = [...new Set([...wanted, ...confirmed])];
  const parts = courtesyReply(courtesies, say, answered.length > 0);
  const told: string[] = [];
  const withheld: string[] = [];
  const does: PersonAct[] = [];
  let { last } = state;
  const known = { ...state.revealed };
  const warm = warmth(rapport, courtesies) >= task.person.rapport;
  const tooMuch = wanted.length > topicsHeard;
  const most = !tooMuch ? topicsPerMessage : state.crowded ? 0 : 1;
  for (const topic of answered.slice(0, most)) {
    const { says, fact, act, keeps } = answerTopic(topic, { ...state, revealed: known }, { warm, say });
    parts.push(open.has(topic) ? withoutYesOrNo(says) : says);
    if (act) does.push(act);
    if (keeps) withheld.push(keeps.id);
    if (fact) {
      told.push(fact.id);
      known[fact.id] = state.turn;
    }
    last = topic.about;
  }
  if (tooMuch) parts.push(say('tooMuch'));
  else if (wanted.length > topicsPerMessage || (notUnderstood > 0 && answered.length > 0))
    parts.push(say('more'));
  else if (notUnderstood > 0) parts.push(say(strange === notUnderstood ? 'notKnown' : 'notUnderstood'));
  if (parts.length === 0) parts.push(say(courtesies.includes('farewell') ? 'farewell' : 'listening'));
  return { says: parts.join(' '), told, withheld, does, tooMuch, last };
}

interface TopicAnswer {
  readonly says: string;
  /** It is told for the first time. */
  readonly fact?: Fact;
  /** It is done. */
  readonly act?: PersonAct;
  /** It was asked for, and is not told yet. */
  readonly keeps?: Fact;
}

function answerTopic(
  { fact, act, says }: Topic,
  state: PlayState,
  how: { readonly warm: boolean; readonly say: (name: LineName) => string },
): TopicAnswer {
  if (fact) return answerFact(fact, state, how);
  if (act && (act.session ?? 1) > state.session) return { says: how.say('notYet') };
  return act ? { says, act } : { says };
}

function answerFact(
  fact: Fact,
  { revealed, shown = [], session }: PlayState,
  { warm, say }: { readonly warm: boolean; readonly say: (name: LineName) => string },
): TopicAnswer {
  const { says, after, reveal } = fact;
  // What a tool has shown the operator is no news, but the person has not said it before.
  if (Object.hasOwn(revealed, fact.id) && shown.includes(fact.id)) return { says, fact };
  if (Object.hasOwn(revealed, fact.id)) return { says: `${say('again')} ${withoutYesOrNo(says)}` };
  // What has not happened yet is no secret: evaded, it would be asked for again and again.
  if (fact.session > session) return { says: say('notYet') };
  const waits = after.some((id) => !Object.hasOwn(revealed, id));
  if (waits || (reveal === 'rapport_required' && !warm))
    return { says: fact.deflects ?? say('deflect'), keeps: fact };
  return { says, fact };
}

/**
 * Warmth counts each kind of courtesy once: flattery repeated is worth nothing, and an insult costs two. Whoever says
 * why they ask has answered what the person evades with, so that weighs two, and three with the question itself, unless
 * they were rude.
 */
function warmth(kinds: readonly string[], now: readonly Courtesy[]): number {
  const start = now.includes('reassurance') && !kinds.includes('insult') ? 1 : 0;
  return kinds.reduce((sum, kind) => sum + (points[kind] ?? 0), start);
}

const points: Readonly<Record<string, number>> = {
  greeting: 1,
  introduction: 1,
  thanks: 1,
  empathy: 1,
  reassurance: 2,
  insult: -2,
};

/** What is said to the courtesies themselves: less, where something else is answered. */
function courtesyReply(
  courtesies: readonly Courtesy[],
  say: (name: LineName) => string,
  answers: boolean,
): string[] {
  const always = repliesAlways.find(([courtesy]) => courtesies.includes(courtesy));
  const alone = answers ? undefined : repliesAlone.find(([courtesy]) => courtesies.includes(courtesy));
  const reply = always ?? alone;
  return reply ? [say(reply[1])] : [];
}

const repliesAlways: readonly (readonly [Courtesy, LineName])[] = [
  ['insult', 'insult'],
  ['howAreYou', 'howAreYou'],
];

const repliesAlone: readonly (readonly [Courtesy, LineName])[] = [
  ['asksToBegin', 'ready'],
  ['anythingElse', 'nothingElse'],
  ['empathy', 'empathy'],
  ['greeting', 'greeting'],
  ['thanks', 'thanks'],
];
