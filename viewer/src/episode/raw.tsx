import type { EpisodeDetail } from '../../../src/serve/api/episode.ts';
import { Output } from '../text/output.tsx';
import { Exchanges } from './exchanges.tsx';
import type { Turns } from './turn-pages.ts';
import { RangeBar, turnRange } from './turn-range.tsx';

interface RawProps {
  readonly detail: EpisodeDetail;
  readonly turns: Turns;
  readonly query: URLSearchParams;
}

/** The episode as the server answers it: to read, to copy, to send to somebody. */
export function Raw({ detail, turns, query }: RawProps) {
  const range = turnRange(turns, query);
  const text = JSON.stringify({ ...detail, turns: range.turns }, undefined, 2);
  return (
    <section class="panel" aria-label="Raw">
      <RangeBar range={range} count={turns.count} />
      <Exchanges episode={detail.episode_id} turns={range.turns} />
      <h2>As the server answers</h2>
      <Output text={text} label="The episode as JSON" lines={400} />
    </section>
  );
}
