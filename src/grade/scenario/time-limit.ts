import { createContext, Script } from 'node:vm';

/** What ran longer than it may: written by a scenario's author, it would hold up a server for ever. */
export class TookTooLong extends Error {
  constructor(limitMs: number) {
    super(`it did not end within ${limitMs / 1000} s; ${hint}`);
  }
}

const hint = 'perhaps it loops for ever';

/** Whether that is what a message says was wrong. */
export function saysTooLong(message: string): boolean {
  return message.includes(hint);
}

/**
 * Runs what does not wait, and stops it where it takes too long, expressions too. It runs as if it were called; a
 * script is only what Node can stop. This costs a thread, 0.1 to 0.4 ms, so it is for what others have written.
 */
export function withinTime<Result>(limitMs: number, work: () => Result): Result {
  const room = (known ??= createContext({ work: undefined }));
  const before = room['work'] as unknown;
  room['work'] = work;
  try {
    return call.runInContext(room, { timeout: limitMs }) as Result;
  } catch (error) {
    const { code } = (error ?? {}) as { readonly code?: unknown };
    throw code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' ? new TookTooLong(limitMs) : error;
  } finally {
    room['work'] = before;
  }
}

const call = new Script('work()');
let known: ReturnType<typeof createContext> | undefined;
