import { detectableDifference } from '../statistics/power.ts';
import type { Cell } from '../suite/cells.ts';
import { addSpent, nothingSpent, type Spent } from './player-model.ts';
import type { StudyResult } from './study-result.ts';

/** What a study is to play, and what that can show and cost. */
export interface StudyPlan {
  readonly tasks: number;
  readonly templates: number;
  readonly players: number;
  readonly trials: number;
  readonly episodes: number;
  /** Two players that differ by this much are told apart four times in five; absent with one template. */
  readonly smallestDifference: number | undefined;
  /** Expected for what is still to be played, from what each player used before. */
  readonly expected: Spent;
  /** Players with a model of which nothing was played yet, so that nobody knows what they use. */
  readonly unknown: readonly string[];
}

export function planStudy(
  cells: readonly Cell[],
  before: { readonly has: (key: string) => boolean; readonly results: Iterable<StudyResult> },
): StudyPlan {
  const templates = new Set(cells.map(({ task }) => task.template)).size;
  const tasks = new Set(cells.map(({ task }) => `${task.template}/${task.task}`)).size;
  const players = new Map(cells.map(({ player }) => [player.name, player]));
  const trials = new Set(cells.map(({ trial }) => trial)).size;
  const used = new Map<string, { readonly count: number; readonly spent: Spent }>();
  for (const { player, spent } of before.results) {
    if (spent === undefined) continue;
    const sum = used.get(player) ?? { count: 0, spent: nothingSpent };
    used.set(player, { count: sum.count + 1, spent: addSpent(sum.spent, spent) });
  }
  let expected = nothingSpent;
  const unknown: string[] = [];
  const left = Map.groupBy(
    cells.filter(({ key }) => !before.has(key)),
    ({ player }) => player.name,
  );
  for (const [name, own] of left) {
    if (!('model' in players.get(name)!)) continue;
    const known = used.get(name);
    if (known === undefined) unknown.push(name);
    else expected = addSpent(expected, times(known.spent, own.length / known.count));
  }
  return {
    tasks,
    templates,
    players: players.size,
    trials,
    episodes: cells.length,
    smallestDifference: detectableDifference({ templates, variants: tasks / templates, trials }),
    expected,
    unknown,
  };
}

function times({ requests, tokens, cost }: Spent, factor: number): Spent {
  return {
    requests: requests * factor,
    tokens: tokens * factor,
    ...(cost !== undefined && { cost: cost * factor }),
  };
}
