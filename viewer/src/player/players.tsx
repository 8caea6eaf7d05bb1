import type { EpisodeFilter } from '../../../src/serve/api/filter.ts';
import type { StatGroup } from '../../../src/serve/api/stats.ts';
import { Asked } from '../frame/asked.tsx';
import { Filters } from '../frame/filters.tsx';
import { Title } from '../frame/title.tsx';
import { Matrix } from './matrix.tsx';
import { PlayerTable } from './player-table.tsx';

const filters = ['study', 'collection', 'scenario', 'group'] as const;

/** Who played, and how well: all of them in a table, and scenario by scenario against one of them. */
export function Players({ query }: { readonly query: URLSearchParams }) {
  const asked: EpisodeFilter = Object.fromEntries(
    filters.flatMap((name) => (query.get(name) ? [[name, query.get(name)]] : [])),
  );
  return (
    <>
      <Title text="Players · Whetstone" />
      <header class="head">
        <h1>Players</h1>
        <p class="quiet">
          Each mean has its 95 % interval. It counts scenarios, since episodes of one scenario resemble each
          other. <a href="#/weights">What if something else counted?</a>
        </p>
      </header>
      <Filters names={filters} query={query} />
      <Asked
        about={`players ${JSON.stringify(asked)}`}
        ask={async (server, signal) => {
          const [players, cells] = await Promise.all([
            server.stats({ ...asked, group_by: 'player' }, { signal }),
            server.stats({ ...asked, group_by: 'player,collection,scenario' }, { signal }),
          ]);
          return { players: players.groups.toSorted(byReward), cells: cells.groups };
        }}
      >
        {({ players, cells }) =>
          players.length === 0 ? (
            <p class="quiet">
              Nobody has played this yet. <a href="#/scenarios">Choose a scenario</a> and play it.
            </p>
          ) : (
            <>
              <PlayerTable players={players} filter={asked} />
              <Matrix players={players} cells={cells} baseline={query.get('against') ?? undefined} />
            </>
          )
        }
      </Asked>
    </>
  );
}

function byReward(one: StatGroup, other: StatGroup): number {
  return (other.reward?.mean ?? -1) - (one.reward?.mean ?? -1);
}
