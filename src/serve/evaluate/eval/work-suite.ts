import { isPostgresUrl } from '../../../grade/store/postgres/postgres.ts';
import { WhetstoneError } from '../../../base/host/errors.ts';
import type { StudyLog } from '../../../eval/study/study-log.ts';
import { SharedStudy } from '../../../eval/study/workers/shared-study.ts';
import { workStudy } from '../../../eval/study/workers/work-study.ts';
import type { Cell } from '../../../eval/suite/cells.ts';
import type { PlayerSpec } from '../../../eval/suite/suite.ts';
import { playCell, type PlayCellOptions } from './play-cell.ts';

export interface WorkSuiteOptions extends Omit<PlayCellOptions, 'before'> {
  /** The Postgres database that the workers share. */
  readonly workers: string;
  readonly players: readonly PlayerSpec[];
  readonly log: StudyLog;
  readonly concurrency: number;
  readonly say: (line: string) => void;
}

/** What cannot be spread over workers is said before anything is played. */
export function mustBeSpreadable(workers: string, players: readonly PlayerSpec[]): void {
  if (!isPostgresUrl(workers))
    throw new WhetstoneError(
      'usage',
      `--workers needs the URL of a Postgres database, such as postgres://user@host/database, not "${workers}".`,
    );
  const limited = players.find((each) => 'model' in each && each.limits !== undefined);
  if (limited !== undefined)
    throw new WhetstoneError(
      'usage',
      `The limits of "${limited.name}" apply within one process, not across workers. Leave them out, or play without --workers.`,
    );
}

/**
 * Plays what no other worker has played, until the study is whole, and writes into the log what came of all of it.
 * True when everything could be played.
 */
export async function workSuite(
  cells: readonly Cell[],
  { workers, players, log, concurrency, say, ...options }: WorkSuiteOptions,
): Promise<boolean> {
  await using study = await SharedStudy.open(workers, options.study);
  const keys = cells.map(({ key }) => key);
  await study.enqueue(keys, players);
  let own = 0;
  const counts = await workStudy(cells, study, {
    concurrency,
    play: async (cell) => {
      const result = await playCell(cell, { ...options, before: undefined });
      own++;
      return result;
    },
    onProgress: ({ played }) => say(`${played} of ${cells.length} played, ${own} of them here.`),
  });
  say(`${counts.played} of ${cells.length} played, ${own} of them here.`);
  const byKey = new Map((await study.results(keys)).map((result) => [result.key, result]));
  for (const key of keys) {
    const result = byKey.get(key);
    if (result !== undefined) log.add(result);
  }
  // A log that has been written before has the first of them.
  for (const fault of (await study.faults()).slice([...log.faults()].length)) log.addFault(fault);
  for (const [kind, alike] of Map.groupBy(await study.givenUp(), (fault) => fault.kind))
    say(`whet: ${alike.length} could not be played (${kind}), ${alike[0]!.key} first: ${alike[0]!.message}`);
  return counts.failed === 0;
}
