import type { StatGroup } from '../../../src/serve/api/stats.ts';

interface TrainingChartProps {
  readonly groups: readonly StatGroup[];
}

const width = 900;
/** What the numbers of the axis take at the left. */
const margin = 26;
const height = 180;
/** Up to this many groups are drawn one by one; the line goes through them all. */
const mostDrawn = 1500;
const smoothed = 10;

/** The mean reward of each group with its spread, and lines through the last ten: of the reward, and of success. */
export function TrainingChart({ groups }: TrainingChartProps) {
  const last = Math.max(1, groups.length - 1);
  const x = (place: number): number => margin + 4 + (place / last) * (width - margin - 8);
  const y = (value: number): number => height - 8 - value * (height - 16);
  const every = Math.ceil(groups.length / mostDrawn);
  const rewards = groups.map(({ reward }) => reward?.mean ?? 0);
  const successes = groups.map(({ success }) => success?.mean ?? 0);
  const line = (values: readonly number[]): string =>
    smooth(values)
      .map((value, place) => `${x(place).toFixed(1)},${y(value).toFixed(1)}`)
      .filter((_, place) => place % every === 0 || place === values.length - 1)
      .join(' ');
  return (
    <figure class="panel training">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={`Reward of ${groups.length} groups, from ${first(rewards)} to ${first(rewards.toReversed())}; success from ${first(successes)} to ${first(successes.toReversed())}`}
      >
        {[0, 0.5, 1].map((value) => (
          <g key={value}>
            <text x="0" y={y(value) + 3.5} class="quiet">
              {value}
            </text>
            <path d={`M${margin} ${y(value)}H${width}`} class="axis" />
          </g>
        ))}
        {groups.map(({ deviation = 0 }, place) =>
          place % every === 0 ? (
            <g key={place}>
              <path
                class="spread"
                d={`M${x(place).toFixed(1)} ${y(Math.max(0, rewards[place]! - deviation)).toFixed(1)}V${y(Math.min(1, rewards[place]! + deviation)).toFixed(1)}`}
              />
              <circle cx={x(place)} cy={y(rewards[place]!)} r="2.5" />
            </g>
          ) : null,
        )}
        <polyline class="reward-line" points={line(rewards)} />
        <polyline class="success-line" points={line(successes)} />
      </svg>
      <figcaption class="small quiet">
        Each point is the mean reward of a group, with its spread; the whole line follows the last {smoothed}{' '}
        groups, the broken line their success.
      </figcaption>
    </figure>
  );
}

function first(values: readonly number[]): string {
  return (values[0] ?? 0).toFixed(2);
}

/** The mean of each value and those before it. */
function smooth(values: readonly number[]): readonly number[] {
  let sum = 0;
  return values.map((value, place) => {
    sum += value - (place >= smoothed ? values[place - smoothed]! : 0);
    return sum / Math.min(place + 1, smoothed);
  });
}
