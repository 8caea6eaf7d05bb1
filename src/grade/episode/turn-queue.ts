/** Work on one episode goes one after another; different episodes do not wait for each other. */
export class TurnQueue {
  readonly #tails = new Map<string, Promise<unknown>>();

  /** How many episodes have work under way. */
  get size(): number {
    return this.#tails.size;
  }

  has(id: string): boolean {
    return this.#tails.has(id);
  }

  run<Value>(id: string, work: () => Promise<Value>): Promise<Value> {
    const before = this.#tails.get(id);
    const result = before === undefined ? work() : before.then(work, work);
    this.#tails.set(id, result);
    const leave = (): void => {
      if (this.#tails.get(id) === result) this.#tails.delete(id);
    };
    result.then(leave, leave);
    return result;
  }

  /** Resolves when all that was in flight has ended. */
  async idle(): Promise<void> {
    while (this.#tails.size > 0) await Promise.allSettled(this.#tails.values());
  }
}
