import type { Clause } from './language/clause.ts';
import { plainText } from './language/clause.ts';
import type { Lexicon } from './language/lexicon.ts';
import { questionConcepts, tokensOf, wordsOf } from './language/lexicon.ts';
import type { Token } from './language/lexicon.ts';
import type { Listener } from './language/topic.ts';
import type { Bag } from './language/pattern.ts';
import { bagOf } from './language/pattern.ts';
import { fitsOf, listenFor } from './language/topic.ts';
import { readingOf } from './language/reading.ts';
import { courtesiesOf, lineOf } from './language/small-talk.ts';
import type { Courtesy, LineName } from './language/small-talk.ts';
import type { Fact, PersonAct, Task } from './task.ts';
import type { PlayState } from './play-state.ts';

/** What the person says to a message, and what comes out with it. */
export interface Heard {
  readonly says: string;
  /** Facts told for the first time. */
  readonly told: readonly string[];
  /** Tools of its own that the person used, as asked. */
  readonly does: readonly PersonAct[];
  readonly rapport: readonly string[];
  readonly asked: number;
  readonly notUnderstood: number;
  /** What was spoken of last, for a question that only says "it". */
  readonly last: string;
  readonly heard: string;
}

/** At most so many topics are answered in one message. */
const topicsPerMessage = 2;
/** Whoever asks for more than this at once is answered one thing, and asked to go slower. */
const topicsHeard = 3;

/** The deterministic person: hears one message of the operator and answers by the scenario's rules. Pure. */
export function hear(task: Task, state: PlayState, message: string): Heard {
  const ears = earsOf(task);
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
  const base = { told: [], does: [], rapport, asked: 0, notUnderstood: 0, last: state.last, heard: plain };
  if (plain === '') return { ...base, says: say('waits') };
  if (plain === state.heard && state.turn > 1) return { ...base, says: say('sameAgain') };

  const found: Topic[] = [];
  let asked = 0;
  let notUnderstood = 0;
  let before: Clause | undefined;
  for (const clause of reading.clauses()) {
    const spokenBefore = before;
    const readAloud = isReadAloud(clause, ears.briefing);
    if (!isBare(clause)) before = readAloud ? undefined : clause;
    if (!(clause.asks || clause.orders) || readAloud) continue;
    const meant = topicIn(clause, spokenBefore, { ears, state });
    // Who only orders something done asks for no fact.
    const topic = clause.asks || meant?.act ? meant : undefined;
    if (!topic && (clause.orders || clause.names || (courtesies.length > 0 && isOnlyCourtesy(clause))))
      continue;
    asked++;
    if (!topic) notUnderstood++;
    else if (!found.includes(topic)) found.push(topic);
  }

  const parts = courtesyReply(courtesies, say, found.length > 0);
  const told: string[] = [];
  const does: PersonAct[] = [];
  let last = state.last;
  const known = { ...state.revealed };
  const most = found.length > topicsHeard ? 1 : topicsPerMessage;
  for (const topic of found.slice(0, most)) {
    if (topic.fact) {
      const answer = answerFact(topic.fact, known, {
        task,
        rapport: warmth(rapport),
        session: state.session,
        say,
      });
      parts.push(answer.says);
      if (answer.tells) {
        told.push(topic.fact.id);
        known[topic.fact.id] = state.turn;
      }
    } else if (topic.act) {
      does.push(topic.act);
      parts.push(topic.act.says);
    } else parts.push(topic.says);
    last = topic.about;
  }
  if (found.length > topicsHeard) parts.push(say('tooMuch'));
  else if (found.length > topicsPerMessage) parts.push(say('more'));
  else if (notUnderstood > 0 && found.length === 0) parts.push(say('notUnderstood'));
  if (parts.length === 0) parts.push(say(courtesies.includes('farewell') ? 'farewell' : 'listening'));
  return { says: parts.join(' '), told, does, rapport, asked, notUnderstood, last, heard: plain };
}

/** Warmth counts each kind of courtesy once: flattery repeated is worth nothing, and an insult costs two. */
function warmth(kinds: readonly string[]): number {
  let points = 0;
  for (const kind of kinds) points += kind === 'insult' ? -2 : warm.has(kind) ? 1 : 0;
  return points;
}

const warm: ReadonlySet<string> = new Set(['greeting', 'introduction', 'thanks', 'empathy', 'reassurance']);

interface Topic {
  readonly fact?: Fact;
  readonly act?: PersonAct;
  readonly says: string;
  readonly about: string;
}

interface Ears {
  readonly lexicon: Lexicon;
  readonly listener: Listener;
  /** By the number that the listener gives them. */
  readonly topics: readonly Topic[];
  /** What stands in the briefing: its words, and its runs of four. */
  readonly briefing: { readonly words: ReadonlySet<string>; readonly runs: ReadonlySet<string> };
}

const compiled = new WeakMap<Task, Ears>();

