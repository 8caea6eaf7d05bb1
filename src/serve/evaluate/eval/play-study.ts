import { systemClock } from '../../../base/host/clock.ts';
import { addSpent, nothingSpent } from '../../../eval/study/player-model.ts';
import type { FaultSide } from '../../../eval/study/fault.ts';
import { runStudy } from '../../../eval/study/run-study.ts';
import type { StudyLog } from '../../../eval/study/study-log.ts';
import type { StudyResult } from '../../../eval/study/study-result.ts';
import { type PlayerSummary, summarize } from '../../../eval/study/summary.ts';
import type { Cell } from '../../../eval/suite/cells.ts';
import { ControlFile } from './control-file.ts';
import { playCell, type PlayCellOptions } from './play-cell.ts';
import { faultsText, progressText } from './print-study.ts';

export interface PlayStudyOptions extends Omit<PlayCellOptions, 'before'> {
  readonly folder: string;
  readonly log: StudyLog;
  readonly concurrency: number;
  readonly isNeeded?: (cell: Cell) => boolean;
  readonly onResult?: (result: StudyResult) => void;
  /** Hears of the progress. */
  readonly say: (line: string) => void;
}

/** How long a paused study waits before it looks whether it may go on. */
const pauseMs = 250;

/** Plays the cells that the log does not have, and tells how it goes. True when all have been played. */
export async function playStudy(
  cells: readonly Cell[],
  { folder, log, concurrency, say, isNeeded, onResult, ...options }: PlayStudyOptions,
): Promise<boolean> {
  const control = new ControlFile(folder);
  const before = cells.filter(({ key }) => log.has(key)).length;
  if (before > 0) say(`${before} were played before and are kept.`);
  const started = systemClock.monotonic();
  const step = Math.max(1, Math.floor(cells.length / 10));
  const failed = new Map<string, number>();
  let played = 0;
  let spent = nothingSpent;
  let isPaused = false;
  const { faults, held } = await runStudy(cells, log, {
    concurrency,
    ...(isNeeded !== undefined && { isNeeded }),
    play: (cell) => playCell(cell, { ...options, before: log.last(cell.key) }),
    onResult: (result) => {
      onResult?.(result);
      played++;
      if (result.spent !== undefined) spent = addSpent(spent, result.spent);
      const done = before + played;
      const ms = systemClock.monotonic() - started;
      if (done % step === 0) say(progressText({ done, of: cells.length, played, ms, spent, faults: failed }));
    },
    onFault: ({ side, kind }) => {
      const name = side === 'infrastructure' || side === kind ? kind : `${side}: ${kind}`;
      failed.set(name, (failed.get(name) ?? 0) + 1);
    },
    control: () => {
      const said = control.take();
      if (said.paused !== isPaused) say(said.paused ? 'Paused.' : 'Going on.');
      isPaused = said.paused;
      return said;
    },
    changed: () =>
      new Promise((resolve) => {
        systemClock.after(pauseMs, resolve, { keepAlive: true });
      }),
  });
  const all = faultCounts(log);
  if (Object.values(all).some((count) => count > 0))
    say(
      `Tries that failed for reasons outside the players, since the study began: ${faultsText(new Map(Object.entries(all)))}.${failed.size === 0 ? '' : ` Now: ${faultsText(failed)}.`}`,
    );
  for (const [kind, alike] of Map.groupBy(faults, (fault) => fault.kind))
    say(`whet: ${alike.length} could not be played (${kind}), ${alike[0]!.key} first: ${alike[0]!.message}`);
  for (const [player, own] of Map.groupBy(held, (cell) => cell.player.name))
    say(
      `whet: ${own.length} are waiting because ${player} has reached its limit. Raise the limit (whet eval control ${folder} --limit ${player}:…), and run the same command again.`,
    );
  return faults.length === 0 && held.length === 0;
}

/** Tries that failed for reasons outside the players, by who failed; of one player where it is named. */
export function faultCounts(log: StudyLog, player?: string): Readonly<Record<FaultSide, number>> {
  const counts = { infrastructure: 0, person: 0, judge: 0 };
  for (const fault of log.faults())
    if (player === undefined || fault.player === player) counts[fault.side] += 1;
  return counts;
}

/** How every player did in these cells. */
export function summarizeCells(cells: readonly Cell[], log: StudyLog): readonly PlayerSummary[] {
  const asked = new Set(cells.map(({ key }) => key));
  return summarize([...log.results()].filter(({ key }) => asked.has(key)));
}
