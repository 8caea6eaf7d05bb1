import type { Clause } from '../language/clause.ts';
import { plainText } from '../language/plain-text.ts';
import type { Lexicon, Token } from '../language/lexicon.ts';
import { wordsOf } from '../language/lexicon.ts';
import { Recent } from '../../base/host/recent.ts';
import { requestStart } from '../language/requests.ts';
import type { Listener } from '../language/topic.ts';
import { listenFor } from '../language/topic.ts';
import type { Word } from '../language/words.ts';
import type { Fact, PersonAct, Task } from '../scenario/task.ts';

/** What can be asked for: a fact, something the person does, or talk. */
export interface Topic {
  readonly fact?: Fact;
  readonly act?: PersonAct;
  readonly says: string;
  readonly about: string;
}

export interface QuestionIndex {
  readonly lexicon: Lexicon;
  readonly listener: Listener;
  /** By the number that the listener gives them. */
  readonly topics: readonly Topic[];
  /** Its facts belong to several sessions. */
  readonly isJourney: boolean;
  /** In a journey, what is listened for by the same patterns in several sessions: "How bad is the pain?" */
  readonly twins: ReadonlyMap<Topic, readonly Topic[]>;
  readonly briefing: Briefing;
  /** The words of a topic's first pattern, for a question that only says "it". */
  readonly spoken: Recent<string, readonly Token[]>;
}

/** What the operator reads before it says anything: the briefing's words, its runs of four and of three, the tools' names. */
interface Briefing {
  readonly words: ReadonlySet<string>;
  readonly runs: ReadonlySet<string>;
  readonly shortRuns: ReadonlySet<string>;
  readonly toolNames: ReadonlySet<string>;
  readonly mostInToolName: number;
}

const compiled = new WeakMap<Task, QuestionIndex>();

/** What the person listens for: compiled once a task. */
export function questionIndexOf(task: Task): QuestionIndex {
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
  const isJourney = facts.some(({ session }) => session !== facts[0]!.session);
  const toolNames = task.tools.map(({ name }) => wordsOf(plainText(name)));
  const ears: QuestionIndex = {
    lexicon: listener.lexicon,
    listener,
    topics,
    isJourney,
    twins: isJourney ? twinsIn(topics, asks) : new Map(),
    spoken: new Recent(100),
    briefing: {
      words: new Set(briefing),
      runs: runsOf(briefing, 4),
      shortRuns: runsOf(briefing, 3),
      toolNames: new Set(toolNames.map((words) => words.join(' '))),
      mostInToolName: Math.max(0, ...toolNames.map(({ length }) => length)),
    },
  };
  compiled.set(task, ears);
  return ears;
}

function twinsIn(
  topics: readonly Topic[],
  asks: readonly (readonly string[])[],
): ReadonlyMap<Topic, readonly Topic[]> {
  const alike = Map.groupBy(topics.keys(), (index) => (topics[index]!.fact ? asks[index]!.join('\n') : ''));
  alike.delete('');
  return new Map(
    [...alike.values()].flatMap((places) => {
      const twins = places.map((place) => topics[place]!);
      return twins.length > 1 ? twins.map((topic) => [topic, twins] as const) : [];
    }),
  );
}

function runsOf(words: readonly string[], count: number): ReadonlySet<string> {
  return new Set(words.slice(count - 1).map((_, index) => words.slice(index, index + count).join(' ')));
}

/** The briefing read aloud asks the person nothing, whatever it lists; a short question may well use its words. */
export function isReadAloud(clause: Clause, briefing: Briefing): boolean {
  if (isPiece(clause, briefing)) return true;
  const { words, marked, sentence } = clause;
  const count = words.length - 3;
  if (count <= 0) return false;
  // "Please tell me where …": the briefing tells nobody so.
  const asksItself = requestStart.test(sentence) && !briefing.shortRuns.has(runTo(words, 2, 3));
  // "Do you have any of these: …, … or …?" is a question, however much of the protocol it lists.
  if (marked && asksItself) return false;
  if (asksItself && count < 8) return false;
  let found = 0;
  let end = -1;
  // A run is only put together where each of its words stands in the briefing: hardly ever.
  let known = 0;
  words.forEach(({ text }, index) => {
    known = briefing.words.has(text) ? known + 1 : 0;
    if (known < 4 || !briefing.runs.has(runTo(words, index, 4))) return;
    found += 1;
    end = index;
  });
  if (marked && count < (endsEmpty(words, end) ? 8 : 16)) return false;
  return found > count * 0.4;
}

/**
 * A piece of it without a question: the name of a tool, or half a line, also with an empty question put behind. With a
 * question mark of its own it is a question: "Blow to the head within the last two weeks?"
 */
function isPiece({ marked, asks, names, sentence, words }: Clause, briefing: Briefing): boolean {
  if (
    !marked &&
    words.length <= briefing.mostInToolName &&
    briefing.toolNames.has(runTo(words, words.length - 1, words.length))
  )
    return true;
  const least = marked ? 4 : 3;
  let taken = 0;
  let run = 0;
  let end = -1;
  let known = 0;
  words.forEach(({ text }, index) => {
    known = briefing.words.has(text) ? known + 1 : 0;
    run = known >= 3 && briefing.shortRuns.has(runTo(words, index, 3)) ? run + 1 : 0;
    if (run > 0) end = index;
    if (run + 2 === least) taken += least;
    else if (run + 2 > least) taken += 1;
  });
  const isRequest = requestStart.test(sentence) || (!marked && asks && !names);
  if (taken === 0 || taken < words.length / 2 || isRequest) return false;
  return !marked || endsEmpty(words, end);
}

/** Whether what comes after a word asks for anything at all: "… how much", "… and", "… anything else I should know". */
function endsEmpty(words: readonly Word[], last: number): boolean {
  const behind = words.slice(last + 1);
  const first = behind.find(({ text }) => !/^(?:and|or|so|but)$/.test(text));
  return behind.length > 0 && (first === undefined || emptyQuestion.test(first.text));
}

const emptyQuestion =
  /^(?:who|whom|whose|what|when|where|which|why|how|anything|everything|something|else|more|tell|say|go|can|could|will|would|do)$/;

/** So many words, up to one of them. */
function runTo(words: readonly Word[], last: number, count: number): string {
  return words
    .slice(last - count + 1, last + 1)
    .map(({ text }) => text)
    .join(' ');
}
