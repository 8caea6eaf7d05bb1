import type { Note } from '../../tool/contract.ts';
import type { CallEvent } from '../../tool/call/run-call.ts';

export interface WrittenProgress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/**
 * What happens in one call, as progress. The protocol wants each number to be greater than the one before; a word
 * between two numbers therefore counts for next to nothing.
 */
export class ProgressWriter {
  #last = -1;

  write(event: CallEvent): WrittenProgress | undefined {
    if (event.type === 'note') return { progress: this.#next(undefined), message: noteText(event.note) };
    if (event.type !== 'progress') return undefined;
    const { progress } = event;
    if (typeof progress === 'number') return { progress: this.#next(progress) };
    if (typeof progress === 'string') return { progress: this.#next(undefined), message: progress };
    try {
      return this.#writeOther(progress);
    } catch {
      // It refers to itself, or has a getter that throws: that there was progress can be told all the same.
      return { progress: this.#next(undefined) };
    }
  }

  #writeOther(progress: unknown): WrittenProgress {
    const { progress: number, total, message } = (progress ?? {}) as Readonly<Record<string, unknown>>;
    if (typeof number !== 'number') {
      const said = JSON.stringify(progress, sayBigint) ?? String(progress);
      return { progress: this.#next(undefined), message: said };
    }
    return {
      progress: this.#next(number),
      ...(Number.isFinite(total) && { total: total as number }),
      ...(typeof message === 'string' && { message }),
    };
  }

  #next(wanted: number | undefined): number {
    const least = this.#last < 0 ? 0 : this.#last + 0.001;
    this.#last = wanted !== undefined && wanted > this.#last && Number.isFinite(wanted) ? wanted : least;
    return this.#last;
  }
}

/** JSON has no word for it, and would throw. */
function sayBigint(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

export function noteText(note: Note): string {
  if (typeof note === 'string') return note;
  return note.detail === undefined ? note.label : `${note.label}: ${note.detail}`;
}
