import type { FileHandle } from 'node:fs/promises';

import { WhetstoneError } from '../../../base/host/errors.ts';
import { sha256 } from '../../../base/json/sha256.ts';
import { entriesIn, writeLines } from './journal-lines.ts';
import type { Journal, JournalEntry } from './journal.ts';

/**
 * A journal in a folder: one file of JSON lines for each run, flushed to the disk before an entry counts as written.
 * Entries that come together are flushed together. It holds no file open, so nobody must close it. A run belongs to one
 * process at a time: one whose file another has written to can write nothing more (`journal_conflict`). Each line says
 * at which byte it begins, so that one which came second, when two wrote at the same moment, is not read.
 * @example const { text } = await run({ model, tools, prompt, journal: fileJournal('runs'), runId: 'invoice-17' });
 */
export function fileJournal(folder: string): FileJournal {
  const place = process.getBuiltinModule('node:path').resolve(folder);
  const known = journals.get(place)?.deref();
  if (known !== undefined) return known;
  const journal = journalIn(place);
  journals.set(place, new WeakRef(journal));
  return journal;
}

/** One for each folder, so that a run which goes on in this process is known by whichever name it was opened. */
const journals = new Map<string, WeakRef<FileJournal>>();

type FileJournal = Journal & AsyncDisposable;

function journalIn(folder: string): FileJournal {
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
      await Promise.all([...files.values()].map((file) => file.isWritten));
      files.clear();
    },
  };
}

class RunFile {
  readonly #folder: string;
  readonly #runId: string;
  /** How long the file was when this process last read or wrote it; undefined before. */
  #size: number | undefined;
  /** As JSON: what an entry holds may grow before it is flushed. */
  #pending: string[] = [];
  /** The flush that will carry what is pending now. */
  #next: Promise<void> | undefined;
  #flushing: Promise<unknown> = Promise.resolve();

  constructor(folder: string, runId: string) {
    this.#folder = folder;
    this.#runId = runId;
  }

  /** Settles when everything that was appended is on the disk, or has failed. */
  get isWritten(): Promise<unknown> {
    return this.#flushing;
  }

  append(entry: JournalEntry): Promise<void> {
    this.#pending.push(JSON.stringify(entry));
    this.#next ??= this.#inTurn(() => this.#flush());
    return this.#next;
  }

  read(): Promise<readonly JournalEntry[]> {
    return this.#inTurn(async () => {
      const bytes = await this.#readAndMend();
      return entriesIn(bytes, (why, cause) => {
        throw this.#conflict(why, cause);
      });
    });
  }

  async #flush(): Promise<void> {
    const entries = this.#pending;
    this.#pending = [];
    this.#next = undefined;
    if (this.#size === undefined) await this.#readAndMend();
    const begin = this.#size ?? 0;
    const lines = writeLines(entries, begin);
    const { open } = await import('node:fs/promises');
    // Opened again each time: a handle that nobody closes ends the process when it is collected, and costs less to
    // open than one flush does.
    await using handle = await open(this.#path, 'a');
    await this.#mustEndAt(begin, handle);
    this.#size = begin + lines.length;
    await handle.appendFile(lines);
    await handle.datasync();
    // Another may have looked when we did, and written when we did.
    await this.#mustEndAt(this.#size, handle);
  }

  async #mustEndAt(end: number, handle: FileHandle): Promise<void> {
    const { size } = await handle.stat();
    if (size !== end) throw this.#conflict('another process has written into it meanwhile');
  }

  /** A line that was torn by a crash was never acknowledged: it is cut off, so that the next one does not join it. */
  async #readAndMend(): Promise<Buffer> {
    const { mkdir, open, readFile } = await import('node:fs/promises');
    await mkdir(this.#folder, { recursive: true });
    await using handle = await open(this.#path, 'a');
    const bytes = await readFile(this.#path);
    const whole = bytes.lastIndexOf(10) + 1;
    if (whole < bytes.length) await handle.truncate(whole);
    this.#size = whole;
    return bytes.subarray(0, whole);
  }

  get #path(): string {
    const name = encodeURIComponent(this.#runId);
    // No file system takes a name of more than 255 bytes.
    const short = name.length <= 200 ? name : `${name.slice(0, 100)}-${sha256(this.#runId)}`;
    return `${this.#folder}/${short}.jsonl`;
  }

  #inTurn<Value>(step: () => Promise<Value>): Promise<Value> {
    const done = this.#flushing.then(step);
    // Who asked hears of a failure; the chain itself must not be an unhandled rejection.
    this.#flushing = done.catch(() => undefined);
    return done;
  }

  #conflict(why: string, cause?: unknown): WhetstoneError {
    return new WhetstoneError(
      'journal_conflict',
      `The journal of the run ${JSON.stringify(this.#runId)}: ${why}.`,
      {
        details: { runId: this.#runId },
        ...(cause !== undefined && { cause }),
      },
    );
  }
}
