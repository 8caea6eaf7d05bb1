import type { Failure } from '../../../src/serve/api/comparison.ts';
import type { EpisodeFilter } from '../../../src/serve/api/filter.ts';
import { plain, thousandths } from '../episode/arithmetic.ts';
import { addressOf, episodeAddress } from '../frame/address.ts';
import { Asked } from '../frame/asked.tsx';
import { rewardText } from '../chart/reward.tsx';

/** What was missed, criterion by criterion, the dearest first, each with the worst episodes. */
export function Failures({ filter }: { readonly filter: EpisodeFilter }) {
  return (
    <Asked
      about={`failures ${JSON.stringify(filter)}`}
      ask={(server, signal) => server.failures(filter, { signal })}
    >
      {({ episodes, cut, failures }) => (
        <section aria-label="Failures">
          <p class="small quiet">
            {failures.length === 0
              ? episodes === 0
                ? 'No ended episode was looked at, or this key may not see reasons.'
                : `Nothing was missed in ${episodes.toLocaleString()} episodes.`
              : `Of ${cut ? 'the latest ' : ''}${episodes.toLocaleString()} episodes; what cost most comes first.`}
          </p>
          {failures.length > 0 && (
            <div class="scroll" tabIndex={0} role="group" aria-label="Missed criteria">
              <table class="rows">
                <thead>
                  <tr>
                    <th scope="col">What was missed</th>
                    <th scope="col">Scenario</th>
                    <th scope="col">Kind</th>
                    <th scope="col" class="number">
                      Episodes
                    </th>
                    <th scope="col" class="number">
                      Cost
                    </th>
                    <th scope="col">Worst</th>
                  </tr>
                </thead>
                <tbody>
                  {failures.slice(0, 200).map((failure) => (
                    <Row
                      key={`${failure.collection}/${failure.scenario}/${failure.kind}/${failure.id}`}
                      failure={failure}
                    />
                  ))}
                </tbody>
              </table>
            </div>
          )}
        </section>
      )}
    </Asked>
  );
}

function Row({ failure }: { readonly failure: Failure }) {
  const { collection, scenario, kind, id, reason, episodes, lost, examples } = failure;
  return (
    <tr>
      <td>
        {plain(reason)} <code class="quiet small">{id}</code>
      </td>
      <td>
        <a href={addressOf(['scenarios', collection, scenario])}>{scenario}</a>
      </td>
      <td>{kind}</td>
      <td class="number">{episodes.toLocaleString()}</td>
      <td class="number">{thousandths(lost * 1000)}</td>
      <td>
        <span class="dots">
          {examples.map(({ episode_id: episode, reward, turn }) => (
            <a
              key={episode}
              href={episodeAddress(episode, turn === undefined || turn === 0 ? {} : { turn })}
              data-step
            >
              {rewardText(reward)}
            </a>
          ))}
        </span>
      </td>
    </tr>
  );
}
