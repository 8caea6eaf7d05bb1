import { useEffect, useState } from 'preact/hooks';

import type { EpisodeListQuery, EpisodeSummary } from '../../../src/serve/api/episode.ts';
import { changeQuery } from '../frame/address.ts';
import { Asked } from '../frame/asked.tsx';
import { Filters } from '../frame/filters.tsx';
import { client } from '../frame/server.ts';
import { Title } from '../frame/title.tsx';
import { EpisodeTable } from './episode-table.tsx';

interface Loaded {
  readonly episodes: readonly EpisodeSummary[];
  readonly cursor: string | null;
}

/** What was loaded of a list stays: Back shows the same rows. */
const kept = new Map<string, Loaded>();

const filters = ['q', 'collection', 'scenario', 'variant', 'player', 'group', 'study', 'status'] as const;

/** All episodes, newest first, filtered by the server. */
export function EpisodeList({ query }: { readonly query: URLSearchParams }) {
  const key = filters.map((name) => query.get(name) ?? '').join('\n');
  const asked: EpisodeListQuery = {
    limit: 200,
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

interface RowsProps {
  readonly name: string;
  readonly first: Loaded;
  readonly asked: EpisodeListQuery;
  readonly again: () => void;
}

function Rows({ name, first, asked, again }: RowsProps) {
  const [loaded, setLoaded] = useState(first);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    kept.set(name, loaded);
  }, [name, loaded]);
  const newer = useNewer(asked, loaded.episodes[0]?.episode_id);
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
      <EpisodeTable episodes={loaded.episodes} onEnd={more} />
      <p class="quiet small" aria-live="polite">
        {loaded.episodes.length.toLocaleString()}{' '}
        {cursor === null ? 'episodes' : 'episodes read; more come as you scroll'}
      </p>
    </>
  );
}

/** Whether the list has a newer first row by now. */
function useNewer(asked: EpisodeListQuery, first: string | undefined): boolean {
  const [newer, setNewer] = useState(false);
  useEffect(() => {
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
