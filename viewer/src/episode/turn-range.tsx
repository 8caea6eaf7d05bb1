import type { EpisodeTurn } from '../../../src/serve/api/turn.ts';
import { changeQuery } from '../frame/address.ts';
import type { Turns } from './turn-pages.ts';

const span = 25;

/** The turns of a tab that shows all of an episode, or part of a long one. */
export interface TurnRange {
  readonly from: number;
  readonly to: number;
  readonly turns: readonly EpisodeTurn[];
}

/** Which of them is in the address. */
export function turnRange(turns: Turns, query: URLSearchParams): TurnRange {
  const isLong = turns.count > span + 10;
  const asked = Math.min(turns.count, Math.max(1, Math.floor(Number(query.get('from')) || 1)));
  const from = isLong ? asked : 1;
  const to = isLong ? Math.min(turns.count, from + span - 1) : turns.count;
  const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  return { from, to, turns: numbers.flatMap((turn) => turns.at(turn) ?? []) };
}

/** Says which turns are shown of a long episode, and leads to the others. */
export function RangeBar({
  range: { from, to },
  count,
}: {
  readonly range: TurnRange;
  readonly count: number;
}) {
  if (from === 1 && to === count) return null;
  const show = (next: number): void => changeQuery({ from: String(Math.max(1, next)) });
  return (
    <p class="row small range">
      <span>
        Turns {from.toLocaleString()} to {to.toLocaleString()} of {count.toLocaleString()}
      </span>
      <button class="plain" type="button" disabled={from === 1} onClick={() => show(from - span)}>
        Earlier
      </button>
      <button class="plain" type="button" disabled={to === count} onClick={() => show(to + 1)}>
        Later
      </button>
    </p>
  );
}
