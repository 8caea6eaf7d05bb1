import type { AnyTool } from './contract.ts';

interface Life {
  readonly starting: Promise<unknown>;
  /** Runs that use it now. It is stopped when the last of them ends. */
  users: number;
}

const lives = new WeakMap<AnyTool, Life>();

/**
 * The tools that one run, or one program, has in use. A tool starts before its first call and stops when nobody uses
 * it any more, so that runs beside each other share it.
 */
export class ToolUse {
  readonly #used = new Set<AnyTool>();

  /** Starts a tool, or waits for the start that is under way. One that failed is tried again by the next call. */
  ensureStarted(tool: AnyTool): Promise<unknown> {
    let life = lives.get(tool);
    if (life === undefined) {
      life = { starting: Promise.resolve().then(() => tool.start?.()), users: 0 };
      lives.set(tool, life);
      life.starting.catch(() => {
        lives.delete(tool);
        this.#used.delete(tool);
      });
    }
    if (!this.#used.has(tool)) {
      this.#used.add(tool);
      life.users++;
    }
    return life.starting;
  }

  /** Lets go of all of them; stops those that nobody else uses, every one even if another throws. */
  async release(): Promise<void> {
    if (this.#used.size === 0) return;
    const stops: Promise<unknown>[] = [];
    for (const tool of this.#used) {
      const life = lives.get(tool);
      if (life === undefined || --life.users > 0) continue;
      lives.delete(tool);
      stops.push(life.starting.then(() => tool.stop?.()));
    }
    this.#used.clear();
    const failed = (await Promise.allSettled(stops)).find((stop) => stop.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }
}

/** What a program uses outside any run. */
export const programUse = new ToolUse();
