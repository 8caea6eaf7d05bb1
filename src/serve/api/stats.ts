import type { Answered } from './envelope.ts';
import type { EpisodeFilter } from './episode.ts';
import type { EpisodeUsage } from './usage.ts';

/** What episodes may be grouped by. */
export type StatDimension = 'player' | 'collection' | 'scenario' | 'version' | 'variant' | 'group' | 'study';

/** `GET /api/v1/stats?group_by=player,scenario` and the filters of episodes: summed up in the store. */
export interface StatsQuery extends EpisodeFilter {
  /** One dimension or several, with commas between; all episodes together when left out. */
  readonly group_by?: string;
}

export interface StatsAnswer extends Answered {
  readonly groups: readonly StatGroup[];
}

/** How the episodes did that have something in common. Means are of those that are complete. */
export interface StatGroup {
  /** What they have in common, by dimension; null where it was not said. */
  readonly by: Readonly<Record<string, string | number | null>>;
  readonly episodes: number;
  readonly complete: number;
  /** When the first of them began, ISO 8601. */
  readonly began_at: string;
  /** How many scenarios they are of: what resembles each other is not counted twice in an interval. */
  readonly scenarios: number;
  readonly reward?: StatMean;
  readonly success?: StatMean;
  readonly progress?: number;
  /** The standard deviation of the rewards; 0 where all earned the same. */
  readonly deviation?: number;
  /** In so many the gate was closed. */
  readonly gate_closed: number;
  /** How many rewards fall into each twentieth from 0 to 1. */
  readonly histogram: readonly number[];
  readonly turns: number;
  readonly usage: EpisodeUsage;
}

export interface StatMean {
  readonly mean: number;
  /** 95 %, by scenarios; absent with fewer than two. */
  readonly interval?: readonly [number, number];
}
