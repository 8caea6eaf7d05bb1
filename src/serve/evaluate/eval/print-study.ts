import type { Spent } from '../../../eval/study/player-model.ts';
import type { StudyPlan } from '../../../eval/study/study-plan.ts';
import type { PlayerSummary } from '../../../eval/study/summary.ts';

export function planText({
  tasks,
  templates,
  players,
  trials,
  episodes,
  smallestDifference: smallest,
  expected,
  unknown,
}: StudyPlan): string {
  const shows =
    smallest === undefined
      ? 'One scenario alone says nothing about others.'
      : `Two players that differ by ${smallest.toFixed(2)} are told apart four times in five.`;
  const costs = [
    ...(expected.requests > 0 ? [`Expected for what is left: ${spentText(expected)}.`] : []),
    ...(unknown.length > 0
      ? [
          `What ${unknown.join(', ')} will use is not known until something has been played: try --limit 3 first.`,
        ]
      : []),
  ];
  const of = tasks === templates ? `${tasks} tasks` : `${tasks} tasks of ${templates} scenarios`;
  return [`${of}, ${players} players, ${trials} trials: ${episodes} episodes. ${shows}`, ...costs].join('\n');
}

function spentText({ requests, tokens, cost }: Spent): string {
  const money = cost === undefined ? 'cost unknown (a player has no price)' : `cost ${cost.toFixed(2)}`;
  return `${Math.round(requests)} requests, ${Math.round(tokens)} tokens, ${money}`;
}

export interface ProgressState {
  readonly done: number;
  readonly of: number;
  /** Played by this command, and for how long it has been playing. */
  readonly played: number;
  readonly ms: number;
  readonly spent: Spent;
  readonly faults: ReadonlyMap<string, number>;
}

/** One line: how far it is, how fast, when it will be done, what it used, and what failed. */
export function progressText({ done, of, played, ms, spent, faults }: ProgressState): string {
  const rate = played / Math.max(ms, 1);
  const parts = [
    `${done} of ${of} played`,
    `${(rate * 60_000).toFixed(rate * 60_000 < 10 ? 1 : 0)} a minute`,
    ...(done < of ? [`${durationText((of - done) / rate)} left`] : []),
    ...(spent.requests > 0 ? [spentText(spent)] : []),
    ...(faults.size > 0 ? [`failed tries: ${faultsText(faults)}`] : []),
  ];
  return parts.join(', ');
}

export function faultsText(faults: ReadonlyMap<string, number>): string {
  return [...faults].map(([kind, count]) => `${kind} ${count}`).join(', ');
}

function durationText(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Every player in a row, the best first. */
export function summaryTable(summaries: readonly PlayerSummary[]): string {
  const rows = [
    [
      'player',
      'episodes',
      'reward',
      '95 %',
      'success',
      '95 %',
      'all trials succeed',
      'against the one above',
    ],
    ...summaries.map((each) => [
      each.player,
      String(each.results),
      each.reward.toFixed(3),
      interval(each.rewardInterval),
      each.success.toFixed(3),
      interval(each.successInterval),
      (Object.values(each.passHatK).at(-1) ?? 0).toFixed(3),
      each.comparison === undefined ? '' : difference(each.comparison),
    ]),
  ];
  return aligned(rows);
}

/** Every player in a row: by k, the share of tasks of which k trials all succeed. */
export function passTable(summaries: readonly PlayerSummary[]): string {
  const most = Math.max(0, ...summaries.map(({ passHatK }) => Object.keys(passHatK).length));
  const ks = Array.from({ length: most }, (_, index) => String(index + 1));
  return aligned([
    ['player', ...ks.map((k) => `pass^${k}`)],
    ...summaries.map(({ player, passHatK }) => [player, ...ks.map((k) => passHatK[k]?.toFixed(3) ?? '–')]),
  ]);
}

/** A table for a terminal. */
export function aligned(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function difference({ difference: by, verdict }: NonNullable<PlayerSummary['comparison']>): string {
  const word = verdict === 'a better' ? 'worse' : verdict === 'b better' ? 'better' : 'undecided';
  return `${by >= 0 ? '+' : ''}${by.toFixed(3)} ${word}`;
}

export function interval(bounds: readonly [number, number] | undefined, digits = 2): string {
  return bounds === undefined ? '–' : `${bounds[0].toFixed(digits)}–${bounds[1].toFixed(digits)}`;
}
