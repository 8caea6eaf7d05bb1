import { operators } from '../../grade/play/operators.ts';
import type { Task } from '../../grade/scenario/task.ts';
import type { EpisodeDetailAnswer } from '../api/episode.ts';
import type { Reason } from '../api/grade.ts';
import type { Client } from '../client/client.ts';
import { cardOf } from './player/player-card.ts';
import { operatorPlayer } from './player/operator-player.ts';
import { playEpisode } from '../client/play-episode.ts';

/** One built-in operator's episode, and how it was graded. */
export interface Performance {
  readonly operator: string;
  readonly does: string;
  readonly episode: EpisodeDetailAnswer;
}

/** The episodes of a start belong together: the page compares them. */
export const demoGroup = 'first-start';

/**
 * Plays every built-in operator through a task, over HTTP as a trainer would. Each creation and each turn says which
 * one it is, so that a second start finds the episodes of the first instead of playing them again.
 */
export async function playOperators(client: Client, task: Task): Promise<readonly Performance[]> {
  return Promise.all(
    operators.map(async (operator): Promise<Performance> => {
      const { collection, scenario, variant, seed, version } = task.reference;
      const episode = await playEpisode(
        client,
        {
          collection_slug: collection,
          scenario_slug: scenario,
          variant,
          seed,
          group: demoGroup,
          player: cardOf({ operator: operator.name }),
        },
        {
          player: () => operatorPlayer(operator, task),
          idempotencyKey: `${demoGroup}/by ${operator.name}/${collection}/${scenario}/${version}`,
        },
      );
      return { operator: operator.name, does: operator.description, episode };
    }),
  );
}

/** The rewards as a table, best first. */
export function rewardTable(performances: readonly Performance[]): string {
  const rows = byReward(performances).map(({ operator, does, episode }) => [
    operator,
    fixed(episode.grade?.reward),
    episode.grade?.success === 1 ? 'yes' : 'no',
    fixed(episode.grade?.progress),
    String(episode.turn_count),
    does,
  ]);
  const all = [['operator', 'reward', 'success', 'progress', 'turns', 'what it does'], ...rows];
  const widths = all[0]!.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  return all
    .map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column]!)).join('  ')}`.trimEnd())
    .join('\n');
}

/** Why the worst one got what it got: the reason that cost most, in a sentence. */
export function worstReason(performances: readonly Performance[]): string | undefined {
  const worst = byReward(performances).at(-1);
  const grade = worst?.episode.explain?.grade;
  if (worst === undefined || grade === undefined) return undefined;
  const lost = (reason: Reason): number => reason.possible - reason.earned;
  const [reason] = grade.reasons
    .filter((known) => lost(known) > 0 && known.not_judged !== true)
    .toSorted((a, b) => lost(b) - lost(a));
  if (reason === undefined) return undefined;
  const where = reason.turn === undefined ? '' : ` (turn ${reason.turn})`;
  return `${worst.operator} has the lowest reward: ${reason.reason}${where}`;
}

function byReward(performances: readonly Performance[]): readonly Performance[] {
  return performances.toSorted((a, b) => (b.episode.grade?.reward ?? 0) - (a.episode.grade?.reward ?? 0));
}

function fixed(value: number | undefined): string {
  return (value ?? 0).toFixed(3);
}
