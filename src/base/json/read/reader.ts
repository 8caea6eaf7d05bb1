import { WhetstoneError } from '../../host/errors.ts';
import type { JsonEvent } from './events.ts';
import { type JsonLimits, readLimits } from './limits.ts';
import { Scanner } from './scanner.ts';
import type { PathListener, PathPattern } from './subscription.ts';
import type { ExactJson, JsonValue } from '../value.ts';
import { PathListeners } from './path-listeners.ts';

export interface JsonReaderOptions {
  /** Hears everything, in order, after each piece. */
  readonly onEvent?: (event: JsonEvent) => void;
  readonly limits?: JsonLimits;
  /** `as-written` keeps tokens that a double would change (`NumberToken`). Default `double`, as `JSON.parse`. */
  readonly numbers?: 'double' | 'as-written';
}

/** How much is read of a long piece before its events are told. */
const stretch = 16_384;

/**
 * Reads JSON that arrives in pieces, cut anywhere. Three readings: events (`onEvent`, `on`), `current` (a live view,
 * valid until the next piece) and `snapshot()` (immutable for ever). What `JSON.parse` takes is taken with the same
 * value; anything else is refused at the first character with which no JSON text can go on. Where numbers are kept
 * as written, say so in the type: `JsonReader<ExactJson>`.
 *
 * @example
 * const reader = new JsonReader();
 * reader.on('items[*].name', (event) => console.log(event.path, event.type));
 * for await (const piece of pieces) reader.push(piece);
 * const value = reader.end();
 */
export class JsonReader<Value extends ExactJson = JsonValue> {
  readonly #scanner: Scanner;
  readonly #maxLength: number;
  #ended = false;
  /** A listener is being told: it may look, but not push. */
  #busy = false;
  #snapshot: ExactJson | undefined;

  constructor(options: JsonReaderOptions = {}) {
    const { onEvent, limits, numbers } = options ?? {};
    const read = readLimits(limits);
    this.#maxLength = read.length;
    this.#scanner = new Scanner(read, {
      asWritten: numbers === 'as-written',
      tellRepeated: onEvent !== undefined,
    });
    if (onEvent !== undefined) this.#scanner.listeners = new PathListeners(onEvent);
  }

  /** Takes the next piece. Throws at the first character that no JSON text can have there. */
  push(piece: string): void {
    if (typeof piece !== 'string') {
      throw new WhetstoneError('json_input', `A JSON reader takes text, not ${typeof piece}.`, {
        details: { piece },
      });
    }
    const scanner = this.#scanner;
    if (scanner.failure !== undefined || this.#ended || this.#busy) this.#refuseMore();
    this.#snapshot = undefined;
    const room = this.#maxLength - scanner.before;
    const text = piece.length > room ? piece.slice(0, room) : piece;
    if (scanner.listeners === undefined) scanner.scan(text);
    else this.#scanAndTell(text, scanner.listeners);
    if (piece.length > room) scanner.refuseLimit('length', this.#maxLength, 0);
  }

  /** Says that the text is over, and gives its value. */
  end(): Value {
    const scanner = this.#scanner;
    if (scanner.failure !== undefined) throw scanner.failure;
    if (this.#busy) this.#refuseMore();
    if (!this.#ended) {
      this.#snapshot = undefined;
      scanner.end();
      this.#ended = true;
      scanner.listeners?.tell();
    }
    return scanner.tree.root as Value;
  }

  /**
   * The value so far, as a live view: the same tree at every read, grown by each piece. Valid until the next piece;
   * not to be changed. An open string shows what has come of it; an open number, word or key does not show yet.
   * Reading all characters of a long open string costs its length: to follow one, take its pieces from `on`.
   */
  get current(): Value | undefined {
    return this.#scanner.current as Value | undefined;
  }

  /** The value so far, never to change: closed containers are shared, open ones copied (once for each piece). */
  snapshot(): Value | undefined {
    return (this.#snapshot ??= this.#scanner.copy()) as Value | undefined;
  }

  /**
   * Calls `listener` when a value at this path is complete, and with each appended piece while it is a string.
   * Starts with what comes next; gives back a function that ends it.
   */
  on(path: PathPattern, listener: PathListener): () => void {
    const scanner = this.#scanner;
    if (scanner.listeners === undefined) {
      scanner.listeners = new PathListeners();
      for (const key of scanner.tree.way) scanner.listeners.enter(key);
    }
    return scanner.listeners.subscribe(path, listener);
  }

  /** True once the root is closed. A number at the root is only closed by `end()`: more digits may come. */
  get isComplete(): boolean {
    return this.#scanner.isComplete;
  }

  /** How many characters have been read. */
  get offset(): number {
    return this.#scanner.before;
  }

  /** Tells after each stretch, so that little waits. What a listener throws is thrown when all has been read. */
  #scanAndTell(piece: string, listeners: PathListeners): void {
    const thrown: unknown[] = [];
    this.#busy = true;
    try {
      for (let at = 0; at < piece.length; at += stretch) {
        try {
          this.#scanner.scan(piece.length > stretch ? piece.slice(at, at + stretch) : piece);
        } finally {
          try {
            listeners.tell();
          } catch (error) {
            thrown.push(error);
          }
        }
      }
    } finally {
      this.#busy = false;
    }
    if (thrown.length > 0) throw thrown[0];
  }

  #refuseMore(): never {
    const { failure } = this.#scanner;
    const why = this.#busy
      ? 'it is telling a listener of the last one'
      : this.#ended
        ? 'its text has ended'
        : 'it has refused its text';
    throw new WhetstoneError('json_reader_closed', `This JSON reader takes no piece now: ${why}.`, {
      ...(failure === undefined ? {} : { cause: failure }),
    });
  }
}
