import { WhetstoneError } from '../../base/host/errors.ts';

/** The connections of one kind that stay open, sockets or event streams: memory is bounded by how many there may be. */
export class OpenConnections {
  readonly limit: number;
  #count = 0;
  readonly #byKey = new Map<string, number>();

  constructor(limit: number) {
    this.limit = limit;
  }

  get count(): number {
    return this.#count;
  }

  /** Takes one, or throws `server_busy`; its end gives it back. One key may have half of them. */
  take(key = ''): () => void {
    const own = this.#byKey.get(key) ?? 0;
    if (this.#count >= this.limit || (key !== '' && own >= Math.ceil(this.limit / 2)))
      throw new WhetstoneError('server_busy', 'No more connections can be held. Ask again in a moment.');
    this.#count += 1;
    this.#byKey.set(key, own + 1);
    let taken = 1;
    return () => {
      if (taken === 0) return;
      taken = 0;
      this.#count -= 1;
      const left = this.#byKey.get(key)! - 1;
      if (left === 0) this.#byKey.delete(key);
      else this.#byKey.set(key, left);
    };
  }
}
