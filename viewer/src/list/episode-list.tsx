import { useEffect, useState } from 'preact/hooks';

import type { EpisodeListQuery, EpisodeSummary } from '../../../src/serve/api/episode.ts';
import { changeQuery } from '../frame/address.ts';
import { Asked } from '../frame/asked.tsx';
import { Filters } from '../frame/filters.tsx';
import { client } from '../frame/server.ts';
import { Title } from '../frame/title.tsx';
import { EpisodeTable, type ListOrder } from './episode-table.tsx';

interface Loaded {
  readonly episodes: readonly EpisodeSummary[];
  readonly cursor: string | null;
}

/** What was loaded of a list stays: Back shows the same rows. */
const kept = new Map<string, Loaded>();

const filters = ['q', 'collection', 'scenario', 'variant', 'player', 'group', 'study', 'status'] as const;

/** All episodes, newest first or in another order, filtered by the server. */
export function EpisodeList({ query }: { readonly query: URLSearchParams }) {
  const order = orderIn(query);
  const key = [...filters.map((name) => query.get(name) ?? ''), order.sort, order.order].join('\n');
  const asked: EpisodeListQuery & ListOrder = {
    limit: 200,
    ...order,
    ...Object.fromEntries(filters.flatMap((name) => (query.get(name) ? [[name, query.get(name)]] : []))),
  };
  return (
    <>
      <Title text="Episodes · Whetstone" />
      <header class="head">
        <h1>Episodes</h1>
      </header>
      <Filters names={['q', 'scenario', 'collection', 'player', 'group', 'study']} query={query}>
        <label>
          State
          <select
            value={query.get('status') ?? ''}
            onChange={(event) => changeQuery({ status: event.currentTarget.value })}
          >
            <option value="">any</option>
            <option value="open">open</option>
            <option value="complete">complete</option>
          </select>
        </label>
      </Filters>
      <Asked
        about={`episodes ${key}`}
        ask={async (server, signal): Promise<Loaded> => {
          const page = await server.episodes(asked, { signal });
          const before = kept.get(key);
          const isSame = before?.episodes[0]?.episode_id === page.episodes[0]?.episode_id;
          return before && isSame ? before : { episodes: page.episodes, cursor: page.next_cursor };
        }}
      >
        {(first, again) => (
          <Rows key={first.episodes[0]?.episode_id} name={key} first={first} asked={asked} again={again} />
        )}
      </Asked>
    </>
  );
}

/** An order that there is none of is the usual one. */
function orderIn(query: URLSearchParams): ListOrder {
  const sort = (['reward', 'tokens', 'duration'] as const).find((name) => name === query.get('sort'));
  return {
    sort: sort ?? 'begun',
    order: query.get('order') === 'ascending' ? 'ascending' : 'descending',
  };
}

function changeOrder({ sort, order }: ListOrder): void {
  changeQuery({
    sort: sort === 'begun' ? undefined : sort,
    order: order === 'descending' ? undefined : order,
  });
}

const ranked: Readonly<Record<Exclude<ListOrder['sort'], 'begun'>, string>> = {
  reward: 'Episodes that are open or have no reward are left out.',
  tokens: 'Episodes that are open or whose tokens are unknown are left out.',
  duration: 'Episodes that are open are left out.',
};

interface RowsProps {
  readonly name: string;
  readonly first: Loaded;
  readonly asked: EpisodeListQuery & ListOrder;
  readonly again: () => void;
}

function Rows({ name, first, asked, again }: RowsProps) {
  const [loaded, setLoaded] = useState(first);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    kept.set(name, loaded);
  }, [name, loaded]);
  const newer = useNewer(asked, loaded.episodes[0]?.episode_id);
  const { sort } = asked;
  if (loaded.episodes.length === 0) return <Nothing />;
  const { cursor } = loaded;
  const more = (): void => {
    if (cursor === null || busy) return;
    setBusy(true);
    client()
      .episodes({ ...asked, cursor })
      .then((page) =>
        setLoaded({ episodes: [...loaded.episodes, ...page.episodes], cursor: page.next_cursor }),
      )
      .catch(() => undefined) // The bar says that the server is away; scrolling asks again.
      .finally(() => setBusy(false));
  };
  return (
    <>
      {newer && (
        <p>
          <button class="plain" type="button" onClick={again}>
            Show newer episodes
          </button>
        </p>
      )}
      {sort !== 'begun' && <p class="quiet small">{ranked[sort]}</p>}
      <EpisodeTable episodes={loaded.episodes} order={asked} onOrder={changeOrder} onEnd={more} />
      <p class="quiet small" aria-live="polite">
        {loaded.episodes.length.toLocaleString()}{' '}
        {cursor === null ? 'episodes' : 'episodes read; more come as you scroll'}
      </p>
    </>
  );
}

/** Whether the list has a newer first row by now. */
function useNewer(asked: EpisodeListQuery & ListOrder, first: string | undefined): boolean {
  const [newer, setNewer] = useState(false);
  const isByTime = asked.sort === 'begun' && asked.order === 'descending';
  useEffect(() => {
    if (!isByTime) return undefined;
    const look = setInterval(() => {
      client()
        .episodes({ ...asked, limit: 1 })
        .then(
          ({ episodes: [latest] }) => setNewer(latest !== undefined && latest.episode_id !== first),
          () => undefined, // The bar says it.
        );
    }, 5000);
    return () => clearInterval(look);
  }, [first]);
  return newer;
}

function Nothing() {
  return (
    <div class="panel">
      <p>
        No episode matches. <a href="#/episodes">All episodes</a>, or play one:{' '}
        <a href="#/scenarios">choose a scenario</a>.
      </p>
    </div>
  );
}
