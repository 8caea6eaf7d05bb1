import type { Clause } from './language/clause.ts';
import { plainText } from './language/clause.ts';
import type { Lexicon } from './language/lexicon.ts';
import { wordsOf } from './language/lexicon.ts';
import type { Listener } from './language/topic.ts';
import { listenFor } from './language/topic.ts';
import type { Fact, PersonAct, Task } from './task.ts';

/** What can be asked for: a fact, something the person does, or talk. */
export interface Topic {
  readonly fact?: Fact;
  readonly act?: PersonAct;
  readonly says: string;
  readonly about: string;
}

export interface Ears {
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
export function isReadAloud(clause: Clause, briefing: Ears['briefing']): boolean {
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
