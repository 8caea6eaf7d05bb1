import { useEffect, useRef, useState } from 'preact/hooks';

import type { EpisodeSummary } from '../../../src/serve/api/episode.ts';
import { RewardCell } from '../chart/reward.tsx';
import { addressOf, episodeAddress } from '../frame/address.ts';
import { rememberList } from './neighbours.ts';
import { playerName } from './player.ts';

interface EpisodeTableProps {
  readonly episodes: readonly EpisodeSummary[];
  /** Called when the last rows come near. */
  readonly onEnd?: () => void;
}

/** Episodes as rows of one height, of which only those near the window are there: ten thousand cost what fifty cost. */
export function EpisodeTable({ episodes, onEnd }: EpisodeTableProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  const height = useRowHeight();
  const [from, setFrom] = useState(0);
  const rows = Math.ceil(innerHeight / height) * 3;
  useEffect(() => rememberList(episodes.map(({ episode_id: id }) => id)), [episodes]);
  useEffect(() => {
    const look = (): void => {
      if (body.current === null) return;
      const above = -body.current.getBoundingClientRect().top;
      const first = Math.max(0, Math.floor((above - innerHeight) / height));
      setFrom(first - (first % 10));
      if (above + 2 * innerHeight > episodes.length * height) onEnd?.();
    };
    look();
    addEventListener('scroll', look, { passive: true });
    addEventListener('resize', look);
    return () => {
      removeEventListener('scroll', look);
      removeEventListener('resize', look);
    };
  }, [episodes, height]);
  const start = Math.min(from, Math.max(0, episodes.length - 1));
  const to = Math.min(episodes.length, start + rows + 10);
  return (
    <table class="rows episodes" aria-rowcount={episodes.length + 1}>
      <thead>
        <tr>
          <th scope="col">Scenario</th>
          <th scope="col">Player</th>
          <th scope="col">Reward</th>
          <th scope="col">Success</th>
          <th scope="col">Group</th>
          <th scope="col" class="number">
            Variant
          </th>
          <th scope="col" class="number">
            Turns
          </th>
          <th scope="col">Began</th>
        </tr>
      </thead>
      <tbody ref={body}>
        {start > 0 && <tr aria-hidden="true" class="space" style={{ height: `${start * height}px` }} />}
        {episodes.slice(start, to).map((episode, place) => (
          <Row key={episode.episode_id} episode={episode} place={start + place} />
        ))}
        {to < episodes.length && (
          <tr aria-hidden="true" class="space" style={{ height: `${(episodes.length - to) * height}px` }} />
        )}
      </tbody>
    </table>
  );
}

function Row({ episode, place }: { readonly episode: EpisodeSummary; readonly place: number }) {
  return (
    <tr aria-rowindex={place + 2}>
      <td class="main">
        <a href={episodeAddress(episode.episode_id)} data-step>
          {episode.scenario_slug}
        </a>{' '}
        <span class="quiet small">{episode.collection_slug}</span>
      </td>
      <td data-name="player">{playerName(episode)}</td>
      <td class="graded">
        {episode.status === 'open' ? <span class="tag">open</span> : <RewardCell reward={episode.reward} />}
      </td>
      <td data-name="success">
        {episode.success === undefined ? (
          '—'
        ) : episode.success === 1 ? (
          <span class="good">✓ yes</span>
        ) : (
          <span class="bad">✗ no</span>
        )}
      </td>
      <td data-name="group">
        {episode.group === null ? (
          '—'
        ) : (
          <a href={addressOf(['episodes'], { group: episode.group })}>{episode.group}</a>
        )}
      </td>
      <td class="number" data-name="variant">
        {episode.variant}
      </td>
      <td class="number" data-name="turns">
        {episode.turn_count}
      </td>
      <td class="quiet">
        <time dateTime={episode.created_at}>{new Date(episode.created_at).toLocaleString()}</time>
      </td>
    </tr>
  );
}

/** 32 pixels a row; on a phone a row is a card. The style sheet says the same. */
function useRowHeight(): number {
  const narrow = matchMedia('(max-width: 46rem)');
  const [isNarrow, setNarrow] = useState(narrow.matches);
  useEffect(() => {
    const follow = (): void => setNarrow(narrow.matches);
    narrow.addEventListener('change', follow);
    return () => narrow.removeEventListener('change', follow);
  }, []);
  return isNarrow ? 92 : 32;
}
