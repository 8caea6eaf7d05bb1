import type { EpisodeRecord } from './record.ts';

/** What a list of episodes may be ordered by. Ordered by anything but the time they began, it holds only complete ones with such a value. */
export const rankNames = ['begun', 'reward', 'duration', 'tokens'] as const;
export type RankName = (typeof rankNames)[number];

export interface EpisodeRank {
  readonly by: RankName;
  readonly ascending: boolean;
  /** Only those behind this one. */
  readonly after?: RankPlace | undefined;
}

/** A place in such a list: of those with the same value, the id decides. */
export interface RankPlace {
  readonly value: number;
  readonly id: string;
}

/** The order of a list of which nothing is said. */
export function newest(before: { readonly createdAt: number; readonly id: string } | undefined): EpisodeRank {
  return { by: 'begun', ascending: false, after: before && { value: before.createdAt, id: before.id } };
}

/** The place of an episode that is in the list. */
export function placeOf(episode: EpisodeRecord, by: RankName): RankPlace {
  return { value: valueOf(episode, by), id: episode.id };
}

function valueOf({ createdAt, updatedAt, reward, totalUsage }: EpisodeRecord, by: RankName): number {
  if (by === 'begun') return createdAt;
  if (by === 'reward') return reward ?? 0;
  if (by === 'duration') return updatedAt - createdAt;
  // Written by the engine, or from a log.
  const usage = JSON.parse(totalUsage ?? '{}') as { inputTokens?: number; outputTokens?: number };
  return (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0);
}
