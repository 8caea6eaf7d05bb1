import { systemClock } from '../../base/host/clock.ts';
import { isWhetstoneError } from '../../base/host/errors.ts';
import { clusteredMean } from '../../eval/statistics/clustered-mean.ts';
import type { StudyResult } from '../../eval/study/study-result.ts';
import { addSpent, nothingSpent } from '../../eval/study/player-model.ts';
import { summarize } from '../../eval/study/summary.ts';
import { type Cell, cellsOf, type ScenarioTask } from '../../eval/suite/cells.ts';
import type { Catalog } from '../../grade/scenario/load/catalog.ts';
import type { EpisodeAnswer, EpisodeDetailAnswer } from '../api/episode.ts';
import type { PlayerCard } from '../api/player.ts';
import type { Client } from '../client/client.ts';
import { playEpisode, type Player } from '../client/play-episode.ts';
import { episodeSummary } from './episode/watch.ts';
import { aligned, progressText, summaryTable } from '../evaluate/eval/print-study.ts';
import { LiveLines } from '../terminal/live-lines.ts';

/** What many episodes are played of, and how. */
export interface ManyOptions {
  /** Names, with `*` for any part. */
  readonly scenarios: readonly string[];
  readonly split?: string;
  /** How many variants of each scenario, from the first. */
  readonly variants: number;
  readonly firstVariant: number;
  readonly trials: number;
  readonly seed: number;
  readonly concurrency: number;
  readonly study: string;
  readonly group?: string;
  readonly card: PlayerCard;
  readonly makePlayer: (task: ScenarioTask, seed: number, episode: EpisodeAnswer) => Player;
  /** A line of JSON for each episode goes to standard output. */
  readonly json: boolean;
}

/** How many scenarios the table that is written while they are played has at most. */
const liveRows = 15;
const liveMs = 200;

/**
 * Plays every task as often as asked, several at once, and says how it goes: a table, rewritten on a terminal, else a
 * line now and then. True when all succeeded.
 */
export async function playMany(client: Client, catalog: Catalog, options: ManyOptions): Promise<boolean> {
  const { card, concurrency, json } = options;
  const cells = manyCells(catalog, options);
  const results: StudyResult[] = [];
  const started = systemClock.monotonic();
  const live = new LiveLines(process.stderr);
  let spent = nothingSpent;
  let shownAt = 0;
  let failed: Error | undefined;
  const progress = (): string =>
    progressText({
      ...{ done: results.length, of: cells.length, played: results.length, spent, faults: new Map() },
      ms: systemClock.monotonic() - started,
    });
  const tell = (): void => {
    const now = systemClock.monotonic();
    const step = Math.max(1, Math.ceil(cells.length / 10));
    if (process.stderr.isTTY) {
      if (now - shownAt < liveMs && results.length < cells.length) return;
      shownAt = now;
      live.show([progress(), '', ...scenarioTable(results, cells.length / options.trials)]);
    } else if (results.length % step === 0) console.error(progress());
  };
  const lines = new OrderedLines((line) => {
    if (!json) return;
    live.clear();
    console.log(line);
  });
  const waiting = cells.entries();
  const playInTurn = async (): Promise<void> => {
    for (const [place, { task, trial, key }] of waiting) {
      if (failed !== undefined) return;
      let id = '';
      let fault: string | undefined;
      const episode = await playTask(client, task, {
        options,
        seed: options.seed + trial,
        onBegin: (begun) => (id = begun),
      }).catch(async (error: unknown) => {
        failed ??= error as Error;
        fault = (error as Error).message;
        // It was ended and graded as it stood: that is an answer, whatever the command does next.
        return isWhetstoneError(error) && error.code === 'model_failed' && id !== ''
          ? client.episode(id)
          : undefined;
      });
      if (episode === undefined) return;
      const { usage } = episode;
      const tokens = (usage?.input_tokens ?? 0) + (usage?.output_tokens ?? 0);
      if (tokens > 0)
        spent = addSpent(spent, {
          requests: episode.turn_count,
          tokens,
          ...(usage?.cost_usd !== undefined && { cost: usage.cost_usd }),
        });
      results.push(resultOf(episode, { key, player: card.name, trial, task }));
      lines.put(place, JSON.stringify({ ...episodeSummary(episode), study: options.study, usage, fault }));
      tell();
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, cells.length) }, playInTurn));
  lines.rest();
  live.clear();
  console.error(`${progress()}\n`);
  if (results.length > 0)
    console.error(`${aligned([head, ...rowsOf(results)])}\n\n${summaryTable(summarize(results))}`);
  if (failed !== undefined) throw failed;
  return results.length === cells.length && results.every(({ success }) => success);
}

