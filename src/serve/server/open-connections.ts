import { WhetstoneError } from '../../base/host/errors.ts';

/** The connections of one kind that stay open, sockets or event streams: memory is bounded by how many there may be. */
export class OpenConnections {
  readonly limit: number;
  #count = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  get count(): number {
    return this.#count;
  }

  /** Takes one, or throws `server_busy`; its end gives it back. */
  take(): () => void {
    if (this.#count >= this.limit)
      throw new WhetstoneError('server_busy', 'No more connections can be held. Ask again in a moment.');
    this.#count += 1;
    let taken = 1;
    return () => {
      this.#count -= taken;
      taken = 0;
    };
  }
}
