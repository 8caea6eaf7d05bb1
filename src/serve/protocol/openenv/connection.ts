import type { JsonObject } from '../../../base/json/value.ts';
import type { ServerContext } from '../../http/context.ts';
import { takeRate } from '../../http/middleware/rate-limit.ts';
import { stillHolds, type Identity } from '../../http/keys.ts';

/** Answers one message, after it was let in: with nothing where nothing is to be said, or by closing. */
export type AnswerMessage = (text: string, admit: () => void) => Promise<JsonObject | 'close' | undefined>;

/** The socket under a connection, as `ws` has it. */
export interface Socket {
  /** Bytes that were sent and that its client has not taken. */
  readonly bufferedAmount: number;
  send(text: string, onSent?: () => void): void;
  close(code?: number, reason?: string): void;
  terminate(): void;
  pause(): void;
  resume(): void;
}

/** A client that sends on without waiting for answers is read no further than this many messages ahead. */
const mostWaiting = 16;

/** So much may wait to be read by a client, and so long. */
const mostUnread = 256 * 1024;
const unreadMs = 10_000;

/** The messages of one socket: one answer each, in order, and each let in like a request of its own. */
export class Connection {
  readonly #context: ServerContext;
  readonly #identity: Identity;
  readonly #answer: AnswerMessage;
  readonly #onAnswered: () => void;
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;
  #closing = false;

  constructor(
    context: ServerContext,
    {
      identity,
      answer,
      onAnswered,
    }: { readonly identity: Identity; readonly answer: AnswerMessage; readonly onAnswered: () => void },
  ) {
    this.#context = context;
    this.#identity = identity;
    this.#answer = answer;
    this.#onAnswered = onAnswered;
  }

  receive(text: string, socket: Socket): void {
    if (this.#closing) return;
    let giveBack: () => void;
    try {
      giveBack = this.#context.bodies.take(Buffer.byteLength(text));
    } catch {
      // Its client comes back with its id, when there is room again; what it asked before is still answered.
      this.#closing = true;
      void this.#last.then(() => socket.close(1013, 'Too much is being worked on'));
      return;
    }
    this.#waiting += 1;
    if (this.#waiting === mostWaiting) socket.pause();
    this.#last = this.#last
      .then(() => this.#context.inFlight.run(() => this.#answerOne(text, socket)))
      // What fails here, as a store that is away, ends the connection: its client comes back with its id.
      .catch(() => socket.close(1011))
      .finally(() => {
        giveBack();
        if (this.#waiting === mostWaiting) socket.resume();
        this.#waiting -= 1;
      });
  }

  async #answerOne(text: string, socket: Socket): Promise<void> {
    // What is not begun yet is not begun any more: its client comes back with its id.
    if (this.#context.stopping()) return socket.close(1001, 'The server is stopping');
    if (!(await stillHolds(this.#context, this.#identity)))
      return socket.close(1008, 'Invalid or missing API key');
    const answer = await this.#answer(text, () => takeRate(this.#context, this.#identity, undefined));
    this.#onAnswered();
    if (answer === 'close') socket.close(1000);
    else if (answer !== undefined) await this.#send(JSON.stringify(answer), socket);
  }

  /** A client that does not read is waited for, and then left: what it is owed would take all memory. */
  async #send(text: string, socket: Socket): Promise<void> {
    if (socket.bufferedAmount <= mostUnread) return socket.send(text);
    const { promise, resolve } = Promise.withResolvers<'taken' | 'left'>();
    const cancel = this.#context.clock.after(unreadMs, () => resolve('left'));
    socket.send(text, () => resolve('taken'));
    if ((await promise) === 'left') {
      this.#closing = true;
      socket.terminate();
    }
    cancel();
  }
}
