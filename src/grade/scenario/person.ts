import type { Clause } from './language/clause.ts';
import { plainText } from './language/clause.ts';
import type { Lexicon } from './language/lexicon.ts';
import { lexiconOf, tokensOf, wordsOf } from './language/lexicon.ts';
import type { Token } from './language/lexicon.ts';
import type { Bag, Pattern } from './language/pattern.ts';
import { bagOf, matchPattern, patternIndex, patternOf, questionConcepts } from './language/pattern.ts';
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
/** A clause that touches more topics than this is a heap of words, not a question. */
const topicsPerClause = 3;

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
  let heap = false;
  for (const clause of reading.clauses()) {
    if (!clause.asks || isReadAloud(clause, ears.briefing)) continue;
    const topics = topicsIn(clause, ears, state);
    const courtesy = courtesies.length > 0 && topics.length === 0 && isOnlyCourtesy(clause);
    if (courtesy) continue;
    asked++;
    if (topics.length > topicsPerClause) heap = true;
    else if (topics.length === 0) notUnderstood++;
    else for (const topic of topics.slice(0, topicsPerMessage)) if (!found.includes(topic)) found.push(topic);
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
  else if (heap && found.length === 0) parts.push(say('tooMuch'));
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
  /** Each way to ask for something, by topics in their order. */
  readonly asks: readonly { readonly pattern: Pattern; readonly topic: Topic }[];
  /** The places in `asks` that a clause could meet. */
  readonly near: (bag: Bag) => readonly number[];
  readonly about: readonly Token[];
  /** What stands in the briefing: its words, and its runs of four. */
  readonly briefing: { readonly words: ReadonlySet<string>; readonly runs: ReadonlySet<string> };
}

const compiled = new WeakMap<Task, Ears>();

/** What the person listens for: compiled once a task. */
export function earsOf(task: Task): Ears {
  const known = compiled.get(task);
  if (known) return known;
  const lexicon = lexiconOf(task.person.synonyms);
  const asksOf = (ask: readonly string[], rest: Omit<Topic, 'about'>): Ears['asks'] => {
    const topic: Topic = { about: ask[0] ?? '', ...rest };
    return ask.map((source) => ({ pattern: patternOf(source, lexicon), topic }));
  };
  const asks = [
    ...task.facts
      .filter((fact) => fact.reveal !== 'hidden')
      .flatMap((fact) => asksOf(fact.ask, { fact, says: fact.says })),
    ...task.person.acts.flatMap((act) => asksOf(act.ask, { act, says: act.says })),
    ...task.person.topics.flatMap((topic) => asksOf(topic.ask, { says: topic.says })),
  ];
  const briefing = wordsOf(plainText(task.briefing));
  const ears: Ears = {
    lexicon,
    asks,
    near: patternIndex(asks.map(({ pattern }) => pattern)),
    about: tokensOf(task.person.about, lexicon),
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

/** The topics of a clause, best first; each uses up its words, so that one word is not two questions. */
function topicsIn(clause: Clause, ears: Ears, state: PlayState): readonly Topic[] {
  const direct = pickMatches(clause.bag, ears, state).map(({ topic }) => topic);
  if (direct.length > 0 || !clause.pointsBack) return direct;
  const about = pickWith(clause, ears.about, { ears, state });
  return about.length > 0
    ? about
    : pickWith(clause, tokensOf(plainWords(state.last), ears.lexicon), { ears, state });
}

/** "How bad is it?": the topic lends its words, but the clause must not speak of something else as well. */
function pickWith(
  clause: Clause,
  lent: readonly Token[],
  given: { readonly ears: Ears; readonly state: PlayState },
): readonly Topic[] {
  const own = clause.tokens.length;
  const [best] = pickMatches(bagOf([...clause.tokens, ...lent]), given.ears, given.state);
  if (!best || best.used.every((index) => index >= own)) return [];
  const unexplained = clause.tokens.some(
    (token, index) =>
      !best.used.includes(index) && !token.empty && !token.keys.some((key) => slight.has(key)),
  );
  return unexplained ? [] : [best.topic];
}

/** Concepts that a question about "it" may have besides: when, how, now, to begin, to happen. */
const slight: ReadonlySet<string> = new Set([
  ...questionConcepts,
  '#now',
  '#begin',
  '#happen',
  '#before',
  'what',
  'exact',
]);

function plainWords(pattern: string): string {
  return pattern.replace(/!\S+/g, ' ').replace(/[|=_]/g, ' ');
}

interface Picked {
  readonly topic: Topic;
  /** Its place in `asks`. */
  readonly place: number;
  readonly score: number;
  readonly used: readonly number[];
}

function pickMatches(bag: Bag, ears: Ears, state: PlayState): readonly Picked[] {
  const near = ears.near(bag);
  const taken = new Set<number>();
  const picked: Picked[] = [];
  for (;;) {
    let best: Picked | undefined;
    for (const place of near) {
      const { pattern, topic } = ears.asks[place]!;
      if (picked.some((one) => one.topic === topic)) continue;
      const match = matchPattern(pattern, bag, taken);
      if (!match) continue;
      const score = match.score + (topic.fact ? nearness(topic.fact, state) : 0);
      // Of two that fit alike, the one that is written first is meant.
      if (!best || score > best.score || (score === best.score && place < best.place))
        best = { topic, place, score, used: match.used };
    }
    if (!best) return picked;
    picked.push(best);
    const content = best.used.filter(
      (index) => !bag.tokens[index]!.keys.some((key) => questionConcepts.has(key)),
    );
    if (content.length === 0) return picked;
    for (const index of content) taken.add(index);
  }
}

/** Of two facts that fit a question alike, the one that is not out yet is meant, and the one of this session. */
function nearness(fact: Fact, state: PlayState): number {
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
