import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';

import { childEnvironment } from '../../../base/host/environment.ts';
import { WhetstoneError } from '../../../base/host/errors.ts';
import { within } from '../../display/deadline.ts';

/** A program that ends with whoever started it, with all that it has started itself. */
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
            `The program "${program}" cannot be started: it is not there.`,
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

/** What a display that was ended for good could not remove itself; a lock of another one stays. */
export function removeLock(display: number, pid: number | undefined): void {
  const lock = `/tmp/.X${display}-lock`;
  try {
    if (Number(readFileSync(lock, 'latin1')) !== pid) return;
    rmSync(lock, { force: true });
    rmSync(`/tmp/.X11-unix/X${display}`, { force: true });
  } catch {
    // It has removed it.
  }
}
