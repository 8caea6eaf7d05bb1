import { systemClock } from '../../base/host/clock.ts';
import type { Clock } from '../../base/host/clock.ts';
import type { AnyTool } from './contract.ts';

/** What may be started before its first call, and stopped after its last. */
type Living = Pick<AnyTool, 'start' | 'stop'>;

/** Whether a tool must be started before it runs, or stopped when it is no longer used. */
export function hasLife(tool: Living): boolean {
  return tool.start !== undefined || tool.stop !== undefined;
}

const starts = new WeakMap<object, () => unknown>();
/** Each `start` that several tools share, as a sign of the object behind them. */
const owners = new WeakMap<() => unknown, object>();

/** `start` and `stop` for all tools that one object is behind: it lives once, while any of them is in use. */
export function sharedLife(owner: object, life: readonly ('start' | 'stop')[]): Living {
  if (life.length === 0) return {};
  const methods = owner as Living;
  let start = starts.get(owner);
  if (start === undefined) {
    start = () => (life.includes('start') ? methods.start?.() : undefined);
    starts.set(owner, start);
    owners.set(start, owner);
  }
  return { start, ...(life.includes('stop') && { stop: () => methods.stop?.() }) };
}

/** What lives: a tool by itself, or the object behind several. */
function livingOf(tool: AnyTool): object {
  // As a value, to tell whose it is; it is called on its tool.
  const { start } = tool as { readonly start?: () => unknown };
  return (start === undefined ? undefined : owners.get(start)) ?? tool;
}

interface Life {
  readonly starting: Promise<unknown>;
  isStarted: boolean;
  /** Runs that use it now. It is stopped when the last of them ends. */
  users: number;
}

const lives = new WeakMap<object, Life>();

/**
 * The tools that one run, or one program, has in use. A tool starts before its first call and stops when nobody uses
 * it any more, so that runs at the same time share it.
 */
export class ToolUse {
  /** A tool of each that lives. */
  readonly #used = new Map<object, AnyTool>();

  /** Starts a tool, or waits for the start that is under way. One that failed is tried again by the next call. */
  ensureStarted(tool: AnyTool): Promise<unknown> {
    const living = livingOf(tool);
    let life = lives.get(living);
    if (life === undefined) {
      const starting = Promise.resolve().then(() => tool.start?.());
      const begun: Life = { starting, isStarted: false, users: 0 };
      begun.starting.then(
        () => (begun.isStarted = true),
        () => {
          lives.delete(living);
          this.#used.delete(living);
        },
      );
      lives.set(living, begun);
      life = begun;
    }
    if (!this.#used.has(living)) {
      this.#used.set(living, tool);
      life.users++;
    }
    return life.starting;
  }

  /**
   * Lets go of all of them; stops those that nobody else uses, every one even if another throws. One that does not
   * stop, or has not even started, is left behind: it must not hold up who is done.
   */
  async release(
    clock: Clock = systemClock,
    onFault: (tool: AnyTool, cause: unknown) => void = rethrow,
  ): Promise<void> {
    if (this.#used.size === 0) return;
    const stops: Promise<unknown>[] = [];
    const tools: AnyTool[] = [];
    for (const [living, tool] of this.#used) {
      const life = lives.get(living);
      if (life === undefined || --life.users > 0) continue;
      lives.delete(living);
      const stopped = life.starting.then(() => tool.stop?.());
      if (life.isStarted) {
        stops.push(stopped);
        tools.push(tool);
      } else stopped.catch(() => undefined);
    }
    this.#used.clear();
    const over = Promise.withResolvers<PromiseSettledResult<unknown>[]>();
    const stopTimer = clock.after(patienceMs, () => over.resolve([]), { keepAlive: true });
    const ended = await Promise.race([Promise.allSettled(stops), over.promise]);
    stopTimer();
    for (const [index, stop] of ended.entries()) {
      if (stop.status === 'rejected') onFault(tools[index] as AnyTool, stop.reason);
    }
  }
}

const patienceMs = 10_000;

function rethrow(_tool: AnyTool, cause: unknown): never {
  throw cause;
}

/** What a program uses outside any run. */
export const programUse = new ToolUse();
