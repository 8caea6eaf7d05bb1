import { WhetstoneError } from '../../../base/host/errors.ts';

/**
 * The bytes of all bodies and messages that are being read, or whose answers are being made. What would not fit is
 * refused before it is read, so that memory is bounded by bytes and not only by how many requests there are.
 */
export class BodyBudget {
  readonly #limit: number;
  #held = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get held(): number {
    return this.#held;
  }

  /** Takes this many, or throws `server_busy`; the answer gives them back. */
  take(bytes: number): () => void {
    if (this.#held + bytes > this.#limit)
      throw new WhetstoneError('server_busy', 'The server is too busy. Ask again in a moment.');
    this.#held += bytes;
    return () => {
      this.#held -= bytes;
      bytes = 0;
    };
  }
}
