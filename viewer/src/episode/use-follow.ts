import { useEffect, useState } from 'preact/hooks';

import type { EpisodeDetail } from '../../../src/serve/api/episode.ts';
import type { EpisodeTurn } from '../../../src/serve/api/turn.ts';
import { useConnection } from '../frame/connection.tsx';
import { client, saved } from '../frame/server.ts';

/**
 * An open episode with its turns as they come: each is there at once, and what explains it follows. Thousands of turns
 * are explained only at the end, when asking anew is worth its bytes.
 */
export function useFollow(detail: EpisodeDetail, again: () => void): EpisodeDetail {
  const { episode_id: episode, status } = detail;
  const { report, returns } = useConnection();
  const [fresh, setFresh] = useState<readonly EpisodeTurn[]>([]);
  useEffect(() => {
    if (status !== 'open' || saved) return undefined;
    const stop = new AbortController();
    const follow = async (): Promise<void> => {
      const events = client().events(episode, { after: detail.turn_count, signal: stop.signal });
      for await (const { event, data } of events) {
        if (event === 'turn') setFresh((turns) => [...turns, data]);
        if (event === 'complete' || detail.turn_count < 200) again();
      }
    };
    follow().catch((error: Error) => {
      // The bar says that the server is away, and the episode is followed again when it is back.
      if (!stop.signal.aborted) report(error);
    });
    return () => stop.abort();
  }, [episode, status, returns]);
  const unknown = fresh.filter(({ turn }) => turn > detail.turn_count);
  if (unknown.length === 0) return detail;
  const isWhole = detail.turns.length === detail.turn_count;
  return {
    ...detail,
    turns: isWhole ? [...detail.turns, ...unknown] : detail.turns,
    turn_count: detail.turn_count + unknown.length,
  };
}
