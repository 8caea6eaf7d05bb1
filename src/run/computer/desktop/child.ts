import { type ChildProcess, spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { createConnection } from 'node:net';

import { childEnvironment } from '../../../base/host/environment.ts';
import { WhetstoneError } from '../../../base/host/errors.ts';
import { within } from '../../display/deadline.ts';

/** A program that ends when the process that started it ends, with everything it has started itself. */
export class Child implements AsyncDisposable {
  readonly process: ChildProcess;
  readonly ended: Promise<number | null>;
  hasEnded = false;
  readonly #onExit: () => void;

  private constructor(child: ChildProcess) {
    this.process = child;
    this.ended = new Promise((resolve) => {
      child.once('exit', (code) => {
        this.hasEnded = true;
        resolve(code);
      });
    });
    // Also where this process ends without having ended what it started.
    this.#onExit = () => this.#kill('SIGKILL');
    process.once('exit', this.#onExit);
  }

  static async start(
    program: string,
    words: readonly string[],
    { display, pipes = 0 }: { readonly display?: number; readonly pipes?: number } = {},
  ): Promise<Child> {
    const child = spawn(program, words, {
      // Nothing secret: what runs in a display is in the hands of the model.
      env: childEnvironment(
        ['LC_CTYPE', 'LANGUAGE', 'XAUTHORITY', 'XDG_RUNTIME_DIR'],
        display === undefined ? {} : { DISPLAY: `:${display}` },
      ),
      stdio: ['ignore', 'ignore', 'ignore', ...Array.from({ length: pipes }, () => 'pipe' as const)],
      detached: true,
    });
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', (cause) =>
        reject(
          new WhetstoneError(
            'computer_missing',
            `The program "${program}" cannot be started: it does not exist.`,
            {
              cause,
            },
          ),
        ),
      );
    });
    return new Child(child);
  }

  /** Politely at first, for good a second later. */
  async [Symbol.asyncDispose](): Promise<void> {
    process.removeListener('exit', this.#onExit);
    this.#kill('SIGTERM');
    if (!this.hasEnded) await within(this.ended, 1500);
    this.#kill('SIGKILL');
    if (!this.hasEnded) await within(this.ended, 500);
  }

  #kill(signal: NodeJS.Signals): void {
    const { pid } = this.process;
    if (pid === undefined) return;
    try {
      process.kill(-pid, signal);
    } catch {
      // Nothing of it runs any more.
    }
  }
}

/** What a display that was ended for good could not remove itself; a lock and a socket of another one stay. */
export async function removeRemains(display: number, pid: number | undefined): Promise<void> {
  const lock = `/tmp/.X${display}-lock`;
  const socket = `/tmp/.X11-unix/X${display}`;
  if (Number(await readFile(lock, 'latin1').catch(() => Number.NaN)) === pid) await rm(lock, { force: true });
  if (!(await isServed(socket))) await rm(socket, { force: true });
}

function isServed(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = createConnection(socket);
    connection.once('connect', () => {
      connection.destroy();
      resolve(true);
    });
    connection.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'ECONNREFUSED'));
  });
}
