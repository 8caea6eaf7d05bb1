import { evidenceFrom } from '../scenario/examples.ts';
import type { PlayState } from '../scenario/play-state.ts';
import type { PersonAct, Task } from '../scenario/task.ts';
import type { HeardTurn } from '../scenario/transcript.ts';
import { answer } from './answer.ts';
import { matchHeard } from './closed-list.ts';
import { lineOf } from './lines.ts';
import type { ReplyContext } from './reply-context.ts';
import { match } from './match.ts';
import type { Matched } from './match.ts';
import { withoutTyping } from './mend-typing.ts';
import { parse } from './parse.ts';
import type { ParsedMessage } from './parse.ts';
import { questionIndexOf } from './question-index.ts';
import type { QuestionIndex, Topic } from './question-index.ts';
import { sumsAsMoney } from './sums-as-money.ts';

/** What the person says to a message, and what comes out with it. */
export interface Reply {
  readonly says: string;
  /** Facts that the person tells for the first time, also where a tool has shown them before. */
  readonly told: readonly string[];
  /** Facts that were asked for and that the person keeps to itself for now. */
  readonly withheld: readonly string[];
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

interface ReplyOptions {
  readonly unseen?: boolean;
  readonly heardBy?: HeardTurn | undefined;
}

/**
 * The deterministic person: hears one message of the operator and answers by the scenario's rules. Pure. `unseen` weighs
 * the message as if nobody had written it among the person's examples; `heardBy` is what somebody else has heard in it.
 */
export function reply(
  task: Task,
  state: PlayState,
  message: string,
  { unseen = false, heardBy }: ReplyOptions = {},
): Reply {
  const index = questionIndexOf(task);
  const heard = parse(message, index);
  const { plain } = heard;
  const courtesies = heardBy?.courtesies ?? heard.courtesies;
  const rapport = [...new Set([...state.rapport, ...courtesies])];
  const same = state.turn > 1 && isSameAgain(plain, state.heard);
  if (plain === '' || same) {
    const { last, crowded } = state;
    const says = lineOf(plain === '' ? 'waits' : 'sameAgain', task, state.turn);
    const nothing = { told: [], withheld: [], does: [], asked: 0, notUnderstood: 0 };
    return { says, ...nothing, rapport, ...(crowded && { crowded }), last, heard: plain };
  }
  const examples = task.examples();
  const evidence = examples && evidenceFrom(examples);
  const matched = heardBy
    ? matchHeard(heardBy, task, state)
    : matchMended(heard, task, { index, state, evidence, unseen: unseen ? message : undefined });
  const explained = courtesies.includes('reassurance') && matched.wanted.length === 0;
  const again = explained ? lastWithheld(index, state) : undefined;
  const meant = again ? { ...matched, wanted: [again], notUnderstood: 0 } : matched;
  const { tooMuch, ...said } = answer(task, state, { matched: meant, courtesies, rapport });
  const { asked, notUnderstood } = meant;
  return { ...said, rapport, asked, notUnderstood, ...(tooMuch && { crowded: true }), heard: plain };
}

/** What was asked for last and withheld: whoever says why it was asked need not ask again. */
function lastWithheld(
  { topics }: QuestionIndex,
  { withheld = [], last, revealed }: PlayState,
): Topic | undefined {
  const id = withheld.at(-1);
  if (id === undefined || Object.hasOwn(revealed, id)) return undefined;
  return topics.find(({ fact, about }) => fact?.id === id && about === last);
}

/**
 * A word that nobody knows may be a slip, and a sum stands for the money: a message is read so where more of it is
 * understood then.
 */
function matchMended(heard: ParsedMessage, task: Task, now: ReplyContext): Matched {
  let best = match(heard, now);
  let { plain } = heard;
  for (const mend of [sumsAsMoney, (text: string) => withoutTyping(text, task, now.index.lexicon)]) {
    const mended = mend(plain);
    if (mended === plain) continue;
    const other = match(parse(mended, now.index), now);
    const gain = other.wanted.length - best.wanted.length;
    if (gain > 0 || (gain === 0 && other.notUnderstood < best.notUnderstood)) [best, plain] = [other, mended];
  }
  return best;
}

/** Works out beforehand what the first message of a task would wait for: what its person knows and has learnt. */
export function getReady(task: Task): void {
  try {
    questionIndexOf(task);
    const examples = task.examples();
    if (examples) evidenceFrom(examples);
  } catch {
    // It fails again at the first message, where somebody hears of it.
  }
}

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