/** What the person listens for: compiled once a task. */
export function earsOf(task: Task): Ears {
  const known = compiled.get(task);
  if (known) return known;
  const facts = task.facts.filter((fact) => fact.reveal !== 'hidden');
  const { person } = task;
  const asks = [...facts, ...person.acts, ...person.topics].map(({ ask }) => ask);
  const topics: readonly Topic[] = [
    ...facts.map((fact) => ({ fact, says: fact.says })),
    ...person.acts.map((act) => ({ act, says: act.says })),
    ...person.topics.map(({ says }) => ({ says })),
  ].map((topic, index) => ({ ...topic, about: asks[index]![0] ?? '' }));
  const listener = listenFor(asks, person);
  const briefing = wordsOf(plainText(task.briefing));
  const ears: Ears = {
    lexicon: listener.lexicon,
    listener,
    topics,
    briefing: {
      words: new Set(briefing),
      runs: new Set(briefing.slice(3).map((_, index) => runAt(briefing, index))),
    },
  };
  compiled.set(task, ears);
  return ears;
}

/** The briefing read aloud asks the person nothing, whatever it lists; a short question may well use its words. */
function isReadAloud(clause: Clause, briefing: Ears['briefing']): boolean {
  const words = wordsOf(clause.sentence);
  const count = words.length - 3;
  if (count <= 0 || (clause.marked && count < 8)) return false;
  let found = 0;
  // A run is only put together where each of its words stands in the briefing: hardly ever.
  let known = 0;
  words.forEach((word, index) => {
    known = briefing.words.has(word) ? known + 1 : 0;
    if (known >= 4 && briefing.runs.has(runAt(words, index - 3))) found += 1;
  });
  return found > count * 0.4;
}

function runAt(words: readonly string[], index: number): string {
  return `${words[index]} ${words[index + 1]} ${words[index + 2]} ${words[index + 3]}`;
}

/** The topic of a clause. "What is it?" asks for what was spoken of right before, or for what it is all about. */
function topicIn(clause: Clause, before: Clause | undefined, now: Now): Topic | undefined {
  const direct = pick(clause.bag, now);
  if (direct) return direct;
  if (isBare(clause) && before && clause.tokens.length > 1) {
    const meant = pick(bagOf([...before.tokens, ...clause.tokens]), now);
    if (meant) return meant;
  }
  const whole = clause.whole && pick(bagOf(clause.whole), now);
  if (whole) return whole;
  if (!clause.pointsBack) return undefined;
  const { ears, state } = now;
  return (
    lent(clause, ears.listener.about, now) ??
    lent(clause, tokensOf(plainWords(state.last), ears.lexicon), now)
  );
}

interface Now {
  readonly ears: Ears;
  readonly state: PlayState;
}

/** Nothing in it says what is asked for: "What is it?", "Do you?", "And yours, please?" */
function isBare(clause: Clause): boolean {
  return clause.tokens.every(
    ({ weight, keys }) => weight < 0.5 || keys.some((key) => questionConcepts.has(key)),
  );
}

function pick(bag: Bag, { ears, state }: Now): Topic | undefined {
  const [best] = fitsOf(bag, ears.listener, (topic) => nearness(ears.topics[topic]!, state));
  return best && ears.topics[best.topic];
}

/** "How bad is it?": what it is all about lends its words, but the clause must hold one of its own. */
function lent(clause: Clause, words: readonly Token[], { ears, state }: Now): Topic | undefined {
  const own = clause.tokens.length;
  const lean = (topic: number) => nearness(ears.topics[topic]!, state);
  const [best] = fitsOf(bagOf([...clause.tokens, ...words]), ears.listener, lean, own);
  if (!best?.used.some((index) => index < own)) return undefined;
  const left = clause.tokens.some(({ weight }, index) => weight > 0.5 && !best.used.includes(index));
  return left ? undefined : ears.topics[best.topic];
}

function plainWords(pattern: string): string {
  return pattern.replace(/[!?]\S+/g, ' ').replace(/[|=_]/g, ' ');
}

/** Of two facts that fit a question alike, the one that is not out yet is meant, and the one of this session. */
function nearness({ fact }: Topic, state: PlayState): number {
  if (!fact) return 0;
  return (Object.hasOwn(state.revealed, fact.id) ? 0 : 0.1) - (fact.session === state.session ? 0 : 0.2);
}

/** "How are you?", "May I ask you something?": a question that wants no fact. */
function isOnlyCourtesy(clause: Clause): boolean {
  return clause.tokens.filter((token) => !token.empty).length <= 6;
}

function answerFact(
  fact: Fact,
  known: Readonly<Record<string, number>>,
  now: { task: Task; rapport: number; session: number; say: (name: LineName) => string },
): { readonly says: string; readonly tells: boolean } {
  if (Object.hasOwn(known, fact.id)) return { says: `${now.say('again')} ${fact.says}`, tells: false };
  const locked =
    fact.session > now.session ||
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
  if (courtesies.includes('empathy')) return [say('empathy')];
  if (courtesies.includes('greeting')) return [say('greeting')];
  if (courtesies.includes('thanks')) return [say('thanks')];
  return [];
}
