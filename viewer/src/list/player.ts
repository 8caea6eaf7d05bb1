import type { EpisodeSummary } from '../../../src/serve/api/episode.ts';

/** Who played; a dash where nobody said. */
export function playerName(episode: EpisodeSummary): string {
  return episode.player?.name ?? '—';
}
