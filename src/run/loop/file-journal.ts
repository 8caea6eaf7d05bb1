import type { FileHandle } from 'node:fs/promises';

import { WhetstoneError } from '../../base/host/errors.ts';
import type { Journal, JournalEntry } from './journal.ts';

/**
 * A journal in a folder: one file of JSON lines for each run, flushed to the disk before an entry counts as written.
 * Entries that come together are flushed together. Made for one process at a time.
 * @example const { text } = await run({ model, tools, prompt, journal: fileJournal('runs'), runId: 'invoice-17' });
 */
export function fileJournal(folder: string): Journal & AsyncDisposable {
  const files = new Map<string, RunFile>();
  const fileOf = (runId: string): RunFile => {
    const known = files.get(runId) ?? new RunFile(folder, runId);
    files.set(runId, known);
    return known;
  };
  return {
    append: (runId, entry) => fileOf(runId).append(entry),
    read: (runId) => fileOf(runId).read(),
    async [Symbol.asyncDispose]() {
      await Promise.all([...files.values()].map((file) => file.close()));
      files.clear();
    },
  };
}

class RunFile {
  readonly #folder: string;
  readonly #runId: string;
  #handle: Promise<FileHandle> | undefined;
  #pending: string[] = [];
  /** The flush that will carry what is pending now. */
  #next: Promise<void> | undefined;
  #flushing: Promise<void> = Promise.resolve();

  constructor(folder: string, runId: string) {
    this.#folder = folder;
    this.#runId = runId;
  }

  get #path(): string {
    return `${this.#folder}/${encodeURIComponent(this.#runId)}.jsonl`;
  }

  append(entry: JournalEntry): Promise<void> {
    this.#pending.push(`${JSON.stringify(entry)}\n`);
    if (this.#next === undefined) {
      this.#next = this.#flushing.then(() => this.#flush());
      // Who appends hears of a failed flush; the chain itself must not be an unhandled rejection.
      this.#flushing = this.#next.catch(() => undefined);
    }
    return this.#next;
  }

  async read(): Promise<readonly JournalEntry[]> {
    await this.#flushing;
    await this.#open();
    const { readFile } = await import('node:fs/promises');
    const text = await readFile(this.#path, 'utf8');
    const lines = text.split('\n').slice(0, -1);
    return lines.map((line, index) => this.#parse(line, index));
  }

  async close(): Promise<void> {
    await this.#flushing;
    await (await this.#handle)?.close();
    this.#handle = undefined;
  }

  async #flush(): Promise<void> {
    const handle = await this.#open();
    const lines = this.#pending.join('');
    this.#pending = [];
    this.#next = undefined;
    await handle.appendFile(lines);
    await handle.datasync();
  }

  #open(): Promise<FileHandle> {
    this.#handle ??= this.#openAndMend();
    return this.#handle;
  }

  /** A line that was torn by a crash was never acknowledged: it is cut off, so that the next one does not join it. */
  async #openAndMend(): Promise<FileHandle> {
    const { mkdir, open, readFile } = await import('node:fs/promises');
    await mkdir(this.#folder, { recursive: true });
    const handle = await open(this.#path, 'a');
    const bytes = await readFile(this.#path);
    const whole = bytes.lastIndexOf(10) + 1;
    if (whole < bytes.length) await handle.truncate(whole);
    return handle;
  }

  #parse(line: string, index: number): JournalEntry {
    try {
      return JSON.parse(line) as JournalEntry;
    } catch (cause) {
      throw new WhetstoneError(
        'journal_conflict',
        `The journal of the run ${JSON.stringify(this.#runId)} cannot be read: line ${index + 1} is not JSON.`,
        { details: { runId: this.#runId, line: index + 1 }, cause },
      );
    }
  }
}
