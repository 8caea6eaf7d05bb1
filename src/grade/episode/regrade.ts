import { isWhetstoneError } from '../../base/host/errors.ts';
import type { Grade } from '../score/grade.ts';
import type { Scoring } from '../score/scoring.ts';
import type { EpisodeRecord } from '../store/record.ts';
import type { EpisodeQuery, Store } from '../store/store.ts';
import { completeVerdicts } from './judge/complete-verdicts.ts';
import type { Judge } from './judge/judge.ts';
import { gradeColumns } from './grade-turn.ts';
import { storedTranscript } from './stored-transcript.ts';
import type { TaskBook } from './task-book.ts';

/** One stored episode under two gradings, side by side. */
export interface Regraded {
  readonly episode: string;
  readonly collection: string;
  readonly scenario: string;
  readonly variant: number;
  /** As it was graded when it ended; absent where it has not been. */
  readonly before?: Grade;
  readonly after?: Grade;
  /** How much the reward moved. */
  readonly change?: number;
  /** Criteria on which the judge failed: the stored verdicts are kept. */
  readonly kept?: readonly string[];
  /** The scenario has another version now than when it was played. */
  readonly versionChanged?: boolean;
  /** Why it could not be graded: the scenario is gone, or broken. */
  readonly fault?: string;
}

export interface RegradeOptions extends Omit<EpisodeQuery, 'limit' | 'before' | 'status'> {
  readonly scoring: Scoring;
  /** Asked for what has no verdict yet; without one the stored verdicts are all there is. */
  readonly judge?: Judge;
  /** The judge is asked about everything again; if it fails, the stored verdict is kept. */
  readonly judgeAgain?: boolean;
  /** Puts the new grade in the place of the old one. */
  readonly write?: boolean;
}

const pageSize = 100;

/**
 * Grades stored episodes again, newest first, and gives both grades; writes nothing unless it is asked to. One page is
 * held at a time, so that any number of episodes takes the same memory.
 */
export async function* regrade(
  store: Store,
  tasks: TaskBook,
  options: RegradeOptions,
): AsyncGenerator<Regraded> {
  const { scoring, judge, judgeAgain = false, write = false, ...query } = options;
  let before: EpisodeQuery['before'];
  for (;;) {
    const page = await store.listEpisodes({
      ...query,
      status: 'complete',
      limit: pageSize,
      ...(before ? { before } : {}),
    });
    for (const record of page) {
      const one = await regradeOne(record, { store, tasks, scoring, judge, judgeAgain });
      const { after } = one;
      if (write && after !== undefined) await store.regradeEpisode(record.id, gradeColumns(after));
      yield one;
    }
    const last = page.at(-1);
    if (!last || page.length < pageSize) return;
    before = { createdAt: last.createdAt, id: last.id };
  }
}

async function regradeOne(
  record: EpisodeRecord,
  by: {
    readonly store: Store;
    readonly tasks: TaskBook;
    readonly scoring: Scoring;
    readonly judge: Judge | undefined;
    readonly judgeAgain: boolean;
  },
): Promise<Regraded> {
  const { id: episode, collection, scenario, variant } = record;
  const head = { episode, collection, scenario, variant };
  // Written by the engine, from values of these types.
  const before = record.grade === null ? undefined : (JSON.parse(record.grade) as Grade);
  try {
    const task = by.tasks.taskOf(record);
    const transcript = await storedTranscript(record, by.store);
    const stored = before?.verdicts ?? {};
    const { verdicts, kept } = await completeVerdicts(task, transcript, {
      judge: by.judge,
      again: by.judgeAgain,
      stored,
    });
    const after = by.scoring(task, transcript, { verdicts });
    return {
      ...head,
      ...(before ? { before, change: after.reward - before.reward } : {}),
      after,
      ...(kept.length > 0 ? { kept } : {}),
      ...(task.reference.version === record.version ? {} : { versionChanged: true }),
    };
  } catch (error) {
    if (!isWhetstoneError(error)) throw error;
    return { ...head, ...(before ? { before } : {}), fault: error.message };
  }
}
