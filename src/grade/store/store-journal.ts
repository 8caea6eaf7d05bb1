import { WhetstoneError } from '../../base/host/errors.ts';
import type { Journal, JournalEntry } from '../../run/loop/journal/journal.ts';
import type { Store } from './store.ts';

/**
 * A journal in a store, next to its episodes. Entries that come together are written together. A run may be taken up
 * by another process: the one that had it before can then write nothing more (`journal_conflict`).
 * @example await run({ model, tools, prompt, journal: storeJournal(await openStore('runs.db')), runId: 'invoice-17' });
 */
export function storeJournal(store: Store): Journal {
  const runs = new Map<string, RunEntries>();
  const entriesOf = (runId: string): RunEntries => {
    const known = runs.get(runId) ?? new RunEntries(store, runId);
    runs.set(runId, known);
    return known;
  };
  return {
    append: (runId, entry) => entriesOf(runId).append(entry),
    read: (runId) => entriesOf(runId).read(),
  };
}

class RunEntries {
  readonly #store: Store;
  readonly #runId: string;
  /** The number of the last entry that this process has seen. It moves only with what it reads and writes itself. */
  #last: number | undefined;
  #pending: string[] = [];
  /** The write that will carry what is pending now. */
  #next: Promise<void> | undefined;
  #before: Promise<unknown> = Promise.resolve();

  constructor(store: Store, runId: string) {
    this.#store = store;
    this.#runId = runId;
  }

  append(entry: JournalEntry): Promise<void> {
    this.#pending.push(JSON.stringify(entry));
    this.#next ??= this.#inTurn(() => this.#write());
    return this.#next;
  }

  read(): Promise<readonly JournalEntry[]> {
    return this.#inTurn(async () => {
      const entries = await this.#store.runs.read(this.#runId);
      this.#last = entries.length;
      return entries.map((entry) => JSON.parse(entry) as JournalEntry);
    });
  }

  async #write(): Promise<void> {
    const entries = this.#pending;
    this.#pending = [];
    this.#next = undefined;
    this.#last ??= (await this.#store.runs.read(this.#runId)).length;
    if (!(await this.#store.runs.append(this.#runId, this.#last, entries)))
      throw new WhetstoneError(
        'journal_conflict',
        `Another process has written into the journal of the run ${JSON.stringify(this.#runId)}. Read it again to go on behind what it wrote.`,
        { details: { runId: this.#runId, last: this.#last } },
      );
    this.#last += entries.length;
  }

  #inTurn<Value>(step: () => Promise<Value>): Promise<Value> {
    const done = this.#before.then(step);
    // Who asked hears of a failure; the chain itself must not be an unhandled rejection.
    this.#before = done.catch(() => undefined);
    return done;
  }
}
