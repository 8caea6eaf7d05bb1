import type { Readable } from 'node:stream';

import { systemClock } from '../../base/host/clock.ts';

/** How a program ended, and what it printed. */
export interface ProgramEnd {
  /** `null`: a signal ended it. */
  readonly code: number | null;
  readonly signal: string | null;
  readonly output: string;
  readonly errors: string;
}

export interface ProgramOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  readonly stdin?: string;
  /** Ends the program and all it has started: politely at first, for good two seconds later. */
  readonly signal?: AbortSignal;
}

/** More than this is read, so that the program does not block, and thrown away. */
const mostKept = 4_000_000;
const graceMs = 2000;
/** For what is still in its pipes when a program has ended. */
const outputGraceMs = 500;

/** Runs a program to its end. Rejects only where it cannot be started, or was ended by the signal. */
export async function runProgram(path: string, options: ProgramOptions): Promise<ProgramEnd> {
  const { spawn } = await import('node:child_process');
  const { signal } = options;
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const child = spawn(path, options.args ?? [], {
      cwd: options.cwd,
      env: options.env,
      stdio: ['pipe', 'pipe', 'pipe'],
      // A group of its own, so that what it starts can be ended with it.
      detached: true,
    });
    const output = keep(child.stdout);
    const errors = keep(child.stderr);
    let stopKilling: (() => void) | undefined;
    let stopWaiting: (() => void) | undefined;
    const onAbort = (): void => {
      end(child.pid, 'SIGTERM');
      stopKilling = systemClock.after(graceMs, () => end(child.pid, 'SIGKILL'));
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    child.on('error', (error: NodeJS.ErrnoException) => {
      const why = 'it could not be started: the program named in its first line does not exist';
      reject(error.code === 'ENOENT' ? new Error(`${path}: ${why}.`, { cause: error }) : error);
    });
    // What it has started may hold its output open for ever; the program itself has ended.
    child.on('exit', () => {
      stopWaiting = systemClock.after(outputGraceMs, () => {
        child.stdout.destroy();
        child.stderr.destroy();
      });
    });
    // A program that does not read its arguments closes the pipe: that is its right.
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.stdin ?? '');
    child.on('close', (code, killedBy) => {
      signal?.removeEventListener('abort', onAbort);
      stopKilling?.();
      stopWaiting?.();
      if (signal?.aborted === true) reject(signal.reason as Error);
      else resolve({ code, signal: killedBy, output: output(), errors: errors() });
    });
  });
}

function end(pid: number | undefined, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // It has ended by itself meanwhile.
  }
}

function keep(stream: Readable): () => string {
  const chunks: Buffer[] = [];
  let kept = 0;
  let lost = 0;
  stream.on('data', (chunk: Buffer) => {
    const room = Math.max(0, mostKept - kept);
    if (room > 0) chunks.push(chunk.subarray(0, room));
    kept += Math.min(room, chunk.length);
    lost += Math.max(0, chunk.length - room);
  });
  return () => {
    const text = new TextDecoder().decode(Buffer.concat(chunks));
    return lost === 0 ? text : `${text}\n[… ${lost} more bytes were not kept …]`;
  };
}
