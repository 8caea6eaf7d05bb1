import type { WhetstoneError } from '../../host/errors.ts';
import type { JsonLimits } from './limits.ts';
import { OpenNumber } from './open-number.ts';
import { OpenString } from './open-string.ts';
import { plainEnd } from './string-scan.ts';
import { refuseLimit, refuseText } from './json-error.ts';
import type { LikelyKey } from './likely-key.ts';
import { JsonTree, type List, type Members } from './tree.ts';
import type { ExactJson } from '../value.ts';
import type { PathListeners } from './path-listeners.ts';

/** What may come next, between tokens. The order matters: the first two take a value. */
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
const inLikelyKey = 3;
const inNumber = 4;
const inWord = 5;

// Longer than a file should be: one machine, whose methods share their place in the text at every character.
/** Takes the pieces of a text token by token and grows the tree; tells the listeners, if there is one. */
export class Scanner {
  listeners: PathListeners | undefined;
  /** Why the text was refused. */
  failure: WhetstoneError | undefined;
  /** Characters of all pieces before the current one. */
  before = 0;
  readonly tree = new JsonTree();

  readonly #maxDepth: number;
  readonly #maxMembers: number;
  readonly #countMembers: boolean;
  readonly #tellRepeated: boolean;
  readonly #listsAtOnce: boolean;

  #state = value;
  /** How many keys each open object has had, where that is counted. */
  #count = 0;
  readonly #counts: number[] = [];

  #token = noToken;
  readonly #string = new OpenString();
  readonly #number: OpenNumber;
  #word = '';
  /** How many characters of the open word, or of the likely key, have come. */
  #matched = 0;

  #line = 1;
  #lineStart = 0;

  constructor(
    limits: Required<JsonLimits>,
    { asWritten, tellRepeated }: { asWritten: boolean; tellRepeated: boolean },
  ) {
    this.#maxDepth = limits.depth;
    this.#maxMembers = limits.members;
    this.#countMembers = this.#maxMembers !== Infinity;
    this.#tellRepeated = tellRepeated;
    this.#listsAtOnce = !this.#countMembers && !asWritten;
    this.#number = new OpenNumber(asWritten);
  }

  /** True once the root is closed. */
  get isComplete(): boolean {
    return this.#state === nothing && this.#token === noToken;
  }

