import { Writable } from 'node:stream';

import { writeControl } from './guard-terminal.ts';

/** Standard error as readline needs it, which moves the cursor; as far as the person shall see what they type. */
export class Screen extends Writable {
  isMuted: boolean;
  readonly isTTY = process.stderr.isTTY;
  readonly #resize = (): void => void this.emit('resize');

  constructor({ isMuted = false } = {}) {
    super();
    this.isMuted = isMuted;
    process.stderr.on('resize', this.#resize);
  }

  get columns(): number {
    return process.stderr.columns;
  }

  override _write(text: Buffer, _encoding: string, done: () => void): void {
    if (this.isMuted) done();
    else writeControl(process.stderr, text, () => done());
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    process.stderr.off('resize', this.#resize);
    done(error);
  }
}
