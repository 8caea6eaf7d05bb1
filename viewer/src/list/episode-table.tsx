import { useEffect, useRef, useState } from 'preact/hooks';

import type { EpisodeListQuery, EpisodeSummary } from '../../../src/serve/api/episode.ts';
import { RewardCell } from '../chart/reward.tsx';
import { addressOf, episodeAddress } from '../frame/address.ts';
import { rememberList } from './neighbours.ts';
import { playerName } from './player.ts';

/** What the server puts the list in order by, and which way. */
export interface ListOrder {
  readonly sort: NonNullable<EpisodeListQuery['sort']>;
  readonly order: NonNullable<EpisodeListQuery['order']>;
}

interface EpisodeTableProps {
  readonly episodes: readonly EpisodeSummary[];
  /** Where the order may be chosen: which it is, and what a chosen one is told. */
  readonly order?: ListOrder | undefined;
  readonly onOrder?: ((order: ListOrder) => void) | undefined;
  /** Called when the last rows come near. */
  readonly onEnd?: () => void;
}

/** Episodes as rows of one height, of which only those near the window are there: ten thousand cost what fifty cost. */
export function EpisodeTable({ episodes, order, onOrder, onEnd }: EpisodeTableProps) {
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
          <RankHead name="reward" text="Reward" order={order} onOrder={onOrder} />
          <th scope="col">Success</th>
          <th scope="col" data-name="group">
            Group
          </th>
          <th scope="col" class="number" data-name="variant">
            Variant
          </th>
          <th scope="col" class="number">
            Turns
          </th>
          <RankHead name="tokens" text="Tokens" order={order} onOrder={onOrder} />
          <RankHead name="duration" text="Took" order={order} onOrder={onOrder} />
          <RankHead name="begun" text="Began" order={order} onOrder={onOrder} />
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

interface RankHeadProps extends Pick<EpisodeTableProps, 'order' | 'onOrder'> {
  readonly name: ListOrder['sort'];
  readonly text: string;
}

/** The heading that was pressed: it is drawn again with the list, and then gets the focus back. */
let pressed: ListOrder['sort'] | undefined;

/** The head of a column that the list may be in the order of: the most first, and the least when it is pressed again. */
function RankHead({ name, text, order, onOrder }: RankHeadProps) {
  const isNumber = name === 'tokens' || name === 'duration';
  const shown = order?.sort === name ? order.order : undefined;
  const next = shown === 'descending' ? 'ascending' : 'descending';
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (pressed !== name) return;
    pressed = undefined;
    button.current?.focus({ preventScroll: true });
  }, []);
  const choose = (): void => {
    pressed = name;
    onOrder?.({ sort: name, order: next });
  };
  return (
    <th scope="col" class={isNumber ? 'number' : undefined} aria-sort={shown ?? (onOrder && 'none')}>
      {onOrder === undefined ? (
        text
      ) : (
        <button ref={button} class="link" type="button" onClick={choose}>
          {text}
          <span aria-hidden="true">{shown === undefined ? '' : shown === 'descending' ? ' ↓' : ' ↑'}</span>
        </button>
      )}
    </th>
  );
}

function tokensText({ usage }: EpisodeSummary): string {
  if (usage?.input_tokens === undefined) return '—';
  return (usage.input_tokens + (usage.output_tokens ?? 0)).toLocaleString();
}

function durationText(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
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
      <td class="number" data-name="tokens">
        {tokensText(episode)}
      </td>
      <td class="number" data-name="took">
        {durationText(episode.duration_ms)}
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