  /** The value so far, an open string as far as it has come. */
  get current(): ExactJson | undefined {
    if (this.#token === inString) this.tree.show(this.#string.text);
    return this.tree.root;
  }

  copy(): ExactJson | undefined {
    if (this.#token === inString) this.tree.show(this.#string.text);
    return this.tree.copy();
  }

  /** Reads a piece. Throws at the first character with which no JSON text can go on. */
  scan(piece: string): void {
    const { length } = piece;
    let at = this.#token === noToken ? 0 : this.#resume(piece);
    while (at < length) {
      const code = piece.charCodeAt(at);
      if (code <= 32) {
        if (code === 10) {
          this.#line++;
          this.#lineStart = this.before + at + 1;
        } else if (code !== 32 && code !== 13 && code !== 9) this.#refuse(piece, at);
        at++;
        continue;
      }
      const state = this.#state;
      if (state <= firstElement) {
        if (code === 93 && state === firstElement) {
          this.#close();
          at++;
        } else at = this.#readValue(piece, at, code);
      } else if (state === afterElement) {
        if (code === 44) this.#state = value;
        else if (code === 93) this.#close();
        else this.#refuse(piece, at);
        at++;
      } else if (state === afterMember) {
        if (code === 44) this.#state = key;
        else if (code === 125) this.#close();
        else this.#refuse(piece, at);
        at++;
      } else if (state === colon) {
        if (code !== 58) this.#refuse(piece, at);
        this.#state = value;
        at++;
      } else if (code === 34 && state !== nothing) at = this.#readKey(piece, at);
      else if (code === 125 && state === firstKey) {
        this.#close();
        at++;
      } else this.#refuse(piece, at);
    }
    this.before += length;
  }

  /** The text is over. */
  end(): void {
    if (this.#token === inNumber) {
      this.#number.end();
      if (this.#number.isWhole) this.#putNumber();
    }
    if (this.#token !== noToken || this.#state !== nothing) this.#refuse(undefined, 0);
  }

  refuseLimit(limit: 'depth' | 'length' | 'members', allowed: number, at: number): never {
    this.failure = refuseLimit(limit, allowed, this.#position(at));
    throw this.failure;
  }

  /** A value begins at `at`. Gives where to read on. */
  #readValue(piece: string, at: number, code: number): number {
    const { list } = this.tree;
    if (list !== undefined && list.length >= this.#maxMembers) {
      this.refuseLimit('members', this.#maxMembers, at);
    }
    if (code === 34) {
      const end = plainEnd(piece, at + 1);
      if (end < piece.length && piece.charCodeAt(end) === 34) {
        const text = piece.slice(at + 1, end);
        if (text !== '') this.listeners?.text(this.tree.openKey, text);
        this.#put(text);
        return end + 1;
      }
      this.#token = inString;
      this.#string.begin('');
      return this.#readString(piece, at + 1);
    }
    if (isNumeric(code)) {
      if (list !== undefined && this.#listsAtOnce && this.listeners === undefined) {
        this.#number.beginList();
        return this.#readNumbers(piece, at, list);
      }
      this.#token = inNumber;
      return this.#afterNumber(piece, this.#number.begin(piece, at));
    }
    if (code === 123) {
      this.#open(this.tree.makeMembers(), undefined, at);
      return at + 1;
    }
    if (code === 91) {
      this.#open(undefined, [], at);
      return at + 1;
    }
    this.#word = code === 116 ? 'true' : code === 102 ? 'false' : code === 110 ? 'null' : '';
    if (this.#word === '') this.#refuse(piece, at);
    this.#token = inWord;
    this.#matched = 1;
    return this.#readWord(piece, at + 1);
  }

  /** A key begins with the quote at `at`; most likely it is the one that objects at this place have had here. */
  #readKey(piece: string, at: number): number {
    if (this.#countMembers && ++this.#count > this.#maxMembers) {
      this.refuseLimit('members', this.#maxMembers, at);
    }
    const { likely } = this.tree;
    if (likely !== undefined) return this.#readLikelyKey(piece, at + 1, likely, 0);
    const end = plainEnd(piece, at + 1);
    if (end < piece.length && piece.charCodeAt(end) === 34) {
      this.#takeKey(piece.slice(at + 1, end));
      return end + 1;
    }
    this.#token = inKey;
    this.#string.begin('');
    return this.#readString(piece, at + 1);
  }

  /** Compares the key that comes with the likely one, of which `matched` characters have come. */
  #readLikelyKey(piece: string, from: number, likely: LikelyKey, matched: number): number {
    const name = likely.key;
    const { length } = piece;
    let at = from;
    let same = matched;
    while (at < length && same < name.length && piece.charCodeAt(at) === name.charCodeAt(same)) {
      at++;
      same++;
    }
    if (at === length) {
      this.#token = inLikelyKey;
      this.#matched = same;
      return at;
    }
    if (same === name.length && piece.charCodeAt(at) === 34) {
      this.#token = noToken;
      if (this.tree.takeLikelyKey(likely)) this.listeners?.duplicate(name);
      at++;
      if (at === length || piece.charCodeAt(at) !== 58) {
        this.#state = colon;
        return at;
      }
      this.#state = value;
      return at + 1;
    }
    this.#token = inKey;
    this.#string.begin(name.slice(0, same));
    return this.#readString(piece, at);
  }

  #takeKey(name: string): void {
    // Keys that come again are only told to who hears everything.
    if (this.tree.takeKey(name, this.#tellRepeated)) this.listeners?.duplicate(name);
    this.#state = colon;
  }

  /** Goes on with the token that the last piece broke off in. */
  #resume(piece: string): number {
    switch (this.#token) {
      case inNumber: {
        const { list } = this.tree;
        if (list !== undefined && this.#listsAtOnce && this.listeners === undefined) {
          return this.#readNumbers(piece, 0, list);
        }
        return this.#afterNumber(piece, this.#number.read(piece, 0));
      }
      case inWord:
        return this.#readWord(piece, 0);
      case inLikelyKey:
        return this.#readLikelyKey(piece, 0, this.tree.likely as LikelyKey, this.#matched);
      default:
        return this.#readString(piece, 0);
    }
  }

  #readString(piece: string, from: number): number {
    const string = this.#string;
    const at = string.read(piece, from);
    if (at < 0) this.#refuse(piece, ~at, string.expected);
    const isKey = this.#token === inKey;
    if (!isKey && string.fresh !== '') this.listeners?.text(this.tree.openKey, string.fresh);
    if (string.isWhole) {
      this.#token = noToken;
      if (isKey) this.#takeKey(string.text);
      else this.#put(string.text);
    }
    return at;
  }

  /** The numbers of a list, one after the other. */
  #readNumbers(piece: string, from: number, list: List): number {
    const number = this.#number;
    const at = number.readList(piece, from, list);
    this.#token = inNumber;
    if (number.hasBegun) return at === piece.length ? at : this.#afterNumber(piece, number.read(piece, at));
    if (at < piece.length && isNumeric(piece.charCodeAt(at))) {
      return this.#afterNumber(piece, number.begin(piece, at));
    }
    this.#token = noToken;
    this.#state = value;
    return at;
  }

  /** The open number has been read as far as `at`. */
  #afterNumber(piece: string, at: number): number {
    if (at < piece.length) {
      if (!this.#number.isWhole) this.#refuse(piece, at);
      this.#putNumber();
    }
    return at;
  }

  #putNumber(): void {
    this.#token = noToken;
    this.#put(this.#number.value);
  }

  #readWord(piece: string, from: number): number {
    const word = this.#word;
    let at = from;
    while (at < piece.length && this.#matched < word.length) {
      if (piece.charCodeAt(at) !== word.charCodeAt(this.#matched)) this.#refuse(piece, at);
      this.#matched++;
      at++;
    }
    if (this.#matched === word.length) {
      this.#token = noToken;
      this.#put(word === 'null' ? null : word === 'true');
    }
    return at;
  }

  /** A complete value takes its place. */
  #put(complete: ExactJson): void {
    this.tree.put(complete);
    this.listeners?.value(this.tree.lastKey, complete);
    this.#expectNext();
  }

  /** What the innermost container waits for after a value. */
  #expectNext(): void {
    const { tree } = this;
    this.#state = tree.list !== undefined ? afterElement : tree.members !== undefined ? afterMember : nothing;
  }

  #open(members: Members | undefined, list: List | undefined, at: number): void {
    if (this.tree.depth >= this.#maxDepth) this.refuseLimit('depth', this.#maxDepth, at);
    this.listeners?.opened(this.tree.openKey, members === undefined ? 'array' : 'object');
    this.tree.open(members, list);
    if (this.#countMembers) {
      this.#counts.push(this.#count);
      this.#count = 0;
    }
    this.#state = members === undefined ? firstElement : firstKey;
  }

  #close(): void {
    const closed = this.tree.close();
    if (this.#countMembers) this.#count = this.#counts.pop() ?? 0;
    this.listeners?.closed(closed);
    this.#expectNext();
  }

  /** What may come next, also inside a token. */
  #expectation(): string {
    switch (this.#token) {
      case inNumber:
        return this.#number.expected;
      case inWord:
        return `"${this.#word[this.#matched]}" of "${this.#word}"`;
      case inString:
      case inKey:
        return this.#string.expectedNext;
      case inLikelyKey:
        return 'the end of the string';
      default:
        return expected[this.#state] ?? 'a value';
    }
  }

  /** No JSON text goes on with the character at `at`, or ends there. */
  #refuse(piece: string | undefined, at: number, expectation: string = this.#expectation()): never {
    const found = piece === undefined ? undefined : String.fromCodePoint(piece.codePointAt(at) as number);
    this.failure = refuseText(expectation, found, this.#position(at));
    throw this.failure;
  }

  #position(at: number): { offset: number; line: number; column: number } {
    const offset = this.before + at;
    return { offset, line: this.#line, column: offset - this.#lineStart + 1 };
  }
}

/** A number may begin with it. */
function isNumeric(code: number): boolean {
  return (code >= 48 && code <= 57) || code === 45;
}
