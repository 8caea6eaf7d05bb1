import type { Lexicon } from '../scenario/language/lexicon.ts';
import { tokensOf, wordsOf } from '../scenario/language/lexicon.ts';
import type { Pattern } from '../scenario/language/pattern.ts';
import { patternOf } from '../scenario/language/pattern.ts';
import { ownCopy, stem } from '../scenario/language/stem.ts';
import type { Condition, Task } from '../scenario/task.ts';

/** What a message may stand for of all that is wanted; `all` where its words cannot be told so simply. */
export type WordsHeld = ReadonlySet<string> | 'all';

/**
 * The words that a task's patterns look for. Most messages have none of them, and need not be read: to tell their
 * sentences apart, and questions from statements, costs fifty times as much.
 */
export class WordsWanted {
  readonly #lexicon: Lexicon;
  readonly #patterns = new Map<readonly string[], readonly Pattern[]>();
  readonly #keys: ReadonlySet<string>;
  /** What of it a word may stand for; nothing for most words. */
  readonly #words = new Map<string, readonly string[]>();

  constructor(lists: Iterable<readonly string[]>, lexicon: Lexicon) {
    this.#lexicon = lexicon;
    for (const sources of lists)
      this.#patterns.set(
        sources,
        sources.map((source) => patternOf(source, lexicon)),
      );
    this.#keys = new Set([...this.#patterns.values()].flat().flatMap(({ wanted }) => wanted.flat()));
  }

  /** The patterns of one of the lists. */
  patterns(sources: readonly string[]): readonly Pattern[] {
    return this.#patterns.get(sources)!;
  }

  /** Whether one of the patterns could be met: a word of each of its wishes must stand somewhere in the message. */
  mayMeet(sources: readonly string[], held: WordsHeld): boolean {
    if (held === 'all') return true;
    return this.patterns(sources).some(({ wanted }) =>
      wanted.every((keys) => keys.some((key) => held.has(key))),
    );
  }

  /**
   * What a message (plain text) holds, more rather than less: every phrase that begins with one of its words, and every
   * part of a word that is put together, for nobody has cut it into clauses yet.
   */
  heldIn(plain: string): WordsHeld {
    // Not all expressions agree where such a word ends.
    if (/[\u00c0-\u024f]/.test(plain)) return 'all';
    let held: Set<string> | undefined;
    for (const word of wordsOf(plain)) {
      const keys = this.#words.get(word) ?? this.#learn(word);
      if (keys === undefined) return 'all';
      for (const key of keys) (held ??= new Set()).add(key);
    }
    return held ?? none;
  }

  #learn(word: string): readonly string[] | undefined {
    const pieces = piecesOf(word);
    if (pieces === undefined) return undefined;
    const keys = pieces.flatMap((piece) => meaningsOf(piece, this.#lexicon));
    const wanted = [...new Set(keys)].filter((key) => this.#keys.has(key));
    // Texts without end come by; the words of a language do not fill this.
    if (this.#words.size < 5000) this.#words.set(ownCopy(word), wanted);
    return wanted;
  }
}

const none: ReadonlySet<string> = new Set();

const known = new WeakMap<Task, WordsWanted>();

/** Of all that a task's criteria look for in what was said. */
export function wordsWantedBy(task: Task, lexicon: Lexicon): WordsWanted {
  let wanted = known.get(task);
  if (wanted === undefined) {
    const { success, failure, best_practices, scope, rubrics } = task.criteria;
    const checked = [...success, ...failure, ...best_practices, ...scope];
    const levels = rubrics.flatMap((rubric) => rubric.levels);
    wanted = new WordsWanted(
      [...checked, ...levels].flatMap(({ check }) => listsIn(check)),
      lexicon,
    );
    known.set(task, wanted);
  }
  return wanted;
}

function listsIn(condition: Condition | undefined): readonly (readonly string[])[] {
  if (condition === undefined) return [];
  const { said, asked, all = [], any = [], not } = condition;
  return [said, asked, ...[...all, ...any, not].flatMap(listsIn)].filter((list) => list !== undefined);
}

function meaningsOf(word: string, lexicon: Lexicon): readonly string[] {
  const itsStem = stem(word);
  const phrases = lexicon.own.get(itsStem) ?? lexicon.phrases.get(itsStem) ?? [];
  return [...tokensOf(word, lexicon).flatMap(({ keys }) => keys), ...phrases.map(({ concept }) => concept)];
}

/** Of "stay-at-home": itself, and all that may be left where something is cut out of it. */
function piecesOf(word: string): readonly string[] | undefined {
  if (!/[-']/.test(word)) return [word];
  const parts = word.split(/(?<=[-'])(?=[^-'])/);
  if (parts.length > 6) return undefined;
  return parts.flatMap((_, from) =>
    parts.slice(from).map((_, more) => {
      const piece = parts.slice(from, from + more + 1).join('');
      return piece.replace(/[-']+$/, '');
    }),
  );
}
