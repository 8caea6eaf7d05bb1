/** One line of the log: never a body, a key, or what a scenario hides, unless its broken world or a fault of its files says it. */
export type LogLine = Readonly<Record<string, string | number | boolean | undefined>>;

export type Log = (level: 'info' | 'warn' | 'error', event: string, line: LogLine) => void;

/** A log of JSON lines. */
export function jsonLog(write: (text: string) => void, now: () => number): Log {
  return (level, event, line) =>
    write(`${JSON.stringify({ time: new Date(now()).toISOString(), level, event, ...line })}\n`);
}

/** Writes what came in one round of the event loop at once: a write a line costs a request more than its routing does. */
export function writeByRound(write: (text: string) => void): (text: string) => void {
  let waiting = '';
  const flush = (): void => {
    if (waiting !== '') write(waiting);
    waiting = '';
  };
  // What was written in the last round must not be lost with the process.
  process.on('exit', flush);
  return (text) => {
    if (waiting === '') setImmediate(flush);
    waiting += text;
  };
}

export const noLog: Log = () => {};
