import { useMemo } from 'preact/hooks';

import type { EpisodeSummary } from '../../../src/serve/api/episode.ts';
import type { EpisodeFilter } from '../../../src/serve/api/filter.ts';
import type { Client } from '../../../src/serve/client/index.ts';
import { rewardText } from '../chart/reward.tsx';
import { changeQuery } from '../frame/address.ts';
import { Asked } from '../frame/asked.tsx';
import { Filters } from '../frame/filters.tsx';
import { Title } from '../frame/title.tsx';
import { EpisodeTable } from '../list/episode-table.tsx';
import { playerName } from '../list/player.ts';
import { signed, signedTone } from '../player/numbers.ts';
import { parts, readWeights, usual, weigh, type Part, type Weights } from './weigh.ts';

const filters = ['study', 'collection', 'scenario', 'player'] as const;

/** How many episodes are ranked, the latest first. */
const most = 10_000;

/** Every stored episode ranked by weights that somebody moves: the stored vector is enough, nothing is graded again. */
export function WeightsPage({ query }: { readonly query: URLSearchParams }) {
  const asked: EpisodeFilter = Object.fromEntries(
    filters.flatMap((name) => (query.get(name) ? [[name, query.get(name)]] : [])),
  );
  const weights = readWeights(query);
  return (
    <>
      <Title text="Weights · Whetstone" />
      <header class="head">
        <h1>Weights</h1>
        <p class="quiet">
          What if something else counted? Move a weight, and all episodes are ranked again. Nothing that is
          stored changes.
        </p>
      </header>
      <Filters names={filters} query={query} />
      <Sliders weights={weights} />
      <Asked
        about={`weights ${JSON.stringify(asked)}`}
        ask={(server, signal) => completeEpisodes(server, asked, signal)}
      >
        {(episodes) => <Ranked episodes={episodes} weights={weights} />}
      </Asked>
    </>
  );
}

async function completeEpisodes(
  server: Client,
  filter: EpisodeFilter,
  signal: AbortSignal,
): Promise<readonly EpisodeSummary[]> {
  const found: EpisodeSummary[] = [];
  for (let cursor: string | null | undefined; cursor !== null && found.length < most;) {
    const query = {
      ...filter,
      status: 'complete' as const,
      limit: 200,
      ...(cursor !== undefined && { cursor }),
    };
    const page = await server.episodes(query, { signal });
    found.push(...page.episodes);
    cursor = page.next_cursor;
  }
  return found.filter(({ reward }) => reward !== undefined);
}

function Sliders({ weights }: { readonly weights: Weights }) {
  const move = (moved: Part, value: string): void =>
    changeQuery(
      Object.fromEntries(parts.map((part) => [part, part === moved ? value : String(weights[part])])),
    );
  return (
    <form class="panel sliders" aria-label="Weights">
      {parts.map((part) => (
        <label key={part}>
          <span>{part.replaceAll('_', ' ')}</span>
          <input
            type="range"
            min="0"
            max="2"
            step="0.1"
            value={weights[part]}
            onInput={(event) => move(part, event.currentTarget.value)}
          />
          <output>{weights[part].toFixed(1)}</output>
        </label>
      ))}
      <button
        class="plain"
        type="button"
        onClick={() => changeQuery(Object.fromEntries(parts.map((part) => [part, undefined])))}
      >
        As in the formula
      </button>
    </form>
  );
}

interface RankedProps {
  readonly episodes: readonly EpisodeSummary[];
  readonly weights: Weights;
}

function Ranked({ episodes, weights }: RankedProps) {
  const known = JSON.stringify(weights);
  const ranked = useMemo(
    () =>
      episodes
        .map((episode) => ({ ...episode, reward: weigh(episode, weights) ?? 0 }))
        .toSorted((one, other) => other.reward - one.reward),
    [episodes, known],
  );
  if (episodes.length === 0) return <p class="quiet">No graded episode matches.</p>;
  const before = meansOf(episodes.map((episode) => ({ ...episode, reward: weigh(episode, usual) ?? 0 })));
  const after = [...meansOf(ranked)].toSorted(([, one], [, other]) => other - one);
  const places = [...before].toSorted(([, one], [, other]) => other - one).map(([name]) => name);
  return (
    <>
      <section aria-label="Players by these weights">
        <h2>Players</h2>
        <div class="scroll" tabIndex={0} role="group" aria-label="Players ranked">
          <table class="rows">
            <thead>
              <tr>
                <th scope="col" class="number">
                  Place
                </th>
                <th scope="col">Player</th>
                <th scope="col" class="number">
                  By these weights
                </th>
                <th scope="col" class="number">
                  By the formula
                </th>
                <th scope="col" class="number">
                  Difference
                </th>
              </tr>
            </thead>
            <tbody>
              {after.slice(0, 100).map(([name, mean], place) => {
                const by = mean - before.get(name)!;
                const was = places.indexOf(name);
                return (
                  <tr key={name}>
                    <td class="number">
                      {place + 1}
                      {was !== place && <span class="quiet small"> was {was + 1}</span>}
                    </td>
                    <td>{name}</td>
                    <td class="number">{rewardText(mean)}</td>
                    <td class="number">{rewardText(before.get(name))}</td>
                    <td class={`number ${signedTone(by)}`}>{signed(by)}</td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      </section>
      <section aria-label="Episodes by these weights">
        <h2>
          Episodes <span class="quiet small">{episodes.length.toLocaleString()}, the best first</span>
        </h2>
        <EpisodeTable episodes={ranked} />
      </section>
    </>
  );
}

function meansOf(episodes: readonly EpisodeSummary[]): ReadonlyMap<string, number> {
  const groups = Map.groupBy(episodes, playerName);
  return new Map(
    [...groups].map(([name, own]) => [
      name,
      own.reduce((sum, { reward = 0 }) => sum + reward, 0) / own.length,
    ]),
  );
}
