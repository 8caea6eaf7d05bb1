import { systemClock } from '../../../base/host/clock.ts';
import { isWhetstoneError, WhetstoneError } from '../../../base/host/errors.ts';
import type { Task } from '../../scenario/task.ts';
import type { CallOutcome, TranscriptTurn, TurnCall, TurnMessage } from '../../scenario/transcript.ts';
import type { PlayState } from '../../scenario/play-state.ts';
import { answeredAtOnce } from '../world.ts';
import { PageScene } from './page-scene.ts';

/** A turn that is about to be played, where the world is a page. */
export interface PageTurn {
  /** Whose page it is: an episode's id. */
  readonly id: string;
  readonly task: Task;
  /** The turns before it. */
  readonly turns: readonly TranscriptTurn[];
  readonly state: Pick<PlayState, 'calls'>;
  readonly messages: readonly TurnMessage[];
}

export interface PageStageOptions {
  /** How many browsers may be open at once; 2 unless told. */
  readonly most?: number;
}

const idleMs = 30_000;

/**
 * Does in browsers what is called for on pages. It holds nothing that a transcript does not: a page that is not open any
 * more is opened again, and what was done on it before is done again.
 */
export class PageStage implements AsyncDisposable {
  readonly #most: number;
  /** Whoever was used last is last. */
  #scenes: PageScene[] = [];
  readonly #busy = new Map<PageScene, Promise<void>>();
  #stopIdling: (() => void) | undefined;

  constructor({ most = 2 }: PageStageOptions = {}) {
    this.#most = most;
  }

  /** What came of each call of a turn on the page, in the order of the calls; undefined where the world is not a page. */
  async act(turn: PageTurn): Promise<readonly (CallOutcome | undefined)[] | undefined> {
    const { id, task, turns, state, messages } = turn;
    if (task.page === undefined) return undefined;
    const calls = messages.flatMap((each) => (each.role === 'assistant' ? (each.toolCalls ?? []) : []));
    if (!calls.some((call) => reachesPage(task, call, state.calls))) return [];
    const scene = await this.#take(id);
    const end = Promise.withResolvers<void>();
    this.#busy.set(scene, end.promise);
    try {
      await scene.bring(id, task.page, doneBefore(turns));
      const earlier: Pick<PlayState['calls'][number], 'name'>[] = [...state.calls];
      const outcomes: (CallOutcome | undefined)[] = [];
      for (const call of calls) {
        outcomes.push(reachesPage(task, call, earlier) ? await scene.act(call) : undefined);
        earlier.push(call);
      }
      return outcomes;
    } catch (error) {
      await this.#drop(scene);
      throw asFault(error, task);
    } finally {
      this.#busy.delete(scene);
      end.resolve();
      this.#idle();
    }
  }

  /** Throws, in one sentence, where no page can be shown here. */
  async mustBeReady(task: Task): Promise<void> {
    if (task.page === undefined) return;
    try {
      await PageScene.mustBePossible();
    } catch (error) {
      throw asFault(error, task);
    }
  }

  /** The browser that shows the page already, else one that is free, else a new one. */
  async #take(id: string): Promise<PageScene> {
    for (;;) {
      const free = this.#scenes.filter((scene) => !this.#busy.has(scene));
      const own = free.find((scene) => scene.id === id);
      const isFull = this.#scenes.length >= this.#most;
      const scene = own ?? (isFull ? free[0] : undefined);
      if (scene !== undefined) {
        this.#scenes = [...this.#scenes.filter((each) => each !== scene), scene];
        return scene;
      }
      if (!isFull) {
        const opened = new PageScene();
        this.#scenes.push(opened);
        return opened;
      }
      await Promise.race(this.#busy.values());
    }
  }

  async #drop(scene: PageScene): Promise<void> {
    this.#scenes = this.#scenes.filter((each) => each !== scene);
    await scene[Symbol.asyncDispose]();
  }

  /** Browsers that nobody uses for a while are ended. */
  #idle(): void {
    this.#stopIdling?.();
    this.#stopIdling = systemClock.after(idleMs, () => {
      if (this.#busy.size === 0) void this[Symbol.asyncDispose]();
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopIdling?.();
    const scenes = this.#scenes;
    this.#scenes = [];
    await Promise.all(scenes.map((scene) => scene[Symbol.asyncDispose]()));
  }
}

function reachesPage(task: Task, call: TurnCall, earlier: Parameters<typeof answeredAtOnce>[2]): boolean {
  return task.functions[call.name]?.page === true && answeredAtOnce(task, call, earlier) === undefined;
}

/** The calls that were done on the page in earlier turns. */
function doneBefore(turns: readonly TranscriptTurn[]): readonly TurnCall[] {
  return turns.flatMap(({ messages, outcomes }) =>
    messages
      .flatMap((each) => (each.role === 'assistant' ? (each.toolCalls ?? []) : []))
      .filter((_, index) => outcomes[index]?.page !== undefined),
  );
}

function asFault(error: unknown, { reference }: Task): unknown {
  if (!isWhetstoneError(error)) return error;
  const { collection, scenario } = reference;
  const message = `The world of ${collection}/${scenario} is a page, and it cannot be shown: ${error.message}`;
  return new WhetstoneError('page_not_shown', message, { cause: error });
}
