import { sleep, systemClock } from '../../../base/host/clock.ts';
import { isWhetstoneError, WhetstoneError } from '../../../base/host/errors.ts';
import type { Cell } from '../../suite/cells.ts';
import { faultOf } from '../fault.ts';
import type { StudyFault } from '../run-study.ts';
import { judgeFaultOf, type StudyResult } from '../study-result.ts';
import { type Claim, heartbeatSeconds, mostDeaths } from './queue.ts';
import type { SharedStudy, StudyCounts } from './shared-study.ts';

export interface WorkStudyOptions {
  /** Plays one cell to its end; throws where the infrastructure failed, and not the player. */
  readonly play: (cell: Cell) => Promise<StudyResult>;
  readonly concurrency: number;
  /** How often a cell is tried in all, by any worker. */
  readonly attempts?: number;
  /** Hears now and then how far all workers are. */
  readonly onProgress?: (counts: StudyCounts) => void;
}

const idleMs = 500;
const progressMs = 5000;
/** So long a result waits for a database that is away. By then its cell has been given to another worker. */
const patienceMs = 60_000;

/** Plays cells of a shared study, several at once, until all of it has been played or given up, by whichever worker. */
export async function workStudy(
  cells: readonly Cell[],
  study: SharedStudy,
  { concurrency, onProgress, ...options }: WorkStudyOptions,
): Promise<StudyCounts> {
  const hand = new Hand(cells, study, options);
  let told = -Infinity;
  try {
    for (;;) {
      const free = concurrency - hand.size;
      const claims = free === 0 ? [] : await whileAway(() => study.take(free));
      for (const claim of claims) hand.begin(claim);
      const isIdle = hand.size === 0;
      if (isIdle || systemClock.monotonic() - told > progressMs) {
        const counts = await whileAway(() => study.counts());
        if (isIdle && counts.open === 0) return counts;
        told = systemClock.monotonic();
        onProgress?.(counts);
      }
      await hand.next(claims.length < free ? idleMs : undefined);
    }
  } finally {
    await hand[Symbol.asyncDispose]();
  }
}

/** The cells that this worker is playing. */
class Hand implements AsyncDisposable {
  readonly #byKey: ReadonlyMap<string, Cell>;
  readonly #study: SharedStudy;
  readonly #options: Pick<WorkStudyOptions, 'play' | 'attempts'>;
  readonly #playing = new Map<Claim, Promise<void>>();
  #stopHeart: () => void;
  #broken: Error | undefined;

  constructor(
    cells: readonly Cell[],
    study: SharedStudy,
    options: Pick<WorkStudyOptions, 'play' | 'attempts'>,
  ) {
    this.#byKey = new Map(cells.map((cell) => [cell.key, cell]));
    this.#study = study;
    this.#options = options;
    this.#stopHeart = this.#beat();
  }

  get size(): number {
    return this.#playing.size;
  }

  begin(claim: Claim): void {
    const played = this.#play(claim)
      .catch((error: Error) => void (this.#broken ??= error))
      .then(() => void this.#playing.delete(claim));
    this.#playing.set(claim, played);
  }

  /** Waits until one of them ends, or so long. */
  async next(ms: number | undefined): Promise<void> {
    const waits = [...this.#playing.values()];
    await Promise.race(ms === undefined ? waits : [...waits, sleep(ms)]);
    if (this.#broken !== undefined) throw this.#broken;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#playing.values());
    this.#stopHeart();
  }

  /** Says again and again that they are still being played. */
  #beat(): () => void {
    return systemClock.after((heartbeatSeconds * 1000) / 3, () => {
      this.#study.touch([...this.#playing.keys()]).catch(() => undefined);
      this.#stopHeart = this.#beat();
    });
  }

  async #play(claim: Claim): Promise<void> {
    const { key } = claim.data;
    const cell = this.#byKey.get(key);
    if (cell === undefined)
      throw new WhetstoneError(
        'study_mismatch',
        `Another worker queued the cell ${key}, which this suite does not have. Start every worker with the same suite and the same options.`,
      );
    const { name: player } = cell.player;
    const giveBack = (fault: Omit<StudyFault, 'key' | 'player'>, attempts = 3) =>
      whileAway(() => this.#study.fail(claim, { key, player, ...fault }, attempts), patienceMs);
    if (claim.retryCount >= mostDeaths) {
      const message = `${mostDeaths} workers ended while they played it.`;
      await giveBack({ side: 'infrastructure', kind: 'worker', message }, 1);
      return;
    }
    let result: StudyResult;
    try {
      result = await this.#options.play(cell);
    } catch (error) {
      const { side, kind, message, world, access } = faultOf(error);
      await giveBack({ side, kind, message }, access || !world ? 1 : this.#options.attempts);
      return;
    }
    const judgeFault = judgeFaultOf(result);
    if (judgeFault === undefined) await whileAway(() => this.#study.settle(claim, result), patienceMs);
    else await giveBack({ side: 'judge', kind: 'judge', message: judgeFault }, this.#options.attempts);
  }
}

/** Asks again while the database does not answer. */
async function whileAway<Answer>(work: () => Promise<Answer>, ms = Infinity): Promise<Answer> {
  const until = systemClock.monotonic() + ms;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const isAway = isWhetstoneError(error) && error.code === 'store_unavailable';
      if (!isAway || systemClock.monotonic() > until) throw error;
      await sleep(idleMs);
    }
  }
}
