import { summarize } from '../../eval/study/summary.ts';
import type { StudyResult } from '../../eval/study/study-result.ts';
import { operators } from '../../grade/play/operators.ts';
import type { Task } from '../../grade/scenario/task.ts';
import type { EpisodeDetailAnswer } from '../api/episode.ts';
import type { Reason } from '../api/grade.ts';
import type { Client } from '../client/client.ts';
import { playEpisode } from '../client/play-episode.ts';
import { summaryTable } from '../evaluate/eval/print-study.ts';
import { cardOf } from '../evaluate/player/player-card.ts';
import { operatorPlayer } from '../evaluate/player/operator-player.ts';

/** One built-in operator's episode, and how it was graded. */
export interface Performance {
  readonly operator: string;
  readonly episode: EpisodeDetailAnswer;
}

/** The episodes of a start belong together: the page compares them. */
export const demoGroup = 'first-start';

/**
 * Plays every built-in operator through the tasks, over HTTP as a trainer would. Each creation and each turn says which
 * one it is, so that a second start finds the episodes of the first instead of playing them again.
 */
export async function playOperators(client: Client, tasks: readonly Task[]): Promise<readonly Performance[]> {
  const played: Performance[] = [];
  for (const task of tasks) {
    const { collection, scenario, variant, seed, version } = task.reference;
    const episodes = operators.map((operator) =>
      playEpisode(
        client,
        {
          collection_slug: collection,
          scenario_slug: scenario,
          variant,
          seed,
          group: demoGroup,
          study: demoGroup,
          player: cardOf({ operator: operator.name }),
        },
        {
          player: () => operatorPlayer(operator, task),
          idempotencyKey: `${demoGroup}/by ${operator.name}/${collection}/${scenario}/${variant}/${version}`,
        },
      ),
    );
    const ended = await Promise.all(episodes);
    played.push(...ended.map((episode, place) => ({ operator: operators[place]!.name, episode })));
  }
  return played;
}

/** How every operator did, with intervals, the best first. */
export function operatorTable(performances: readonly Performance[]): string {
  return summaryTable(summarize(performances.map(resultOf)))
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n');
}

function resultOf({ operator, episode }: Performance): StudyResult {
  const template = `${episode.collection_slug}/${episode.scenario_slug}`;
  return {
    key: episode.episode_id,
    player: operator,
    template,
    task: String(episode.variant),
    trial: 0,
    reward: episode.grade?.reward ?? 0,
    success: episode.grade?.success === 1,
    turns: episode.turn_count,
  };
}

/** Why a careful operator lost what it lost: of those that tried, the reason that cost most, in a sentence. */
export function worstReason(performances: readonly Performance[]): string | undefined {
  const lost = ({ possible, earned }: Reason): number => possible - earned;
  const [worst] = performances
    .filter(({ episode }) => episode.turn_count > 1)
    .flatMap(({ operator, episode }) =>
      (episode.explain?.grade.reasons ?? [])
        .filter((reason) => reason.not_judged !== true && lost(reason) > 0)
        .map((reason) => ({ operator, episode, reason })),
    )
    .toSorted((a, b) => lost(b.reason) - lost(a.reason));
  if (worst === undefined) return undefined;
  const { operator, episode, reason } = worst;
  const where = reason.turn === undefined ? '' : `, turn ${reason.turn}`;
  return `What cost most (${operator} in ${episode.scenario_slug}${where}): ${reason.reason}`;
}
