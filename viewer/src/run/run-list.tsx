import { useState } from 'preact/hooks';

import type { StatGroup } from '../../../src/serve/api/stats.ts';
import { addressOf } from '../frame/address.ts';
import { Asked } from '../frame/asked.tsx';
import { Filters } from '../frame/filters.tsx';
import { Title } from '../frame/title.tsx';
import { costText, meanText } from '../player/numbers.ts';
import { Histogram } from '../chart/histogram.tsx';
import { compareAddress, runAddress, runName } from './run-address.ts';

const filters = ['study', 'player', 'scenario', 'collection'] as const;

/** So many runs are beside each other. */
const most = 6;

/** What each player did in each study, the latest first; some of them to be compared. */
export function RunList({ query }: { readonly query: URLSearchParams }) {
  const asked = Object.fromEntries(
    filters.flatMap((name) => (query.get(name) ? [[name, query.get(name)]] : [])),
  );
  return (
    <>
      <Title text="Runs · Whetstone" />
      <header class="head">
        <h1>Runs</h1>
        <p class="quiet">A run is what one player did in one study. Choose two to six to compare them.</p>
      </header>
      <Filters names={filters} query={query} />
      <Asked
        about={`runs ${JSON.stringify(asked)}`}
        ask={(server, signal) => server.stats({ ...asked, group_by: 'study,player' }, { signal })}
      >
        {({ groups }) => (
          <Rows runs={groups.filter(({ by }) => by['study'] !== null).toSorted(latestFirst)} />
        )}
      </Asked>
    </>
  );
}

function latestFirst(one: StatGroup, other: StatGroup): number {
  return other.began_at.localeCompare(one.began_at) || meanOf(other) - meanOf(one);
}

function meanOf({ reward }: StatGroup): number {
  return reward?.mean ?? -1;
}

function Rows({ runs }: { readonly runs: readonly StatGroup[] }) {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  if (runs.length === 0)
    return (
      <p class="quiet">
        No run matches. <code>whet eval suite.yaml</code> plays a study, and so does{' '}
        <code>whet run --split train</code>; whoever opens episodes names theirs in <code>study</code>.
      </p>
    );
  const choose = (name: string, isChosen: boolean): void =>
    setChosen(isChosen ? [...chosen, name] : chosen.filter((one) => one !== name));
  return (
    <>
      <p class="row">
        {chosen.length < 2 ? (
          <button class="plain" type="button" disabled>
            Compare
          </button>
        ) : (
          <a class="primary" href={compareAddress(chosen)}>
            Compare {chosen.length} runs
          </a>
        )}
        <span class="quiet small">The first that you choose is the baseline.</span>
      </p>
      <div class="scroll" tabIndex={0} role="group" aria-label="Runs">
        <table class="rows runs">
          <thead>
            <tr>
              <th scope="col">
                <span class="hidden">Compare</span>
              </th>
              <th scope="col">Player</th>
              <th scope="col">Study</th>
              <th scope="col" class="number">
                Episodes
              </th>
              <th scope="col" class="number">
                Scenarios
              </th>
              <th scope="col">Reward</th>
              <th scope="col">Success</th>
              <th scope="col">Rewards from 0 to 1</th>
              <th scope="col" class="number">
                Cost
              </th>
              <th scope="col">Began</th>
            </tr>
          </thead>
          <tbody>
            {runs.map((run) => {
              const [study, player] = [String(run.by['study']), run.by['player']];
              const name = runName(study, player === null ? '' : String(player));
              const label = String(player ?? 'nobody said');
              return (
                <tr key={name}>
                  <td>
                    <input
                      type="checkbox"
                      aria-label={`Compare ${label} in ${study}`}
                      checked={chosen.includes(name)}
                      disabled={!chosen.includes(name) && chosen.length >= most}
                      onChange={(event) => choose(name, event.currentTarget.checked)}
                    />
                  </td>
                  <td>
                    {player === null ? (
                      <a href={addressOf(['episodes'], { study })} data-step>
                        {label}
                      </a>
                    ) : (
                      <a href={runAddress(study, String(player))} data-step>
                        {label}
                      </a>
                    )}
                  </td>
                  <td>
                    <a href={addressOf(['players'], { study })}>{study}</a>
                  </td>
                  <td class="number">
                    {run.complete.toLocaleString()}
                    {run.episodes > run.complete && (
                      <span class="quiet"> + {run.episodes - run.complete} open</span>
                    )}
                  </td>
                  <td class="number">{run.scenarios}</td>
                  <td>{meanText(run.reward)}</td>
                  <td>{meanText(run.success)}</td>
                  <td>
                    <Histogram counts={run.histogram} label="Rewards" />
                  </td>
                  <td class="number">{costText(run.usage)}</td>
                  <td class="quiet">
                    <time dateTime={run.began_at}>{new Date(run.began_at).toLocaleString()}</time>
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </>
  );
}
