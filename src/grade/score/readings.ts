import type { Clause } from '../scenario/language/clause.ts';
import type { Lexicon } from '../scenario/language/lexicon.ts';
import type { Pattern } from '../scenario/language/pattern.ts';
import { readingOf } from '../scenario/language/reading.ts';
import type { Reading } from '../scenario/language/reading.ts';
import type { Courtesy } from '../scenario/language/small-talk.ts';
import type { Task } from '../scenario/task.ts';
import type { Spoken } from './view.ts';
import { wordsWantedBy } from './words-wanted.ts';
import type { WordsHeld, WordsWanted } from './words-wanted.ts';

/** The messages as one grading reads them: each once, and no further than somebody asks. */
export class Readings {
  readonly #lexicon: Lexicon;
  readonly #wanted: WordsWanted;
  readonly #read = new Map<Spoken, Reading>();
  readonly #held = new Map<Spoken, WordsHeld>();

  constructor(task: Task, lexicon: Lexicon) {
    this.#lexicon = lexicon;
    this.#wanted = wordsWantedBy(task, lexicon);
  }

  courtesies(message: Spoken): readonly Courtesy[] {
    return (message.courtesies ??= this.#reading(message).courtesies());
  }

  patterns(sources: readonly string[]): readonly Pattern[] {
    return this.#wanted.patterns(sources);
  }

  /** The clauses of a message; none where none of them could meet one of these patterns. */
  clauses(message: Spoken, sources: readonly string[]): readonly Clause[] {
    const reading = this.#reading(message);
    let held = this.#held.get(message);
    if (held === undefined) {
      held = this.#wanted.heldIn(reading.plain);
      this.#held.set(message, held);
    }
    return this.#wanted.mayMeet(sources, held) ? reading.clauses() : [];
  }

  #reading(message: Spoken): Reading {
    let reading = this.#read.get(message);
    if (reading === undefined) {
      reading = readingOf(message.text, this.#lexicon);
      this.#read.set(message, reading);
    }
    return reading;
  }
}
