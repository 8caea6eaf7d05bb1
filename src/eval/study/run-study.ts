import type { Cell } from '../suite/cells.ts';
import type { Budget } from '../suite/suite.ts';
import { faultOf } from './fault.ts';
import { addSpent, nothingSpent, type Spent } from './player-model.ts';
import type { LoggedFault, StudyLog } from './study-log.ts';
import { judgeFaultOf, type StudyResult } from './study-result.ts';

/** A cell that could not be played, after it was tried so often; a try that failed. */
export type StudyFault = LoggedFault;

/** What is said to a study while it runs. */
export interface StudyControl {
  readonly paused: boolean;
  /** What a player may use up from now on, by its name. */
  readonly limits: Readonly<Record<string, Budget>>;
  /** Cells whose results are taken back. */
  readonly requeue: readonly string[];
}

export interface RunStudyOptions {
  /** Plays one cell to its end; throws where the infrastructure failed, and not the player. */
  readonly play: (cell: Cell) => Promise<StudyResult>;
  readonly concurrency: number;
  /** How often a cell is tried in all. */
  readonly attempts?: number;
  /** Hears of each cell that was played. */
  readonly onResult?: (result: StudyResult) => void;
  /** Hears of every try that failed for reasons of the infrastructure. */
  readonly onFault?: (fault: StudyFault) => void;
  /** Asked before each cell: one that is not needed any more is left out. */
  readonly isNeeded?: (cell: Cell) => boolean;
  /** Asked before each cell. */
  readonly control?: () => StudyControl;
  /** Resolves when the control should be asked again, while the study is paused. */
  readonly changed?: () => Promise<void>;
  readonly signal?: AbortSignal;
}

export interface StudyRun {
  readonly faults: readonly StudyFault[];
  /** Cells that wait because their player has used up what it may. */
  readonly held: readonly Cell[];
}

/**
 * Plays every cell that the log does not have, several at once, and writes each down as it ends. What the world did
 * wrong is tried again, and reported separately: it is not a result, and the next run tries it again.
 */
export async function runStudy(
  cells: readonly Cell[],
  log: StudyLog,
  { play, concurrency, attempts = 3, onResult, onFault, ...rest }: RunStudyOptions,
): Promise<StudyRun> {
  const waiting = new Waiting(cells, log, rest);
  const faults: StudyFault[] = [];
  const noteFault = (fault: StudyFault): void => {
    log.addFault(fault);
    onFault?.(fault);
  };
  const playInTurn = async (): Promise<void> => {
    for (;;) {
      const cell = await waiting.next();
      if (cell === undefined) return;
      const played = await tryCell(cell, { play, attempts, onFault: noteFault });
      if ('kind' in played) {
        faults.push(played);
        continue;
      }
      log.add(played);
      waiting.count(played);
      const judgeFault = judgeFaultOf(played);
      if (judgeFault === undefined) onResult?.(played);
      else {
        const fault = faultIn(cell, { side: 'judge', kind: 'judge', message: judgeFault });
        noteFault(fault);
        faults.push(fault);
      }
    }
  };
  try {
    await Promise.all(Array.from({ length: concurrency }, playInTurn));
  } catch (error) {
    waiting.stop();
    throw error;
  }
  return { faults, held: waiting.held };
}

async function tryCell(
  cell: Cell,
  { play, attempts, onFault }: Required<Pick<RunStudyOptions, 'play' | 'attempts' | 'onFault'>>,
): Promise<StudyResult | StudyFault> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await play(cell);
    } catch (error) {
      const { side, kind, message, world, access } = faultOf(error);
      const fault = faultIn(cell, { side, kind, message });
      onFault(fault);
      if (attempt >= attempts || access || !world) return fault;
    }
  }
}

function faultIn(
  { key, player }: Cell,
  { side, kind, message }: Pick<LoggedFault, 'side' | 'kind' | 'message'>,
): StudyFault {
  return { key, player: player.name, side, kind, message: message.slice(0, 500) };
}

type WaitingOptions = Pick<RunStudyOptions, 'control' | 'changed' | 'signal' | 'isNeeded'>;

/** The cells that are still to be played, in their order, as far as control and limits let them. */
class Waiting {
  readonly #log: StudyLog;
  readonly #options: WaitingOptions;
  readonly #byKey: ReadonlyMap<string, Cell>;
  readonly #spent = new Map<string, Spent>();
  #queue: Cell[];
  #at = 0;
  #held: Cell[] = [];
  #stopped = false;

  constructor(cells: readonly Cell[], log: StudyLog, options: WaitingOptions) {
    this.#log = log;
    this.#options = options;
    this.#byKey = new Map(cells.map((cell) => [cell.key, cell]));
    this.#queue = cells.filter(({ key }) => !log.has(key));
    if (cells.some(({ player }) => 'model' in player)) for (const result of log.results()) this.count(result);
  }

  get held(): readonly Cell[] {
    return this.#held;
  }

  stop(): void {
    this.#stopped = true;
  }

  count({ player, spent }: StudyResult): void {
    if (spent !== undefined)
      this.#spent.set(player, addSpent(this.#spent.get(player) ?? nothingSpent, spent));
  }

  async next(): Promise<Cell | undefined> {
    const { control, changed, signal, isNeeded } = this.#options;
    for (;;) {
      if (this.#stopped || signal?.aborted === true) return undefined;
      const said = control?.();
      this.#requeue(said?.requeue ?? []);
      if (said?.paused === true && changed !== undefined) {
        await changed();
        continue;
      }
      const limits = said?.limits ?? {};
      this.#release(limits);
      const cell = this.#queue[this.#at++];
      if (cell === undefined) {
        this.#at = this.#queue.length;
        return undefined;
      }
      if (isNeeded?.(cell) === false) continue;
      if (!this.#isSpent(cell, limits)) return cell;
      this.#held.push(cell);
    }
  }

  #requeue(keys: readonly string[]): void {
    for (const key of keys) {
      const cell = this.#byKey.get(key);
      if (cell === undefined || !this.#log.has(key)) continue;
      this.#log.requeue(key);
      this.#queue.push(cell);
    }
  }

  /** A limit that was raised lets its cells go. */
  #release(limits: StudyControl['limits']): void {
    const isHeld = (cell: Cell) => this.#isSpent(cell, limits);
    if (this.#held.every(isHeld)) return;
    this.#queue.push(...this.#held.filter((cell) => !isHeld(cell)));
    this.#held = this.#held.filter(isHeld);
  }

  #isSpent({ player }: Cell, limits: StudyControl['limits']): boolean {
    if (!('model' in player)) return false;
    const limit = { ...player.limits, ...limits[player.name] };
    const { requests, tokens, cost = 0 } = this.#spent.get(player.name) ?? nothingSpent;
    return (
      requests >= (limit.requests ?? Infinity) ||
      tokens >= (limit.tokens ?? Infinity) ||
      cost >= (limit.cost ?? Infinity)
    );
  }
}
