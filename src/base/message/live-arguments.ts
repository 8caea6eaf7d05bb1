import { JsonReader } from '../json/read/reader.ts';
import type { JsonValue } from '../json/value.ts';

/** The arguments of one call while they arrive: pieces go in, the value so far comes out, each character read once. */
export class LiveArguments {
  #reader: JsonReader | undefined;
  #pending: string[] = [];
  #length = 0;
  #problem: Error | undefined;

  /** How many characters have come, read or not. */
  get length(): number {
    return this.#length;
  }

  push(piece: string): void {
    if (piece === '') return;
    this.#length += piece.length;
    this.#pending.push(piece);
  }

  /** A live view, valid until the next piece and not to be changed; undefined before the first character of a value. */
  get current(): JsonValue | undefined {
    this.#read();
    return this.#reader?.current;
  }

  /** Never to change again; costs the width of what is still open. */
  snapshot(): JsonValue | undefined {
    this.#read();
    return this.#reader?.snapshot();
  }

  /** Why nothing is read any more: the text stopped being JSON. */
  get problem(): Error | undefined {
    this.#read();
    return this.#problem;
  }

  /** Nothing is read before somebody asks: most calls are only wanted whole. */
  #read(): void {
    if (this.#pending.length === 0) return;
    const pieces = this.#pending;
    this.#pending = [];
    if (this.#problem !== undefined) return;
    this.#reader ??= new JsonReader();
    try {
      for (const piece of pieces) this.#reader.push(piece);
    } catch (error) {
      this.#problem = error as Error;
    }
  }
}
