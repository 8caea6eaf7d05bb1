import { questionIndexOf } from '../../person/question-index.ts';
import type { Lexicon } from '../../language/lexicon.ts';
import { lexiconOf, phrasesAt } from '../../language/lexicon.ts';
import type { Pattern } from '../../language/pattern.ts';
import { patternOf, phrasesIn } from '../../language/pattern.ts';
import { Recent } from '../../../base/host/recent.ts';
import { isWorthKeeping, ownCopy, stem } from '../../language/stem.ts';
import { tokensOf } from '../../language/tokens.ts';
import { wordsOf } from '../../language/words.ts';
import type { Condition, Task } from '../../scenario/task.ts';

/** Patterns that a criterion looks for together, as its scenario writes them. */
export type PatternList = readonly string[];

/**
 * The words that a task's patterns look for. Most messages have none of them, and need not be read: to tell their
 * sentences apart, and questions from statements, costs fifty times as much.
 */
export class CriterionPatterns {
  readonly #lexicon: Lexicon;
  readonly #lists: readonly PatternList[];
  readonly #patterns = new Map<PatternList, readonly Pattern[]>();
  readonly #barred = new Map<PatternList, readonly string[]>();
  readonly #keys: ReadonlySet<string>;
  /** What of it the words met lately may stand for; nothing for most. */
  readonly #words = new Recent<string, readonly string[]>(1000);

  constructor(lists: readonly PatternList[], lexicon: Lexicon) {
    this.#lexicon = lexicon;
    this.#lists = lists;
    for (const list of lists) {
      const patterns = list.map((source) => patternOf(source, lexicon, { every: true }));
      this.#patterns.set(
        list,
        patterns.filter(({ empty, aside }) => !empty && !aside),
      );
      this.#barred.set(
        list,
        patterns.filter(({ aside }) => aside).flatMap(({ barred }) => barred),
      );
    }
    this.#keys = new Set([...this.#patterns.values()].flat().flatMap(({ wanted }) => wanted.flat()));
  }

  /** The patterns of one of the lists that can be met. */
  patterns(list: PatternList): readonly Pattern[] {
    return this.#patterns.get(list)!;
  }

  /** What a sentence must not say if one of the patterns of a list is to be met in it. */
  barred(list: PatternList): readonly string[] {
    return this.#barred.get(list)!;
  }

  /** The lists of which a message (plain text) could meet a pattern: a word of each of its wishes is in it. */
  listsFor(plain: string): readonly PatternList[] {
    const held = this.#heldIn(plain);
    if (held === undefined) return this.#lists;
    if (held.size === 0) return none;
    return this.#lists.filter((list) =>
      this.patterns(list).some(({ wanted }) => wanted.every((keys) => keys.some((key) => held.has(key)))),
    );
  }

  /**
   * What a message holds of all that is wanted, more rather than less: every phrase that begins with one of its words,
   * and every part of a word that is put together, for nobody has cut it into clauses yet. Undefined where its words
   * cannot be told so simply.
   */
  #heldIn(plain: string): ReadonlySet<string> | undefined {
    // Not all expressions agree where such a word ends.
    if (/[\u00c0-\u024f]/.test(plain)) return undefined;
    const held = new Set<string>();
    for (const word of wordsOf(plain)) {
      const keys = this.#words.get(word) ?? this.#learn(word);
      if (keys === undefined) return undefined;
      for (const key of keys) held.add(key);
    }
    return held;
  }

  #learn(word: string): readonly string[] | undefined {
    // There are too many numbers to remember, and hardly one is wanted.
    if (/^\d/.test(word) && !this.#keys.has(word) && phrasesAt(word, this.#lexicon).length === 0) return none;
    const parts = wordParts(word);
    if (parts === undefined) return undefined;
    const keys = parts.flatMap((part) => meaningsOf(part, this.#lexicon));
    const found = new Set(keys.filter((key) => this.#keys.has(key)));
    const wanted = found.size === 0 ? none : [...found];
    if (isWorthKeeping(word)) this.#words.set(ownCopy(word), wanted);
    return wanted;
  }
}

const none: readonly never[] = [];

const known = new WeakMap<Task, CriterionPatterns>();

/** Of all that a task's criteria look for in what was said. */
export function criterionPatternsOf(task: Task, lexicon: Lexicon): CriterionPatterns {
  let wanted = known.get(task);
  if (wanted === undefined) known.set(task, (wanted = new CriterionPatterns(listsOf(task), lexicon)));
  return wanted;
}

const lexicons = new WeakMap<Task, Lexicon>();

/** What the person understands, and the phrases that only criteria write as one word. */
export function lexiconFor(task: Task): Lexicon {
  let lexicon = lexicons.get(task);
  if (lexicon === undefined) {
    lexicon = questionIndexOf(task).lexicon;
    const phrases = listsOf(task).flat().flatMap(phrasesIn);
    if (phrases.some((phrase) => !lexicon!.concepts.has(`#${phrase}`))) {
      const { facts, person } = task;
      const asked = [...facts, ...person.acts, ...person.topics].flatMap(({ ask }) => ask.flatMap(phrasesIn));
      lexicon = lexiconOf(person.synonyms, [...new Set([...asked, ...phrases])]);
    }
    lexicons.set(task, lexicon);
  }
  return lexicon;
}

function listsOf({ criteria }: Task): readonly PatternList[] {
  const { success, failure, best_practices, scope, rubrics } = criteria;
  const checked = [...success, ...failure, ...best_practices, ...scope];
  const levels = rubrics.flatMap((rubric) => rubric.levels);
  return [...checked, ...levels].flatMap(({ check }) => listsIn(check));
}

function listsIn(condition: Condition | undefined): readonly PatternList[] {
  if (condition === undefined) return [];
  const { said, asked, advises, claims, all = [], any = [], not } = condition;
  return [said, asked, advises, claims, ...[...all, ...any, not].flatMap(listsIn)].filter(
    (list) => list !== undefined,
  );
}

function meaningsOf(word: string, lexicon: Lexicon): readonly string[] {
  const phrases = phrasesAt(stem(word), lexicon);
  return [...tokensOf(word, lexicon).flatMap(({ keys }) => keys), ...phrases.map(({ concept }) => concept)];
}

/** Of "stay-at-home": itself, and all that may be left where something is cut out of it. */
function wordParts(word: string): readonly string[] | undefined {
  if (!/[-']/.test(word)) return [word];
  const parts = word.split(/(?<=[-'])(?=[^-'])/);
  if (parts.length > 6) return undefined;
  return parts.flatMap((_, from) =>
    parts.slice(from).map((_, more) => {
      const segment = parts.slice(from, from + more + 1).join('');
      return segment.replace(/[-']+$/, '');
    }),
  );
}
