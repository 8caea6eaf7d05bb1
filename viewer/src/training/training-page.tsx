import { useState } from 'preact/hooks';

import type { EpisodeFilter } from '../../../src/serve/api/filter.ts';
import type { StatGroup } from '../../../src/serve/api/stats.ts';
import { RewardCell, rewardText } from '../chart/reward.tsx';
import { addressOf } from '../frame/address.ts';
import { Asked } from '../frame/asked.tsx';
import { Filters } from '../frame/filters.tsx';
import { client } from '../frame/server.ts';
import { Title } from '../frame/title.tsx';
import { signed } from '../player/numbers.ts';
import { readTraining, type TrainingView } from './suspects.ts';
import { TrainingChart } from './training-chart.tsx';

const filters = ['player', 'study', 'collection', 'scenario'] as const;

/** How many rows, the latest groups first. */
const most = 200;

/** How groups of rollouts do in the order in which they began, which of them teach nothing, and what looks like cheating. */
export function TrainingPage({ query }: { readonly query: URLSearchParams }) {
  const asked: EpisodeFilter = Object.fromEntries(
    filters.flatMap((name) => (query.get(name) ? [[name, query.get(name)]] : [])),
  );
  return (
    <>
      <Title text="Training · Whetstone" />
      <header class="head">
        <h1>Training</h1>
        <p class="quiet">
          Episodes with one <code>group</code> are rollouts of one prompt. A trainer learns from how their
          rewards differ.
        </p>
      </header>
      <Filters names={filters} query={query} />
      <Asked
        about={`training ${JSON.stringify(asked)}`}
        ask={(server, signal) => server.stats({ ...asked, group_by: 'group' }, { signal })}
      >
        {({ groups }) => <Shown training={readTraining(groups)} filter={asked} />}
      </Asked>
    </>
  );
}

interface ShownProps {
  readonly training: TrainingView;
  readonly filter: EpisodeFilter;
}

function Shown({ training: { groups, flat, trend }, filter }: ShownProps) {
  if (groups.length === 0)
    return (
      <p class="quiet">
        No group was graded. A trainer names one when it opens episodes: <code>group</code>.
      </p>
    );
  return (
    <>
      <TrainingChart groups={groups} />
      <section aria-label="What to look at">
        <h2>What to look at</h2>
        <ul class="plain">
          <li>
            {flat.length === 0 ? (
              <span class="good">✓ Rewards differ within every group.</span>
            ) : (
              <>
                <span class="middling">
                  ◐ {flat.length} of {groups.length} groups teach nothing:
                </span>{' '}
                all of their episodes earned the same.
              </>
            )}
          </li>
          {trend && (
            <li>
              {trend.isSuspect ? (
                <span class="bad">✗ Suspect: </span>
              ) : (
                <span class="quiet">From the first third to the last: </span>
              )}
              reward {rewardText(trend.reward[0])} → {rewardText(trend.reward[1])} (
              {signed(trend.reward[1] - trend.reward[0])}), success {rewardText(trend.success[0])} →{' '}
              {rewardText(trend.success[1])} ({signed(trend.success[1] - trend.success[0])}).
              {trend.isSuspect && ' What is rewarded may not be the task: look at what the late groups do.'}
            </li>
          )}
          <SameWords groups={groups} filter={filter} />
        </ul>
      </section>
      <Groups groups={groups} filter={filter} />
    </>
  );
}

function Groups({
  groups,
  filter,
}: {
  readonly groups: readonly StatGroup[];
  readonly filter: EpisodeFilter;
}) {
  return (
    <section aria-label="Groups">
      <h2>Groups</h2>
      <div class="scroll" tabIndex={0} role="group" aria-label="Groups, the latest first">
        <table class="rows">
          <thead>
            <tr>
              <th scope="col">Group</th>
              <th scope="col" class="number">
                Episodes
              </th>
              <th scope="col">Reward</th>
              <th scope="col" class="number">
                Spread
              </th>
              <th scope="col" class="number">
                Success
              </th>
              <th scope="col">Began</th>
            </tr>
          </thead>
          <tbody>
            {groups
              .toReversed()
              .slice(0, most)
              .map((group) => {
                const name = String(group.by['group']);
                return (
                  <tr key={name}>
                    <td>
                      <a href={addressOf(['episodes'], { ...filter, group: name })} data-step>
                        {name}
                      </a>
                    </td>
                    <td class="number">{group.complete}</td>
                    <td>
                      <RewardCell reward={group.reward?.mean} />
                    </td>
                    <td class="number">
                      {group.complete > 1 && group.deviation === 0 ? (
                        <span class="middling">◐ none</span>
                      ) : (
                        rewardText(group.deviation)
                      )}
                    </td>
                    <td class="number">{rewardText(group.success?.mean)}</td>
                    <td class="quiet">
                      <time dateTime={group.began_at}>{new Date(group.began_at).toLocaleString()}</time>
                    </td>
                  </tr>
                );
              })}
          </tbody>
        </table>
      </div>
      {groups.length > most && (
        <p class="small quiet">
          The latest {most} of {groups.length.toLocaleString()} groups.
        </p>
      )}
    </section>
  );
}

/** How many of the latest groups are read, and how many episodes of each. */
const groupsRead = 12;
const episodesRead = 4;

/** Whether the rollouts of a group say the same in their first turn: they are read when somebody asks. */
function SameWords({
  groups,
  filter,
}: {
  readonly groups: readonly StatGroup[];
  readonly filter: EpisodeFilter;
}) {
  const [found, setFound] = useState<readonly string[]>();
  const [error, setError] = useState<string>();
  const look = (): void => {
    const names = groups
      .filter(({ complete }) => complete > 1)
      .slice(-groupsRead)
      .map(({ by }) => String(by['group']));
    Promise.all(names.map((group) => saySame({ ...filter, group }))).then(
      (same) => setFound(names.filter((_, place) => same[place])),
      (cause: Error) => setError(cause.message),
    );
  };
  if (error !== undefined) return <li role="alert">{error}</li>;
  if (found === undefined)
    return (
      <li>
        <button class="plain" type="button" onClick={look}>
          Look for rollouts that say the same
        </button>
      </li>
    );
  return (
    <li role="status">
      {found.length === 0 ? (
        <span class="good">✓ In the latest groups no two rollouts begin with the same words.</span>
      ) : (
        <>
          <span class="bad">✗ Every rollout begins with the same words: </span>
          <span class="dots">
            {found.map((group) => (
              <a key={group} href={addressOf(['episodes'], { ...filter, group })}>
                {group}
              </a>
            ))}
          </span>
        </>
      )}
    </li>
  );
}

async function saySame(filter: EpisodeFilter): Promise<boolean> {
  const { episodes } = await client().episodes({ ...filter, limit: episodesRead });
  const begun = await Promise.all(
    episodes.map(async ({ episode_id: id }) => {
      const { turns } = await client().turns(id, { limit: 1 });
      return JSON.stringify(turns[0]?.messages ?? []);
    }),
  );
  return begun.length > 1 && new Set(begun).size === 1;
}
