import { fdatasync, fdatasyncSync } from 'node:fs';

import { WhetstoneError } from '../../../base/host/errors.ts';

/** How a file is synced to the disk: on another thread, or while this one waits. */
export interface Disk {
  readonly sync: (file: number, done: (error: Error | null) => void) => void;
  readonly syncNow: (file: number) => void;
}

const systemDisk: Disk = { sync: fdatasync, syncNow: fdatasyncSync };

type Done = (failure?: unknown) => void;

/**
 * Waits for the disk on a thread of Node's pool, so that this one plays the next turns meanwhile. One sync runs at a
 * time and takes all that was written before it began; what is written while it runs goes with the next. Once a sync
 * has failed nobody knows what of the file is on disk, and nothing is acknowledged any more.
 */
export class DiskSync {
  readonly #file: number | undefined;
  readonly #place: string;
  readonly #disk: Disk;
  #waiting: Done[] = [];
  #busy = false;
  #failure: unknown;

  /** Without a file there is nothing to wait for. */
  constructor(file: number | undefined, place: string, disk: Disk = systemDisk) {
    this.#file = file;
    this.#place = place;
    this.#disk = disk;
  }

  get failure(): unknown {
    return this.#failure;
  }

  /** Whether somebody waits. */
  get busy(): boolean {
    return this.#busy;
  }

  /** Calls back once all that was written before is on disk, or with the reason why it never will be. */
  reach(done: Done): void {
    if (this.#file === undefined || this.#failure !== undefined) return done(this.#failure);
    this.#waiting.push(done);
    if (!this.#busy) this.#start(this.#file);
  }

  /** The same at once, for who is alone: the way to another thread and back takes as long as a quick disk. */
  reachNow(done: Done): void {
    if (this.#busy || this.#file === undefined || this.#failure !== undefined) return this.reach(done);
    try {
      this.#disk.syncNow(this.#file);
    } catch (error) {
      this.#failure = failed(this.#place, error);
    }
    done(this.#failure);
  }

  reached(): Promise<void> {
    return new Promise((resolve, reject) =>
      this.reach((failure) => (failure === undefined ? resolve() : reject(failure as Error))),
    );
  }

  #start(file: number): void {
    const written = this.#waiting;
    this.#waiting = [];
    this.#busy = true;
    this.#disk.sync(file, (error) => {
      if (error !== null) this.#failure = failed(this.#place, error);
      this.#busy = false;
      if (this.#failure !== undefined) written.push(...this.#waiting.splice(0));
      else if (this.#waiting.length > 0) this.#start(file);
      for (const done of written) done(this.#failure);
    });
  }
}

function failed(place: string, cause: unknown): WhetstoneError {
  return new WhetstoneError(
    'store_unavailable',
    `The store ${place} cannot be used until it is opened again: the disk failed.`,
    { details: { place, reason: 'the disk failed' }, cause },
  );
}
