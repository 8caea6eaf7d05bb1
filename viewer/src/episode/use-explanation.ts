import { useEffect, useMemo, useState } from 'preact/hooks';

import type { EpisodeDetail } from '../../../src/serve/api/episode.ts';
import type { ExplanationAnswer } from '../../../src/serve/api/explanation.ts';
import { useConnection } from '../frame/connection.tsx';
import { client } from '../frame/server.ts';

/** An episode that was too long to come whole, with what explains it once that is here. */
export function useExplanation(detail: EpisodeDetail): {
  readonly detail: EpisodeDetail;
  readonly earned?: readonly number[];
  readonly isAsked: boolean;
} {
  const { episode_id: episode, status } = detail;
  const isApart =
    detail.explain === undefined && detail.log === undefined && detail.turns.length < detail.turn_count;
  const [answer, setAnswer] = useState<ExplanationAnswer>();
  const [isAsked, setAsked] = useState(isApart);
  const { returns } = useConnection();
  useEffect(() => {
    if (!isApart) return undefined;
    const stop = new AbortController();
    client()
      .explanation(episode, { signal: stop.signal })
      // A key without the right to it sees the numbers.
      .then(setAnswer, () => undefined)
      .finally(() => setAsked(false));
    return () => stop.abort();
  }, [episode, status, isApart, returns]);
  // The same object as long as it says the same: what was worked out from it is not worked out at each drawing.
  const explained = useMemo(
    () => (answer === undefined ? detail : { ...detail, explain: { ...answer, notes: [] } }),
    [detail, answer],
  );
  if (answer === undefined) return { detail, isAsked };
  return { detail: explained, earned: answer.earned, isAsked: false };
}
