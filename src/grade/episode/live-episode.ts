import type { Task } from '../scenario/task.ts';
import type { CallOutcome, Observation, TranscriptTurn, TurnMessage } from '../scenario/transcript.ts';
import type { EpisodeRecord, TurnRecord } from '../store/record.ts';
import type { Store } from '../store/store.ts';
import type { TurnOutcome } from './outcome.ts';
import { Recent } from '../../base/host/recent.ts';
import type { EpisodeOptions } from './request.ts';
import type { TaskBook } from './task-book.ts';
import type { PlayState } from '../scenario/play-state.ts';

/** An episode as it is played: its row, read, with its task and its transcript. */
export interface LiveEpisode {
  readonly record: EpisodeRecord;
  readonly options: EpisodeOptions;
  readonly task: Task;
  readonly opening: Observation;
  readonly state: PlayState;
  readonly turns: readonly TranscriptTurn[];
  /** How long its turns are as text. */
  readonly size: number;
}

/** A turn that was stored, and what the episode is after it. */
export interface StoredTurn {
  readonly entry: TranscriptTurn;
  readonly state: PlayState;
  readonly row: TurnRecord;
  readonly totalUsage: string;
}

/** What is kept of transcripts, in characters. An episode takes at least what it does in memory without any turn. */
const mostKept = 64_000_000;
const leastTaken = 32_000;

/** Reads episodes from a store, and keeps the transcripts of the latest ones: a turn then costs no second reading. */
export class LiveEpisodes {
  readonly #store: Store;
  readonly #tasks: TaskBook;
  readonly #recent = new Recent<string, LiveEpisode>(mostKept, ({ size }) => leastTaken + size);

  constructor(store: Store, tasks: TaskBook) {
    this.#store = store;
    this.#tasks = tasks;
  }

  /** The episode of a row that was just read: what is kept counts only as far as the row agrees. */
  async load(record: EpisodeRecord): Promise<LiveEpisode> {
    const kept = this.#recent.get(record.id);
    if (kept?.record.turnCount === record.turnCount && kept.record.status === record.status)
      return { ...kept, record };
    const known = kept?.turns ?? [];
    const rows = known.length < record.turnCount ? await this.#store.readTurns(record.id, known.length) : [];
    const live: LiveEpisode = {
      record,
      // Written by the engine, from values of these types.
      options: JSON.parse(record.options) as EpisodeOptions,
      task: this.#tasks.taskOf(record),
      opening: JSON.parse(record.opening) as Observation,
      state: JSON.parse(record.state) as PlayState,
      // The row was read first: turns that came since are not in it, and are left to the next reading.
      turns: [...known, ...rows.map(readTurn)].slice(0, record.turnCount),
      size: rows.reduce((sum, row) => sum + sizeOf(row), kept?.size ?? 0),
    };
    this.#recent.set(record.id, live);
    return live;
  }

  /** The episode after a turn that was stored. */
  advance(live: LiveEpisode, { entry, state, row, totalUsage }: StoredTurn): LiveEpisode {
    const record: EpisodeRecord = {
      ...live.record,
      turnCount: entry.turn,
      updatedAt: row.at,
      totalUsage,
    };
    const turns = [...live.turns, entry];
    const next: LiveEpisode = { ...live, record, state, turns, size: live.size + sizeOf(row) };
    this.#recent.set(record.id, next);
    return next;
  }

  forget(id: string): void {
    this.#recent.delete(id);
  }
}

function sizeOf({ messages, outcomes, answer }: TurnRecord): number {
  return messages.length + outcomes.length + answer.length;
}

/** A stored turn, as grading reads it. */
export function readTurn(row: TurnRecord): TranscriptTurn {
  const { observation, voice, hearing } = JSON.parse(row.answer) as TurnOutcome;
  return {
    turn: row.turn,
    messages: JSON.parse(row.messages) as readonly TurnMessage[],
    outcomes: JSON.parse(row.outcomes) as readonly CallOutcome[],
    observation,
    ...(voice && { voice }),
    ...(hearing && { hearing }),
  };
}