/** Every episode that is to be played; throws where a name is none. */
export function manyCells(catalog: Catalog, options: ManyOptions): readonly Cell<ScenarioTask>[] {
  const { firstVariant } = options;
  return cellsOf(suiteOf(options), catalog).flatMap((cell) => {
    const { task } = cell;
    return task.kind === 'scenario' && task.variant >= firstVariant ? [{ ...cell, task }] : [];
  });
}

function suiteOf({ scenarios, split, variants, firstVariant, trials, concurrency, card }: ManyOptions) {
  return {
    tasks: scenarios.map((name) => ({
      scenarios: name,
      variants: firstVariant + variants,
      ...(split !== undefined && { split }),
    })),
    players: [{ name: card.name, operator: card.name }],
    trials,
    concurrency,
  };
}

interface TaskOptions {
  readonly options: ManyOptions;
  readonly seed: number;
  readonly onBegin: (episode: string) => void;
}

function playTask(
  client: Client,
  task: ScenarioTask,
  { options, seed, onBegin }: TaskOptions,
): Promise<EpisodeDetailAnswer> {
  const { collection, scenario, variant } = task;
  const { study, group = `${study}/${collection}/${scenario}/${variant}` } = options;
  return playEpisode(
    client,
    {
      ...{ collection_slug: collection, scenario_slug: scenario, variant, seed, study },
      group: group.slice(0, 200),
      player: options.card,
    },
    {
      player: (episode) => {
        onBegin(episode.episode_id);
        return options.makePlayer(task, seed, episode);
      },
    },
  );
}

interface Played {
  readonly key: string;
  readonly player: string;
  readonly trial: number;
  readonly task: ScenarioTask;
}

function resultOf(episode: EpisodeDetailAnswer, { key, player, trial, task }: Played): StudyResult {
  return {
    ...{ key, player, trial, template: task.template, task: task.task, turns: episode.turn_count },
    reward: episode.grade?.reward ?? 0,
    success: episode.grade?.success === 1,
    episode: episode.episode_id,
  };
}

/** Lines that come in any order, and go on in that of their places. */
class OrderedLines {
  readonly #print: (line: string) => void;
  readonly #waiting = new Map<number, string>();
  #next = 0;

  constructor(print: (line: string) => void) {
    this.#print = print;
  }

  put(place: number, line: string): void {
    this.#waiting.set(place, line);
    for (let next; (next = this.#waiting.get(this.#next)) !== undefined; this.#next++) {
      this.#print(next);
      this.#waiting.delete(this.#next);
    }
  }

  /** Those that wait for one that never comes. */
  rest(): void {
    for (const place of [...this.#waiting.keys()].toSorted((one, other) => one - other))
      this.#print(this.#waiting.get(place)!);
  }
}

const head = ['scenario', 'episodes', 'reward', 'success'];

/** Scenario by scenario, the worst first. */
function rowsOf(results: readonly StudyResult[]): readonly (readonly string[])[] {
  return [...Map.groupBy(results, ({ template }) => template)]
    .map(([template, own]) => ({
      template,
      count: own.length,
      reward: clusteredMean([own.map(({ reward }) => reward)]).mean,
      success: own.filter(({ success }) => success).length / own.length,
    }))
    .toSorted((one, other) => one.reward - other.reward || one.template.localeCompare(other.template))
    .map(({ template, count, reward, success }) => [
      template,
      String(count),
      reward.toFixed(3),
      success.toFixed(3),
    ]);
}

function scenarioTable(results: readonly StudyResult[], tasks: number): readonly string[] {
  if (results.length === 0) return [];
  const rows = rowsOf(results);
  return [
    ...aligned([head, ...rows.slice(0, liveRows)]).split('\n'),
    ...(rows.length > liveRows ? [`and ${rows.length - liveRows} more, of ${tasks} tasks`] : []),
  ];
}
