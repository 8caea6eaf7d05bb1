import { compareResults, type Comparison } from '../../../eval/statistics/comparison.ts';
import { passRates } from '../../../eval/statistics/pass-at-k.ts';
import type { TaskResult } from '../../../eval/statistics/result.ts';
import { rewardBins } from '../../../grade/store/episode-sums.ts';
import type { EpisodeFilter, EpisodeSums, Store } from '../../../grade/store/store.ts';
import type { ComparedCell, ComparedTask, RunDifference, RunSummary } from '../../api/comparison.ts';
import type { PlayerCard } from '../../api/player.ts';
import type { ServerContext } from '../../http/context.ts';
import { nameAt } from '../../http/fields.ts';
import { invalid } from '../../http/refusal.ts';
import { answerJson, type Endpoint } from './endpoint.ts';
import { writeGroup } from './write-group.ts';

/** How many runs can be compared at once. */
const most = 6;

/** Runs compared task by task, summed up in the store. */
export function comparisonEndpoints({ engine }: ServerContext): readonly Endpoint[] {
  return [
    {
      method: 'GET',
      path: '/comparison',
      operation: 'compareRuns',
      answer: async (c) => {
        const names = c.req.queries('run') ?? [];
        if (names.length === 0 || names.length > most)
          throw invalid('run', `must be given 1 to ${most} times, not ${names.length} times.`);
        const owner = c.var.identity.caller.id;
        const runs = await Promise.all(names.map((name) => readRun(engine.store, { owner, ...runAt(name) })));
        return answerJson(c, {
          runs: runs.map((run) => summaryOf(run, runs[0]!)),
          tasks: tasksOf(runs),
        });
      },
    },
  ];
}

/** `study/player`, each escaped, and either of them empty where all are meant. */
function runAt(text: string): Pick<EpisodeFilter, 'study' | 'player'> {
  const parts = text.split('/').map((part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      throw invalid('run', 'is not escaped as in a URL.');
    }
  });
  const [study = '', player = ''] = parts;
  if (parts.length !== 2 || study + player === '')
    throw invalid('run', 'must be STUDY/PLAYER, each escaped as in a URL; one may be empty.');
  return {
    ...(study !== '' && { study: nameAt(study, 'run')! }),
    ...(player !== '' && { player: nameAt(player, 'run')! }),
  };
}

interface Run {
  readonly filter: EpisodeFilter;
  readonly tasks: readonly EpisodeSums[];
  readonly results: readonly TaskResult[];
  readonly distributions: Readonly<Record<string, readonly number[]>>;
  readonly card: PlayerCard | undefined;
}

async function readRun(store: Store, filter: EpisodeFilter): Promise<Run> {
  const [tasks, distributions, [latest]] = await Promise.all([
    store.sums.read(filter, ['collection', 'scenario', 'variant']),
    store.sums.countScores(filter),
    store.listEpisodes({ ...filter, limit: 1 }),
  ]);
  const card =
    latest?.playerCard == null || filter.player === undefined
      ? undefined
      : (JSON.parse(latest.playerCard) as PlayerCard);
  return { filter, tasks, results: tasks.flatMap(resultsOf), distributions, card };
}

/** As many results of a task as there were, with the mean that they had: all that a comparison by tasks asks of them. */
function resultsOf({ by, template, complete, reward, successes }: EpisodeSums): readonly TaskResult[] {
  return Array.from({ length: complete }, (_, trial) => ({
    task: String(by['variant']),
    template,
    trial,
    reward: reward / complete,
    success: trial < successes,
  }));
}

function summaryOf({ filter, tasks, results, distributions, card }: Run, first: Run): RunSummary {
  const { by: _, ...sums } = writeGroup(tasks.length === 0 ? [nothing] : tasks);
  const compared = results === first.results ? undefined : compareResults(first.results, results);
  return {
    study: filter.study ?? null,
    player: filter.player ?? null,
    ...(card && { card }),
    ...sums,
    scenarios: tasks.length === 0 ? 0 : sums.scenarios,
    tasks: tasks.length,
    pass_hat_k: results.length === 0 ? {} : passRates(results).passHatK,
    distributions,
    ...(compared && { against: writeDifference(compared) }),
  };
}

function writeDifference({ difference, interval, verdict, tasks }: Comparison): RunDifference {
  return {
    difference,
    ...(interval && { interval }),
    verdict: verdict === 'b better' ? 'better' : verdict === 'a better' ? 'worse' : 'undecided',
    tasks,
  };
}

function tasksOf(runs: readonly Run[]): readonly ComparedTask[] {
  const tasks = new Map<string, ComparedTask & { readonly cells: (ComparedCell | null)[] }>();
  for (const [place, run] of runs.entries())
    for (const part of run.tasks) {
      const [collection, scenario, variant] = Object.values(part.by) as [string, string, number];
      const key = `${part.template}\n${variant}`;
      const known = tasks.get(key) ?? { collection, scenario, variant, cells: runs.map(() => null) };
      known.cells[place] = cellOf(part);
      tasks.set(key, known);
    }
  return [...tasks.values()];
}

function cellOf({ episodes, complete, reward, successes, withSuccess }: EpisodeSums): ComparedCell {
  return {
    episodes,
    complete,
    ...(complete > 0 && { reward: reward / complete }),
    ...(withSuccess > 0 && { success: successes / withSuccess }),
  };
}

/** The sums of no episode. */
const nothing: EpisodeSums = {
  by: {},
  template: '',
  episodes: 0,
  complete: 0,
  beganAt: 0,
  reward: 0,
  squares: 0,
  successes: 0,
  progress: 0,
  withSuccess: 0,
  withProgress: 0,
  closed: 0,
  turns: 0,
  usage: {},
  bins: Array.from({ length: rewardBins }, () => 0),
};
