/** One line of the log: never a body, a key, or what a scenario hides. */
export type LogLine = Readonly<Record<string, string | number | boolean | undefined>>;

export type Log = (level: 'info' | 'warn' | 'error', event: string, line: LogLine) => void;

/** A log of JSON lines. */
export function jsonLog(write: (text: string) => void, now: () => number): Log {
  return (level, event, line) =>
    write(`${JSON.stringify({ time: new Date(now()).toISOString(), level, event, ...line })}\n`);
}

export const noLog: Log = () => {};
