import { WhetstoneError } from '../host/errors.ts';
import type { JsonEvent } from './events.ts';
import type { JsonLimits } from './limits.ts';
import { afterE, afterMinus, afterZero, inInteger, isWhole, nextPhase } from './number-phase.ts';
import { keepNumber } from './number-token.ts';
import { runEnd, simpleEscapes } from './plain-run.ts';
import { type JsonPosition, refuseLimit, refuseText } from './refusal.ts';
import type { PathListener, PathPattern } from './subscription.ts';
import { JsonTree, type List, type Members } from './tree.ts';
import type { ExactJson, JsonValue } from './value.ts';
import { Watch } from './watch.ts';

export interface JsonReaderOptions {
  /** Hears everything, in order, after each piece. */
  readonly onEvent?: (event: JsonEvent) => void;
  readonly limits?: JsonLimits;
  /** `as-written` keeps tokens that a double would change (`NumberToken`). Default `double`, as `JSON.parse`. */
  readonly numbers?: 'double' | 'as-written';
}

/** What may stand next, between tokens. The order matters: the first two take a value. */
const value = 0;
const firstElement = 1;
const firstKey = 2;
const key = 3;
const colon = 4;
const afterElement = 5;
const afterMember = 6;
const nothing = 7;

const expected: readonly string[] = [
  'a value',
  'a value or "]"',
  'a key or "}"',
  'a key',
  '":"',
  '"," or "]"',
  '"," or "}"',
  'the end of the text',
];

/** The token that the last piece broke off in. */
const noToken = 0;
const inString = 1;
const inKey = 2;
const inNumber = 3;
const inWord = 4;

/** How much is read of a long piece before its events are told. */
const stretch = 16_384;

const powersOfTen = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];

