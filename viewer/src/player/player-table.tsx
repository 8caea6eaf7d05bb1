import type { EpisodeFilter } from '../../../src/serve/api/filter.ts';
import type { StatGroup } from '../../../src/serve/api/stats.ts';
import { Histogram } from '../chart/histogram.tsx';
import { rewardText } from '../chart/reward.tsx';
import { addressOf } from '../frame/address.ts';
import { costText, meanText } from './numbers.ts';

interface PlayerTableProps {
  readonly players: readonly StatGroup[];
  readonly filter: EpisodeFilter;
}

/** Every player in a row, the best first. */
export function PlayerTable({ players, filter }: PlayerTableProps) {
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label="Players">
      <table class="rows">
        <thead>
          <tr>
            <th scope="col">Player</th>
            <th scope="col" class="number">
              Episodes
            </th>
            <th scope="col" class="number">
              Scenarios
            </th>
            <th scope="col">Reward</th>
            <th scope="col">Success</th>
            <th scope="col" class="number">
              Progress
            </th>
            <th scope="col" class="number">
              Gate closed
            </th>
            <th scope="col">Rewards from 0 to 1</th>
            <th scope="col" class="number">
              Turns
            </th>
            <th scope="col" class="number">
              Tokens
            </th>
            <th scope="col" class="number">
              Cost
            </th>
            <th scope="col" class="number">
              Errors
            </th>
          </tr>
        </thead>
        <tbody>
          {players.map((player) => (
            <tr key={String(player.by['player'])}>
              <td>
                <PlayerLink name={player.by['player'] ?? null} filter={filter} />
              </td>
              <td class="number">
                {player.complete.toLocaleString()}
                {player.episodes > player.complete && (
                  <span class="quiet"> + {player.episodes - player.complete} open</span>
                )}
              </td>
              <td class="number">{player.scenarios}</td>
              <td>{meanText(player.reward)}</td>
              <td>{meanText(player.success)}</td>
              <td class="number">{player.progress === undefined ? '—' : rewardText(player.progress)}</td>
              <td class={player.gate_closed > 0 ? 'number bad' : 'number'}>{player.gate_closed}</td>
              <td>
                <Histogram counts={player.histogram} label="Rewards" />
              </td>
              <td class="number">{perEpisode(player.turns, player)}</td>
              <td class="number">
                {perEpisode((player.usage.input_tokens ?? 0) + (player.usage.output_tokens ?? 0), player)}
              </td>
              <td class="number">{costText(player.usage)}</td>
              <td class="number">{player.usage.errors}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function PlayerLink({
  name,
  filter,
}: {
  readonly name: string | number | null;
  readonly filter: EpisodeFilter;
}) {
  if (name === null) return <span class="quiet">nobody said</span>;
  return (
    <a href={addressOf(['episodes'], { ...filter, player: String(name) })} data-step>
      {String(name)}
    </a>
  );
}

function perEpisode(sum: number, { complete }: StatGroup): string {
  return complete === 0 || sum === 0 ? '—' : Math.round(sum / complete).toLocaleString();
}
