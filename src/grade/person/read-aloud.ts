import type { Clause } from '../language/clause.ts';
import { plainText } from '../language/plain-text.ts';
import { requestStart } from '../language/requests.ts';
import { wordsOf } from '../language/words.ts';
import type { Task } from '../scenario/task.ts';

/** What the operator reads before it says anything: the briefing's words, its runs of four and of three, the tools' names. */
export interface Briefing {
  readonly words: ReadonlySet<string>;
  readonly runs: ReadonlySet<string>;
  readonly shortRuns: ReadonlySet<string>;
  readonly toolNames: ReadonlySet<string>;
}

export function briefingOf(task: Task): Briefing {
  const words = wordsOf(plainText(task.briefing));
  const runsOf = (count: number) => new Set(words.map((_, last) => runTo(words, last, count)));
  const toolNames = task.tools.map(({ name }) => wordsOf(plainText(name)).join(' '));
  return {
    words: new Set(words),
    runs: runsOf(4),
    shortRuns: runsOf(3),
    toolNames: new Set(toolNames),
  };
}

/** The briefing read aloud asks the person nothing, whatever it lists; a short question may well use its words. */
export function isReadAloud(clause: Clause, briefing: Briefing): boolean {
  if (isPiece(clause, briefing) || isBackwards(clause.words, briefing)) return true;
  const { words, marked, sentence } = clause;
  const count = words.length - 3;
  if (count <= 0) return false;
  // "Please tell me where …": the briefing tells nobody so.
  const asksItself = requestStart.test(sentence) && !briefing.shortRuns.has(runTo(words, 2, 3));
  // "Do you have any of these: …, … or …?" is a question, however much of the protocol it lists.
  if (marked && asksItself) return false;
  if (asksItself && count < 8) return false;
  const ends = runsIn(words, 4, briefing);
  if (marked && count < (endsEmpty(words, ends.at(-1) ?? -1) ? 8 : 16)) return false;
  return ends.length > count * 0.4;
}

/**
 * A piece of it without a question: the name of a tool, or half a line, also with an empty question put behind. With a
 * question mark of its own it is a question: "Blow to the head within the last two weeks?"
 */
function isPiece({ marked, asks, names, sentence, words }: Clause, briefing: Briefing): boolean {
  if (!marked && briefing.toolNames.has(words.join(' '))) return true;
  const ends = runsIn(words, 3, briefing);
  const taken = wordsTaken(ends, marked ? 4 : 3);
  const isRequest = requestStart.test(sentence) || (!marked && asks && !names);
  if (taken === 0 || taken < words.length / 2 || isRequest) return false;
  return !marked || endsEmpty(words, ends.at(-1)!);
}

/** Read from its end: nobody asks for anything in that order. */
function isBackwards(words: readonly string[], briefing: Briefing): boolean {
  return runsIn(words.toReversed(), 3, briefing).length > Math.max(1, (words.length - 2) * 0.4);
}

/** How many words are in runs of at least so many; `ends` are the last words of runs of three. */
function wordsTaken(ends: readonly number[], least: number): number {
  let taken = 0;
  let run = 0;
  for (const [index, end] of ends.entries()) {
    run = end === ends[index - 1]! + 1 ? run + 1 : 1;
    if (run + 2 === least) taken += least;
    else if (run + 2 > least) taken += 1;
  }
  return taken;
}

/** The last words of all runs of so many words that are in the briefing. */
function runsIn(words: readonly string[], count: 3 | 4, briefing: Briefing): readonly number[] {
  const runs = count === 4 ? briefing.runs : briefing.shortRuns;
  // Most words are not there at all.
  const known = words.map((word) => briefing.words.has(word));
  return [...words.keys()].filter((last) => known[last] && runs.has(runTo(words, last, count)));
}

/** Whether what comes after a word asks for anything at all: "… how much", "… and", "… anything else I should know". */
function endsEmpty(words: readonly string[], last: number): boolean {
  const behind = words.slice(last + 1);
  const first = behind.find((word) => !/^(?:and|or|so|but)$/.test(word));
  return behind.length > 0 && (first === undefined || emptyQuestion.has(first));
}

const emptyQuestion: ReadonlySet<string> = new Set(
  (
    'who whom whose what when where which why how anything everything something else more tell say go can could ' +
    'will would do'
  ).split(' '),
);

/** So many words, up to one of them. */
function runTo(words: readonly string[], last: number, count: number): string {
  return words.slice(Math.max(0, last - count + 1), last + 1).join(' ');
}