// Longer than a file should be: one scanner, whose methods share where they stand in the text at every character.
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
  readonly #asWritten: boolean;
  readonly #maxDepth: number;
  readonly #maxLength: number;
  readonly #maxMembers: number;
  readonly #countMembers: boolean;
  readonly #hears: boolean;
  #watch: Watch | undefined;

  #state = value;
  readonly #tree = new JsonTree();
  #count = 0;
  readonly #counts: number[] = [];

  #token = noToken;
  /** What is known of the open token: the decoded text of a string, the characters of a number or a word. */
  #text = '';
  /** The pieces at the end of a long open string, and what stands before them. */
  readonly #recent: string[] = [];
  #settled = '';
  /** A high surrogate that waits for its other half. */
  #held = '';
  /** Characters of an escape that have come, `\` included. */
  #escape = '';
  #phase = afterMinus;
  #word = '';

  /** Characters of all pieces before the current one. */
  #before = 0;
  #line = 1;
  #lineStart = 0;
  #failure: WhetstoneError | undefined;
  #ended = false;
  /** A listener is being told: it may look, but not push. */
  #busy = false;
  #snapshot: ExactJson | undefined;

  constructor(options: JsonReaderOptions = {}) {
    const { onEvent, limits = {}, numbers } = options;
    this.#asWritten = numbers === 'as-written';
    this.#maxDepth = limits.depth ?? Infinity;
    this.#maxLength = limits.length ?? Infinity;
    this.#maxMembers = limits.members ?? Infinity;
    this.#countMembers = this.#maxMembers !== Infinity;
    this.#hears = onEvent !== undefined;
    if (onEvent !== undefined) this.#watch = new Watch(onEvent);
  }

  /** Takes the next piece. Throws at the first character that no JSON text can have there. */
  push(piece: string): void {
    if (typeof piece !== 'string') {
      throw new WhetstoneError('json_input', `A JSON reader takes text, not ${typeof piece}.`, {
        details: { piece },
      });
    }
    if (this.#failure !== undefined || this.#ended || this.#busy) this.#refuseMore();
    this.#snapshot = undefined;
    const room = this.#maxLength - this.#before;
    const text = piece.length > room ? piece.slice(0, room) : piece;
    if (this.#watch === undefined) this.#scan(text);
    else this.#scanAndTell(text, this.#watch);
    if (piece.length > room) throw this.#limit('length', this.#maxLength, 0);
  }

  /** Says that the text is over, and gives its value. */
  end(): Value {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#busy) this.#refuseMore();
    if (!this.#ended) {
      this.#snapshot = undefined;
      if (this.#token === inNumber && isWhole(this.#phase)) this.#finishNumber();
      if (this.#token !== noToken || this.#state !== nothing) {
        throw this.#refuse(this.#expectation(), undefined, 0);
      }
      this.#ended = true;
      this.#watch?.tell();
    }
    return this.#tree.root as Value;
  }

  /**
   * The value so far, as a live view: the same tree at every read, grown by each piece. Valid until the next piece;
   * not to be changed. An open string shows what has come of it; an open number, word or key does not show yet.
   * Reading all characters of a long open string costs its length: to follow one, take its pieces from `on`.
   */
  get current(): Value | undefined {
    if (this.#token === inString) this.#tree.show(this.#text);
    return this.#tree.root as Value | undefined;
  }

  /** The value so far, never to change: closed containers are shared, open ones copied (once for each piece). */
  snapshot(): Value | undefined {
    return (this.#snapshot ??= this.#copy()) as Value | undefined;
  }

  /**
   * Calls `listener` when a value at this path is complete, and with each appended piece while it is a string.
   * Starts with what comes next; gives back a function that ends it.
   */
  on(path: PathPattern, listener: PathListener): () => void {
    if (this.#watch === undefined) {
      this.#watch = new Watch();
      for (const key of this.#tree.way) this.#watch.enter(key);
    }
    return this.#watch.subscribe(path, listener);
  }

  /** True once the root is closed. A number at the root is only closed by `end()`: more digits may come. */
  get isComplete(): boolean {
    return this.#state === nothing && this.#token === noToken;
  }

  /** How many characters have been read. */
  get offset(): number {
    return this.#before;
  }

  /** Tells after each stretch, so that little waits. What a listener throws is thrown when all has been read. */
  #scanAndTell(piece: string, watch: Watch): void {
    const thrown: unknown[] = [];
    this.#busy = true;
    try {
      for (let at = 0; at < piece.length; at += stretch) {
        try {
          this.#scan(piece.length > stretch ? piece.slice(at, at + stretch) : piece);
        } finally {
          try {
            watch.tell();
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

  #scan(piece: string): void {
    const { length } = piece;
    let at = this.#token === noToken ? 0 : this.#resume(piece);
    while (at < length) {
      const code = piece.charCodeAt(at);
      if (code <= 32) {
        if (code === 10) {
          this.#line++;
          this.#lineStart = this.#before + at + 1;
        } else if (code !== 32 && code !== 13 && code !== 9)
          throw this.#refuse(this.#expectation(), piece, at);
        at++;
        continue;
      }
      const state = this.#state;
      if (state <= firstElement) {
        if (code === 93 && state === firstElement) {
          this.#close();
          at++;
          continue;
        }
        if (this.#tree.list !== undefined && this.#tree.list.length >= this.#maxMembers) {
          throw this.#limit('members', this.#maxMembers, at);
        }
        at = this.#value(piece, at, code);
      } else if (state === afterElement) {
        if (code === 44) this.#state = value;
        else if (code === 93) this.#close();
        else throw this.#refuse(this.#expectation(), piece, at);
        at++;
      } else if (state === afterMember) {
        if (code === 44) this.#state = key;
        else if (code === 125) this.#close();
        else throw this.#refuse(this.#expectation(), piece, at);
        at++;
      } else if (state === colon) {
        if (code !== 58) throw this.#refuse(this.#expectation(), piece, at);
        this.#state = value;
        at++;
      } else if (code === 34 && state !== nothing) {
        if (this.#countMembers && ++this.#count > this.#maxMembers) {
          throw this.#limit('members', this.#maxMembers, at);
        }
        const likely = this.#tree.shape.next;
        if (likely !== undefined) {
          const end = at + 1 + likely.key.length;
          if (end < length && piece.charCodeAt(end) === 34 && piece.startsWith(likely.key, at + 1)) {
            if (this.#tree.takeShape(likely)) this.#watch?.duplicate(likely.key);
            this.#state = colon;
            at = end + 1;
            continue;
          }
        }
        const end = runEnd(piece, at + 1);
        if (end < length && piece.charCodeAt(end) === 34) {
          this.#takeKey(piece.slice(at + 1, end));
          at = end + 1;
        } else {
          this.#token = inKey;
          at = this.#string(piece, at + 1);
          if (this.#token === noToken) this.#takeKey(this.#takeText());
        }
      } else if (code === 125 && state === firstKey) {
        this.#close();
        at++;
      } else throw this.#refuse(this.#expectation(), piece, at);
    }
    this.#before += length;
  }

  /** A value begins at `at`. Gives where to read on. */
  #value(piece: string, at: number, code: number): number {
    if (code === 34) {
      const end = runEnd(piece, at + 1);
      if (end < piece.length && piece.charCodeAt(end) === 34) {
        const text = piece.slice(at + 1, end);
        if (text !== '') this.#watch?.text(this.#tree.openKey, text);
        this.#put(text);
        return end + 1;
      }
      this.#token = inString;
      const next = this.#string(piece, at + 1);
      if (this.#token === noToken) this.#put(this.#takeText());
      return next;
    }
    if ((code >= 48 && code <= 57) || code === 45) return this.#number(piece, at);
    if (code === 123) {
      this.#open({}, undefined, at);
      return at + 1;
    }
    if (code === 91) {
      this.#open(undefined, [], at);
      return at + 1;
    }
    this.#word = code === 116 ? 'true' : code === 102 ? 'false' : code === 110 ? 'null' : '';
    if (this.#word === '') throw this.#refuse(this.#expectation(), piece, at);
    if (piece.startsWith(this.#word, at)) {
      this.#put(code === 110 ? null : code === 116);
      return at + this.#word.length;
    }
    this.#token = inWord;
    return this.#readWord(piece, at);
  }

  /** A complete value takes its place. */
  #put(complete: ExactJson): void {
    this.#tree.put(complete);
    this.#watch?.value(this.#tree.lastKey, complete);
    this.#settle();
  }

  /** What the innermost container waits for after a value. */
  #settle(): void {
    this.#state =
      this.#tree.list !== undefined ? afterElement : this.#tree.members !== undefined ? afterMember : nothing;
  }

  #open(members: Members | undefined, list: List | undefined, at: number): void {
    if (this.#tree.depth >= this.#maxDepth) throw this.#limit('depth', this.#maxDepth, at);
    const watch = this.#watch;
    if (watch !== undefined) watch.opened(this.#tree.openKey, members === undefined ? 'array' : 'object');
    this.#tree.open(members, list);
    if (this.#countMembers) {
      this.#counts.push(this.#count);
      this.#count = 0;
    }
    this.#state = members === undefined ? firstElement : firstKey;
  }

  #close(): void {
    const closed = this.#tree.close();
    if (this.#countMembers) this.#count = this.#counts.pop() ?? 0;
    this.#watch?.closed(closed);
    this.#settle();
  }

  #takeKey(name: string): void {
    // Keys that come again are only told to who hears everything.
    if (this.#tree.takeKey(name, this.#hears)) this.#watch?.duplicate(name);
    this.#state = colon;
  }

  #takeText(): string {
    const text = this.#text;
    this.#text = '';
    if (this.#recent.length > 0) this.#recent.length = 0;
    return text;
  }

  /**
   * The open string grows. V8 joins strings lazily, with a cell for each join that lives as long as the string; a long
   * string is therefore joined for good every 256 pieces (10 MB in 16-character pieces: 104 ms instead of 154).
   */
  #append(fresh: string): void {
    const before = this.#text;
    this.#text = before === '' ? fresh : before + fresh;
    if (before.length < 131072) return;
    if (this.#recent.length === 0) this.#settled = before;
    if (this.#recent.push(fresh) < 256) return;
    this.#text = this.#settled + this.#recent.join('');
    this.#recent.length = 0;
  }

  /** Goes on with the token that the last piece broke off in. */
  #resume(piece: string): number {
    if (this.#token === inNumber) return this.#readNumber(piece, 0);
    if (this.#token === inWord) return this.#readWord(piece, 0);
    const isKey = this.#token === inKey;
    const next = this.#string(piece, 0);
    if (this.#token !== noToken) return next;
    if (isKey) this.#takeKey(this.#takeText());
    else this.#put(this.#takeText());
    return next;
  }

  /** Reads a string from inside it, to its end or the piece's; runs of plain characters are taken whole. */
  #string(piece: string, from: number): number {
    const { length } = piece;
    let fresh = this.#held;
    this.#held = '';
    let at = from;
    // The last unit of `fresh`, kept at hand: asking a rope for it would flatten the rope.
    let last = fresh === '' ? 0 : fresh.charCodeAt(0);
    while (at < length) {
      if (this.#escape !== '') {
        const meaning = this.#readEscape(piece, at);
        if (meaning !== '') {
          fresh += meaning;
          last = meaning.charCodeAt(0);
        }
        at++;
        continue;
      }
      const end = runEnd(piece, at);
      if (end > at) {
        fresh += piece.slice(at, end);
        last = piece.charCodeAt(end - 1);
        at = end;
        if (at === length) break;
      }
      const code = piece.charCodeAt(at);
      if (code === 34) {
        const isKey = this.#token === inKey;
        this.#token = noToken;
        this.#text = this.#text === '' ? fresh : this.#text + fresh;
        if (!isKey && fresh !== '') this.#watch?.text(this.#tree.openKey, fresh);
        return at + 1;
      }
      if (code !== 92)
        throw this.#refuse('a character of a string (control characters are escaped)', piece, at);
      const meaning = at + 1 < length ? simpleEscapes[piece.charCodeAt(at + 1)] : undefined;
      if (meaning === undefined) {
        this.#escape = '\\';
        at++;
      } else {
        fresh += meaning;
        last = 0;
        at += 2;
      }
    }
    if (last >= 0xd800 && last <= 0xdbff) {
      this.#held = fresh.slice(-1);
      fresh = fresh.slice(0, -1);
    }
    if (fresh !== '') {
      this.#append(fresh);
      if (this.#token === inString) this.#watch?.text(this.#tree.openKey, fresh);
    }
    return length;
  }

  /** One character of an escape; gives what the escape stands for once it is whole. */
  #readEscape(piece: string, at: number): string {
    const character = piece.charAt(at);
    if (this.#escape === '\\' && character !== 'u') {
      const meaning = simpleEscapes[piece.charCodeAt(at)];
      if (meaning === undefined) throw this.#refuse('one of " \\ / b f n r t u after "\\"', piece, at);
      this.#escape = '';
      return meaning;
    }
    if (this.#escape !== '\\' && !/[0-9a-fA-F]/.test(character))
      throw this.#refuse('a hexadecimal digit', piece, at);
    this.#escape += character;
    if (this.#escape.length < 6) return '';
    const code = Number.parseInt(this.#escape.slice(2), 16);
    this.#escape = '';
    return String.fromCharCode(code);
  }

  /** Numbers that end in this piece are read at once, one after the other; any other character by character. */
  #number(piece: string, from: number): number {
    const { length } = piece;
    let at = from;
    while (!this.#asWritten) {
      let end = at;
      let digits = 0;
      let code = piece.charCodeAt(end);
      const negative = code === 45;
      if (negative && ++end < length) code = piece.charCodeAt(end);
      const first = end;
      while (end < length && (code = piece.charCodeAt(end)) >= 48 && code <= 57) {
        digits = digits * 10 + code - 48;
        end++;
      }
      let count = end - first;
      if (end === length || count === 0 || (count > 1 && piece.charCodeAt(first) === 48)) break;
      let fraction = 0;
      if (code === 46) {
        const point = end++;
        while (end < length && (code = piece.charCodeAt(end)) >= 48 && code <= 57) {
          digits = digits * 10 + code - 48;
          end++;
        }
        fraction = end - point - 1;
        count += fraction;
        if (fraction === 0) break;
      }
      // Below 2^53 and 10^22 one division rounds as reading the decimal does (Clinger 1990).
      if (end === length || count > 15 || code === 101 || code === 69) break;
      const number = fraction === 0 ? digits : digits / (powersOfTen[fraction] as number);
      this.#put(negative ? -number : number);
      // A list of numbers goes on at once.
      if (code !== 44 || this.#tree.list === undefined || this.#countMembers || end + 1 === length)
        return end;
      const next = piece.charCodeAt(end + 1);
      if (next !== 45 && (next < 48 || next > 57)) return end;
      at = end + 1;
    }
    const code = piece.charCodeAt(at);
    this.#token = inNumber;
    this.#phase = code === 45 ? afterMinus : code === 48 ? afterZero : inInteger;
    this.#text = piece.charAt(at);
    return this.#readNumber(piece, at + 1);
  }

  #readNumber(piece: string, from: number): number {
    const { length } = piece;
    let at = from;
    for (; at < length; at++) {
      const phase = nextPhase(this.#phase, piece.charCodeAt(at));
      if (phase < 0) break;
      this.#phase = phase;
    }
    this.#text += piece.slice(from, at);
    if (at === length) return at;
    if (!isWhole(this.#phase)) throw this.#refuse(this.#expectation(), piece, at);
    this.#finishNumber();
    return at;
  }

  #finishNumber(): void {
    this.#token = noToken;
    const text = this.#takeText();
    this.#put(this.#asWritten ? keepNumber(text) : Number(text));
  }

  #readWord(piece: string, from: number): number {
    const word = this.#word;
    let at = from;
    for (; at < piece.length && this.#text.length < word.length; at++) {
      if (piece.charAt(at) !== word[this.#text.length]) throw this.#refuse(this.#expectation(), piece, at);
      this.#text += piece.charAt(at);
    }
    if (this.#text === word) {
      this.#token = noToken;
      this.#text = '';
      this.#put(word === 'null' ? null : word === 'true');
    }
    return at;
  }

  #copy(): ExactJson | undefined {
    if (this.#token === inString) this.#tree.show(this.#text);
    return this.#tree.copy();
  }

  /** What may come next, also inside a token. */
  #expectation(): string {
    switch (this.#token) {
      case inNumber:
        return this.#phase === afterE ? 'a digit, "+" or "-"' : 'a digit';
      case inWord:
        return `"${this.#word[this.#text.length]}" of "${this.#word}"`;
      case inString:
      case inKey:
        return this.#escape === '' ? 'the end of the string' : 'the rest of the escape';
      default:
        return expected[this.#state] ?? 'a value';
    }
  }

  #refuse(expectation: string, piece: string | undefined, at: number): WhetstoneError {
    const found = piece === undefined ? undefined : String.fromCodePoint(piece.codePointAt(at) as number);
    return this.#fail(refuseText(expectation, found, this.#position(at)));
  }

  #limit(limit: 'depth' | 'length' | 'members', allowed: number, at: number): WhetstoneError {
    return this.#fail(refuseLimit(limit, allowed, this.#position(at)));
  }

  #position(at: number): JsonPosition {
    const offset = this.#before + at;
    return { offset, line: this.#line, column: offset - this.#lineStart + 1 };
  }

  #fail(error: WhetstoneError): WhetstoneError {
    this.#failure = error;
    return error;
  }

  #refuseMore(): never {
    const why = this.#busy
      ? 'it is telling a listener of the last one'
      : this.#ended
        ? 'its text has ended'
        : 'it has refused its text';
    throw new WhetstoneError('json_reader_closed', `This JSON reader takes no piece now: ${why}.`, {
      ...(this.#failure === undefined ? {} : { cause: this.#failure }),
    });
  }
}
