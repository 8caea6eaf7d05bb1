import type { StatGroup } from '../../../src/serve/api/stats.ts';
import { rewardText, tone } from '../chart/reward.tsx';
import { addressOf, changeQuery } from '../frame/address.ts';
import { signed, signedTone } from './numbers.ts';

interface MatrixProps {
  readonly players: readonly StatGroup[];
  readonly cells: readonly StatGroup[];
  /** The player that the others are compared with; the best one when nobody chose. */
  readonly baseline: string | undefined;
}

/** So many stand beside each other; more are in the table. */
const most = 6;

/** Scenario by scenario: what each player earned on the average, and how far that is from one of them. */
export function Matrix({ players, cells, baseline }: MatrixProps) {
  const names = players
    .flatMap(({ by }) => (typeof by['player'] === 'string' ? [by['player']] : []))
    .slice(0, most);
  if (names.length < 2) return null;
  const against = names.find((name) => name === baseline) ?? names[0]!;
  const scenarios = Map.groupBy(cells, ({ by }) => `${by['collection']}/${by['scenario']}`);
  const rows = [...scenarios].map(([scenario, own]) => {
    const means = new Map(own.map(({ by, reward }) => [by['player'], reward?.mean]));
    const apart = names.map((name) => Math.abs((means.get(name) ?? 0) - (means.get(against) ?? 0)));
    return { scenario, means, apart: Math.max(...apart) };
  });
  return (
    <section aria-label="By scenario">
      <h2>By scenario</h2>
      <label class="row small">
        <span class="quiet">against</span>
        <select value={against} onChange={(event) => changeQuery({ against: event.currentTarget.value })}>
          {names.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
        <span class="quiet">the scenarios that tell them apart most come first</span>
      </label>
      <div class="scroll" tabIndex={0} role="group" aria-label="Rewards by scenario and player">
        <table class="rows">
          <thead>
            <tr>
              <th scope="col">Scenario</th>
              {names.map((name) => (
                <th key={name} scope="col" class="number">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows
              .toSorted((one, other) => other.apart - one.apart)
              .map(({ scenario, means }) => (
                <tr key={scenario}>
                  <td>
                    <a href={addressOf(['scenarios', ...scenario.split('/')])}>{scenario}</a>
                  </td>
                  {names.map((name) => (
                    <Cell
                      key={name}
                      scenario={scenario}
                      player={name}
                      mean={means.get(name)}
                      base={name === against ? undefined : means.get(against)}
                    />
                  ))}
                </tr>
              ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

interface CellProps {
  readonly scenario: string;
  readonly player: string;
  readonly mean: number | undefined;
  readonly base: number | undefined;
}

function Cell({ scenario, player, mean, base }: CellProps) {
  if (mean === undefined) return <td class="number quiet">—</td>;
  const [collection, name] = scenario.split('/');
  const by = base === undefined ? 0 : mean - base;
  return (
    <td class="number">
      <a class={tone(mean)} href={addressOf(['episodes'], { collection, scenario: name, player })}>
        {rewardText(mean)}
      </a>{' '}
      {base !== undefined && <span class={`${signedTone(by)} small`}>{signed(by)}</span>}
    </td>
  );
}
