import { hashJson } from '../../base/json/sha256.ts';
import type { JsonValue } from '../../base/json/value.ts';
import type { PageStage } from '../play/page/page-stage.ts';
import { playOnStage } from '../play/play-through.ts';
import { answersOf, type TurnAnswers } from '../play/play.ts';
import { buildTask } from '../scenario/build-task.ts';
import { messagesOf, pathsOf } from '../scenario/paths.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { Task } from '../scenario/task.ts';
import type { TurnMessage } from '../scenario/transcript.ts';

/** The results of a path's calls on the page of a variant, turn by turn. */
export type ActedPaths = ReadonlyMap<string, readonly TurnAnswers['acted'][]>;

export interface ActOptions {
  readonly variants: number;
  readonly stage: PageStage;
  /** The flawed paths too, or only gold. */
  readonly paths: 'all' | 'gold';
}

/** Does on its page what the paths of a scenario do, in so many variants, so that they can be played and graded. */
export async function actPaths(scenario: Scenario, options: ActOptions): Promise<ActedPaths> {
  const acted = new Map<string, readonly TurnAnswers['acted'][]>();
  for (let variant = 0; variant < Math.min(options.variants, scenario.variants); variant++) {
    const task = buildTask(scenario, variant);
    if (task.page === undefined) return acted;
    const flawed = options.paths === 'gold' ? [] : pathsOf(scenario, variant).flawed;
    for (const path of [task.gold, ...flawed.map(({ turns }) => turns)]) {
      const turns = path.map(messagesOf);
      const played = await playOnStage(options.stage, task, turns);
      acted.set(
        pathKey(task, turns),
        played.turns.map((turn) => answersOf(turn).acted),
      );
    }
  }
  return acted;
}

export function pathKey({ reference }: Task, turns: readonly (readonly TurnMessage[])[]): string {
  return hashJson([reference.variant, turns as unknown as JsonValue]);
}
