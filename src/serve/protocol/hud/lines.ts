import type { Socket } from 'node:net';

import type { BodyBudget } from '../../http/middleware/body-budget.ts';

/** The longest line that is taken; the client's own are 64 KiB at most, but an answer of an agent may be long. */
const longestLine = 2 ** 20;
/** So much of a line is free; what is longer counts as the body of a request does. */
const freeBytes = 2 ** 16;
const lineEnd = 0x0a;

/** Thrown where a line is longer than may be: nothing behind it can be read. */
export class LineTooLong extends Error {}

/** Reads a socket line by line. It is read no further than is asked for, so a client that sends more has to wait. */
export class LineReader {
  readonly #chunks: NodeJS.AsyncIterator<Buffer>;
  readonly #bodies: BodyBudget;
  #rest: Buffer = Buffer.alloc(0);

  constructor(socket: Socket, bodies: BodyBudget) {
    this.#chunks = socket.iterator({ destroyOnReturn: false });
    this.#bodies = bodies;
  }

  /** The next line without its end; undefined when the socket has ended. */
  async next(): Promise<string | undefined> {
    const parts: Buffer[] = [];
    let length = 0;
    let giveBack: (() => void) | undefined;
    try {
      for (let chunk: Buffer | undefined = this.#rest; chunk !== undefined; chunk = await this.#more()) {
        const end = chunk.indexOf(lineEnd);
        const part = end === -1 ? chunk : chunk.subarray(0, end);
        length += part.length;
        if (length > longestLine) throw new LineTooLong();
        if (length > freeBytes) giveBack ??= this.#bodies.take(longestLine);
        parts.push(part);
        if (end === -1) continue;
        this.#rest = chunk.subarray(end + 1);
        return Buffer.concat(parts).toString('utf8');
      }
      return undefined;
    } finally {
      giveBack?.();
    }
  }

  /** Stops reading, and gives what was read beyond the last line. */
  async leave(): Promise<Buffer> {
    await this.#chunks.return?.();
    return this.#rest;
  }

  async #more(): Promise<Buffer | undefined> {
    const { done, value } = await this.#chunks.next();
    return done === true ? undefined : value;
  }
}
