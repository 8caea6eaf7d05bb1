import { Recent } from '../../../base/host/recent.ts';

/** How many characters of results are kept for clients that lost their connection. */
const mostKept = 16_000_000;

/**
 * Results of calls by their task id, while they run and for a while after: a client may come back for them. What is
 * forgotten is read from the store; only the result of a call that was refused is kept nowhere else.
 */
export class Results {
  readonly #running = new Map<string, Promise<string>>();
  readonly #ended = new Recent<string, string>(mostKept, (text) => 200 + text.length);

  /** Runs a call and keeps its result under this id. */
  async run(id: string, work: () => Promise<string>): Promise<string> {
    const result = work();
    this.#running.set(id, result);
    try {
      const text = await result;
      this.#ended.set(id, text);
      return text;
    } finally {
      this.#running.delete(id);
    }
  }

  get(id: string): Promise<string> | string | undefined {
    return this.#running.get(id) ?? this.#ended.get(id);
  }
}
