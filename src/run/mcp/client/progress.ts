/** Progress that is heard while a call runs, in order, until it is ended. */
export class Progress implements AsyncIterable<unknown> {
  readonly #heard: unknown[] = [];
  #ended = false;
  #wake: () => void = () => undefined;

  add(progress: unknown): void {
    this.#heard.push(progress);
    this.#wake();
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<unknown, void> {
    for (;;) {
      while (this.#heard.length > 0) yield this.#heard.shift();
      if (this.#ended) return;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
