import { plainEnd, simpleEscapes } from './string-scan.ts';

/** How many pieces of a growing string are joined for good at once. */
const piecesAtOnce = 4096;

/**
 * The string (or key) that is being read, wherever the pieces cut it: inside an escape, between the halves of a
 * surrogate pair.
 */
export class OpenString {
  /** What the piece that was read last has added. */
  fresh = '';
  /** Its quote has come. */
  isWhole = false;
  /** What should have come where `read` refused. */
  expected = '';
  /** What of it is known, decoded, is what was joined for good and the newest pieces, so many of them. */
  #settled = '';
  #recent = '';
  #count = 0;
  /** Nobody reads it: were nothing made of what a rope is asked for, the compiler would not ask. */
  probe = 0;
  /** A high surrogate that waits for its other half. */
  #held = '';
  /** Characters of an escape that have come, `\` included. */
  #escape = '';

  /** What of it is known, decoded. */
  get text(): string {
    return this.#settled === '' ? this.#recent : this.#settled + this.#recent;
  }

  /** Begins with what is known of it already. */
  begin(text: string): void {
    this.#settled = '';
    this.#recent = text;
    this.#count = 0;
    this.isWhole = false;
  }

  /** Reads on from inside the string. Gives where to read on behind its quote, the end of the piece, or ~where it refuses. */
  read(piece: string, from: number): number {
    const { length } = piece;
    let fresh = this.#held;
    this.#held = '';
    // The last unit of `fresh`, kept at hand: asking a rope for it would flatten the rope.
    let last = fresh === '' ? 0 : fresh.charCodeAt(0);
    let at = from;
    // Where the plain characters begin that are not in `fresh` yet.
    let run = at;
    for (;;) {
      if (this.#escape !== '') {
        at = this.#readEscape(piece, at);
        if (at < 0) return at;
        if (this.#escape !== '') {
          run = length;
          break;
        }
        fresh += this.fresh;
        last = this.fresh.charCodeAt(0);
        run = at;
      }
      at = plainEnd(piece, at);
      if (at === length) break;
      const code = piece.charCodeAt(at);
      if (code !== 92) {
        if (code !== 34) {
          this.expected = 'a character of a string (control characters are escaped)';
          return ~at;
        }
        if (at > run) fresh += piece.slice(run, at);
        this.#recent = this.#recent === '' ? fresh : this.#recent + fresh;
        this.fresh = fresh;
        this.isWhole = true;
        return at + 1;
      }
      if (at > run) fresh += piece.slice(run, at);
      const escaped = at + 1 < length ? piece.charCodeAt(at + 1) : 0;
      if (escaped === 34 || escaped === 92 || escaped === 47) {
        // It means itself and begins the next run.
        run = at + 1;
        at += 2;
        continue;
      }
      const meaning = simpleEscapes[escaped];
      if (meaning === undefined) {
        this.#escape = '\\';
        at++;
      } else {
        fresh += meaning;
        last = 0;
        at += 2;
        run = at;
      }
    }
    if (run < length) {
      fresh += piece.slice(run);
      last = piece.charCodeAt(length - 1);
    }
    if (last >= 0xd800 && last <= 0xdbff) {
      this.#held = fresh.slice(-1);
      fresh = fresh.slice(0, -1);
    }
    this.fresh = fresh;
    if (fresh !== '') this.#append(fresh);
    return length;
  }

  /** What may come next, where the text ended. */
  get expectedNext(): string {
    return this.#escape === '' ? 'the end of the string' : 'the rest of the escape';
  }

  /**
   * V8 joins strings lazily, with a cell for each join that lives as long as the string. So the newest pieces are joined
   * on their own: asked for a character, that rope is made flat.
   */
  #append(fresh: string): void {
    this.#recent = this.#recent === '' ? fresh : this.#recent + fresh;
    if (++this.#count < piecesAtOnce) return;
    this.probe = this.#recent.charCodeAt(0);
    this.#settled += this.#recent;
    this.#recent = '';
    this.#count = 0;
  }

  /** The rest of an escape, as far as it has come. Once it is whole, what it means is in `fresh`. */
  #readEscape(piece: string, from: number): number {
    let at = from;
    for (; at < piece.length && this.#escape.length < 6; at++) {
      const code = piece.charCodeAt(at);
      if (this.#escape !== '\\') {
        if (!isHexadecimal(code)) {
          this.expected = 'a hexadecimal digit';
          return ~at;
        }
      } else if (code !== 117) {
        const meaning = simpleEscapes[code];
        if (meaning === undefined) {
          this.expected = 'one of " \\ / b f n r t u after "\\"';
          return ~at;
        }
        this.#escape = '';
        this.fresh = meaning;
        return at + 1;
      }
      this.#escape += piece.charAt(at);
    }
    if (this.#escape.length === 6) {
      this.fresh = String.fromCharCode(Number.parseInt(this.#escape.slice(2), 16));
      this.#escape = '';
    }
    return at;
  }
}

function isHexadecimal(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 70) || (code >= 97 && code <= 102);
}
