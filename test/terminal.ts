import { spawn, spawnSync } from 'node:child_process';

import { systemClock } from '../src/base/host/clock.ts';

/** A program that shows nothing for so long has gone wrong: what it showed is told. */
const patienceMs = 8_000;

/** Puts a program on a terminal of its own: Node cannot make one, the Python of most machines can. */
const program = `
import fcntl, os, pty, select, struct, sys, termios
columns, rows = int(sys.argv[1]), int(sys.argv[2])
child, terminal = pty.fork()
if child == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack('HHHH', rows, columns, 0, 0))
    os.execvp(sys.argv[3], sys.argv[3:])
open_in = True
while True:
    ready, _, _ = select.select([terminal] + ([0] if open_in else []), [], [])
    if 0 in ready:
        typed = os.read(0, 65536)
        if typed: os.write(terminal, typed)
        else: open_in = False
    if terminal in ready:
        try: shown = os.read(terminal, 65536)
        except OSError: break
        if not shown: break
        os.write(1, shown)
_, status = os.waitpid(child, 0)
sys.exit(os.waitstatus_to_exitcode(status) & 255)
`;

/** What a person's terminal says of itself; a machine that builds says other things, and is shown other colours. */
const asAtHome: NodeJS.ProcessEnv = {
  TERM: 'xterm-256color',
  CI: undefined,
  NO_COLOR: undefined,
  FORCE_COLOR: undefined,
  NODE_DISABLE_COLORS: undefined,
  NODE_TEST_CONTEXT: undefined,
};

/** Whether this machine can make a terminal for a program. */
export function hasTerminal(): boolean {
  return spawnSync('python3', ['-c', 'import pty, termios']).status === 0;
}

/** A program on a terminal: what it shows, and keys for it. Disposed of, it is hung up on. */
export interface Terminal extends Disposable {
  /** Everything shown so far, escapes and all. */
  readonly shown: string;
  type(keys: string): void;
  /** Waits until something is shown behind what was waited for before; gives what came up to it. */
  until(what: string | RegExp): Promise<string>;
  readonly exit: Promise<number | null>;
}

export function onTerminal(
  command: readonly string[],
  options: { readonly columns?: number; readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Terminal {
  const args = ['-c', program, String(options.columns ?? 80), '24', ...command];
  const child = spawn('python3', args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    cwd: options.cwd,
    env: { ...process.env, ...asAtHome, ...options.env },
  });
  let shown = '';
  let seen = 0;
  let ended = false;
  const waiting = new Set<() => void>();
  const wake = (): void => [...waiting].forEach((each) => each());
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
    wake();
  });
  child.stdin.on('error', () => undefined);
  const exit = new Promise<number | null>((resolve) => {
    child.on('close', (code) => {
      ended = true;
      wake();
      resolve(code);
    });
  });
  return {
    get shown() {
      return shown;
    },
    type: (keys) => void child.stdin.write(keys),
    until: (what) =>
      new Promise((resolve, reject) => {
        const stopTimer = systemClock.after(patienceMs, () => {
          waiting.delete(look);
          reject(
            new Error(`${String(what)} was not shown; it showed:\n${JSON.stringify(shown.slice(seen))}`),
          );
        });
        const look = (): void => {
          const rest = shown.slice(seen);
          const at = typeof what === 'string' ? rest.indexOf(what) : rest.search(what);
          if (at < 0 && !ended) return;
          waiting.delete(look);
          stopTimer();
          if (at < 0)
            return reject(new Error(`The program ended before it showed ${String(what)}:\n${shown}`));
          const length = typeof what === 'string' ? what.length : (what.exec(rest)?.[0].length ?? 0);
          seen += at + length;
          resolve(rest.slice(0, at + length));
        };
        waiting.add(look);
        look();
      }),
    exit,
    [Symbol.dispose]: () => void child.kill('SIGKILL'),
  };
}
