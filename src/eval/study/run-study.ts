import type { Cell } from '../suite/cells.ts';
import type { StudyLog, StudyResult } from './study-log.ts';

/** A cell that could not be played, after it was tried so often. */
export interface StudyFault {
  readonly key: string;
  readonly message: string;
}

export interface RunStudyOptions {
  /** Plays one cell to its end; throws where the infrastructure failed, and not the player. */
  readonly play: (cell: Cell) => Promise<StudyResult>;
  readonly concurrency: number;
  /** How often a cell is tried in all. */
  readonly attempts?: number;
  /** Hears of each cell that was played. */
  readonly onResult?: (result: StudyResult) => void;
  readonly signal?: AbortSignal;
}

/**
 * Plays every cell that the log does not have, so many at once, and writes each down as it ends. What the world did
 * wrong is tried again, and told apart: it is no result, and the next run tries it again.
 */
export async function runStudy(
  cells: readonly Cell[],
  log: StudyLog,
  { play, concurrency, attempts = 3, onResult, signal }: RunStudyOptions,
): Promise<readonly StudyFault[]> {
  const waiting = cells.filter(({ key }) => !log.has(key)).values();
  const faults: StudyFault[] = [];
  const playInTurn = async (): Promise<void> => {
    for (const cell of waiting) {
      if (signal?.aborted === true) return;
      const played = await tryCell(cell, play, attempts);
      if ('message' in played) faults.push(played);
      else {
        log.add(played);
        onResult?.(played);
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, playInTurn));
  return faults;
}

async function tryCell(
  cell: Cell,
  play: RunStudyOptions['play'],
  attempts: number,
): Promise<StudyResult | StudyFault> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await play(cell);
    } catch (error) {
      if (attempt >= attempts)
        return { key: cell.key, message: error instanceof Error ? error.message : String(error) };
    }
  }
}
