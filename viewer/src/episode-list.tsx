import { useState } from 'preact/hooks';

import type { EpisodeListAnswer, EpisodeSummary } from '../../src/serve/api/episode.ts';
import { Asked, client } from './asked.tsx';
import { rewardText, tone, Track } from './reward.tsx';
import { episodeAddress, groupAddress } from './route.ts';

const pageSize = 50;

/** All episodes, newest first; or those of one group, to compare them. */
export function EpisodeList({ group }: { readonly group: string | undefined }) {
  const query = group === undefined ? { limit: pageSize } : { limit: pageSize, group };
  return (
    <>
      <header class="head">
        <h1>{group === undefined ? 'Episodes' : `Group ${group}`}</h1>
        {group !== undefined && (
          <p>
            <a href="#/">All episodes</a>
          </p>
        )}
      </header>
      <Asked ask={(asked, signal) => asked.episodes(query, { signal })} about={`episodes ${group ?? ''}`}>
        {(first) => (
          <Pages key={first.request_id} first={first} query={query} compare={group !== undefined} />
        )}
      </Asked>
    </>
  );
}

interface PagesProps {
  readonly first: EpisodeListAnswer;
  readonly query: { readonly limit: number; readonly group?: string };
  readonly compare: boolean;
}

function Pages({ first, query, compare }: PagesProps) {
  const [pages, setPages] = useState([first]);
  const episodes = pages.flatMap((page) => page.episodes);
  const cursor = pages.at(-1)?.next_cursor ?? null;
  if (episodes.length === 0) return <Nothing />;
  return (
    <>
      {compare && <Spread episodes={episodes} />}
      <div class="panel scroll">
        <table>
          <thead>
            <tr>
              <th>Scenario</th>
              <th>Group</th>
              <th class="number">Variant</th>
              <th class="number">Turns</th>
              <th>Reward</th>
              <th>Began</th>
            </tr>
          </thead>
          <tbody>
            {episodes.map((episode) => (
              <Row key={episode.episode_id} episode={episode} />
            ))}
          </tbody>
        </table>
      </div>
      {cursor !== null && (
        <p>
          <button
            class="plain"
            type="button"
            onClick={async () => setPages([...pages, await client().episodes({ ...query, cursor })])}
          >
            Older episodes
          </button>
        </p>
      )}
    </>
  );
}

function Row({ episode }: { readonly episode: EpisodeSummary }) {
  return (
    <tr>
      <td>
        <a href={episodeAddress(episode.episode_id)}>{episode.scenario_slug}</a>{' '}
        <span class="quiet small">{episode.collection_slug}</span>
      </td>
      <td>{episode.group !== null && <a href={groupAddress(episode.group)}>{episode.group}</a>}</td>
      <td class="number">{episode.variant}</td>
      <td class="number">{episode.turn_count}</td>
      <td>
        {episode.reward === undefined ? (
          <span class="tag">open</span>
        ) : (
          <span class="reward-cell">
            <Track share={episode.reward} />
            <span class={tone(episode.reward)}>{rewardText(episode.reward)}</span>
          </span>
        )}
      </td>
      <td class="quiet">
        <time dateTime={episode.created_at}>{new Date(episode.created_at).toLocaleString()}</time>
      </td>
    </tr>
  );
}

/** What a group is there for: rewards beside each other, and whether they differ at all. */
function Spread({ episodes }: { readonly episodes: readonly EpisodeSummary[] }) {
  const rewards = episodes.flatMap((episode) => (episode.reward === undefined ? [] : [episode.reward]));
  if (rewards.length === 0) return null;
  const mean = rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length;
  const spread = Math.max(...rewards) - Math.min(...rewards);
  const passed = episodes.filter((episode) => episode.success === 1).length;
  return (
    <p>
      {rewards.length} graded, {passed} succeeded; reward {rewardText(Math.min(...rewards))} to{' '}
      {rewardText(Math.max(...rewards))}, mean {rewardText(mean)}.
      {rewards.length > 1 && spread === 0 && ' All are alike: such a group teaches a trainer nothing.'}
    </p>
  );
}

function Nothing() {
  return (
    <div class="panel">
      <p>No episode yet. Play one in a terminal:</p>
      <pre>
        <code>npm run -s whet -- run case-management/lumbar-strain --operator gold</code>
      </pre>
    </div>
  );
}
