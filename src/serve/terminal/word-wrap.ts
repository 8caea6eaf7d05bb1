import { widthOf } from './terminal-text.ts';

/** Breaks text between words as it comes: a word is given out once its end is known. */
export class WordWrap {
  readonly #columns: number;
  /** How much of the line is taken. */
  #taken = 0;
  #word = '';
  /** A space that waits for the next word of its line. */
  #space = false;

  constructor(columns: number) {
    this.#columns = columns;
  }

  /** What may be written by now. */
  add(text: string): string {
    let out = '';
    for (const piece of text.split(/([ \n])/)) {
      if (piece === '\n') {
        out += `${this.#takeWord()}\n`;
        this.#taken = 0;
        this.#space = false;
      } else if (piece === ' ') {
        out += this.#takeWord();
        this.#space = true;
      } else this.#word += piece;
    }
    return out;
  }

  /** The last word, and a new beginning. */
  end(): string {
    const rest = this.#takeWord();
    this.#taken = 0;
    this.#space = false;
    return rest;
  }

  #takeWord(): string {
    const word = this.#word;
    if (word === '') return '';
    this.#word = '';
    const width = widthOf(word);
    const before = this.#space ? 1 : 0;
    this.#space = false;
    if (this.#taken > 0 && this.#taken + before + width > this.#columns) {
      this.#taken = width;
      return `\n${word}`;
    }
    this.#taken += before + width;
    return ' '.repeat(before) + word;
  }
}
