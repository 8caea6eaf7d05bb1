import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { isWhetstoneError, WhetstoneError } from '../../../base/host/errors.ts';
import type { GradeLine } from '../../../eval/benchmark/benchmark.ts';
import { benchmarks } from '../../../eval/benchmark/benchmarks.ts';
import { readStudyLog } from '../../../eval/study/read-study-log.ts';
import type { StudyResult } from '../../../eval/study/study-result.ts';
import { summarize } from '../../../eval/study/summary.ts';
import { regrade } from '../../../grade/episode/regrade.ts';
import { TaskBook } from '../../../grade/episode/task-book.ts';
import { loadCatalog } from '../../../grade/scenario/load/catalog.ts';
import { scoringVersion } from '../../../grade/score/grade-transcript.ts';
import { scoringOf } from '../../../grade/score/scoring.ts';
import { type ImportedRun, readImportedRuns, sourceFile } from '../benchmark/imported-runs.ts';
import { episodesOf } from '../exchange/read-study.ts';
import { openKept } from '../../terminal/option/data-option.ts';
import { scenarioFolder } from '../../terminal/scenario-folder.ts';
import { passTable, summaryTable } from './print-study.ts';

interface ReplayOptions {
  readonly json?: boolean;
  readonly scenarios?: string;
}

/** Results that were graded again, and what is to be said of that. */
interface Replayed {
  readonly results: readonly StudyResult[];
  /** Rewards that are not as they were. */
  readonly changed: readonly string[];
  /** What had no grade now, and why. */
  readonly ungraded: readonly string[];
  readonly recordedBy: string;
}

/**
 * Grades what is in the folder of a study again, without a network, and prints how each player did: the episodes that
 * `whet benchmark import` put there, or those that the study itself played. False where one had no grade.
 */
export async function replayStudy(folder: string, { json, ...options }: ReplayOptions): Promise<boolean> {
  const isImported = existsSync(join(folder, sourceFile));
  const replayed = isImported ? await replayImported(folder) : await replayPlayed(folder, options);
  const { results, changed, ungraded, recordedBy } = replayed;
  const summaries = summarize(results);
  console.log(
    json === true
      ? summaries.map((each) => JSON.stringify(each)).join('\n')
      : `${summaryTable(summaries)}\n\n${passTable(summaries)}`,
  );
  console.error(
    changed.length === 0
      ? `All ${results.length} rewards match what ${recordedBy} recorded.`
      : `${changed.length} of ${results.length} rewards differ from what ${recordedBy} recorded: ${listed(changed)}.`,
  );
  if (ungraded.length > 0) console.error(`${ungraded.length} are not results: ${listed(ungraded)}.`);
  // What a study played has its results already: they are not overwritten by looking at them.
  if (isImported) writeFileSync(join(folder, 'results.jsonl'), results.map(lineOf).join(''));
  return ungraded.length === 0;
}

function lineOf({ player, template, task, trial, reward, success }: StudyResult): string {
  return `${JSON.stringify({ player, template, task, trial, reward, success })}\n`;
}

async function replayImported(folder: string): Promise<Replayed> {
  const { benchmark: name, data, runs } = readImportedRuns(folder);
  const grade = await openBenchmark(name, data);
  const results: StudyResult[] = [];
  const changed: string[] = [];
  const ungraded: string[] = [];
  for (const run of runs) {
    const { reward, fault } = rewardBy(grade, run.line);
    if (reward === undefined) {
      ungraded.push(`${keyOf(run)} (${fault})`);
      continue;
    }
    if (run.recorded !== undefined && run.recorded !== reward)
      changed.push(`${keyOf(run)} (${run.recorded}, now ${reward})`);
    results.push(resultOf(run, reward, name));
  }
  return { results, changed, ungraded, recordedBy: name };
}

/** Each result by what was kept of it: a benchmark's line, a scenario's transcript, an answer with its verdict. */
async function replayPlayed(folder: string, { scenarios }: ReplayOptions): Promise<Replayed> {
  const graders = new Map<string, Promise<GradeLine>>();
  const results: StudyResult[] = [];
  const changed: string[] = [];
  const ungraded: string[] = [];
  const before: StudyResult[] = [...readStudyLog(join(folder, 'log.jsonl'))];
  const episodes = before.some(({ episode }) => episode !== undefined)
    ? await regradedEpisodes(folder, scenarios)
    : new Map<string, { readonly reward?: number; readonly fault?: string }>();
  for (const result of before) {
    let reward: number | undefined = result.reward;
    let fault: string | undefined;
    if (result.played !== undefined) {
      const { benchmark, data, line } = result.played;
      const opened = `${benchmark}\n${data}`;
      graders.set(opened, graders.get(opened) ?? openBenchmark(benchmark, data));
      ({ reward, fault } = rewardBy(await graders.get(opened)!, line));
    } else if (result.episode !== undefined) {
      const graded = episodes.get(result.episode);
      reward = graded?.reward;
      fault = graded?.fault ?? `the episode ${result.episode} is not in ${episodesOf(folder)}`;
    }
    if (reward === undefined) {
      ungraded.push(`${result.key} (${fault})`);
      continue;
    }
    if (reward !== result.reward) changed.push(`${result.key} (${result.reward}, now ${reward})`);
    results.push({ ...result, reward, success: reward === result.reward ? result.success : reward === 1 });
  }
  return { results, changed, ungraded, recordedBy: 'the study' };
}

async function regradedEpisodes(
  folder: string,
  scenarios: string | undefined,
): Promise<ReadonlyMap<string, { readonly reward?: number; readonly fault?: string }>> {
  await using store = await openKept(episodesOf(folder));
  const tasks = new TaskBook(loadCatalog(scenarioFolder(scenarios)));
  const graded = new Map<string, { readonly reward?: number; readonly fault?: string }>();
  for await (const one of regrade(store, tasks, { owner: 'local', scoring: scoringOf(scoringVersion) }))
    graded.set(one.episode, {
      ...(one.after !== undefined && { reward: one.after.reward }),
      ...(one.fault !== undefined && { fault: one.fault }),
    });
  return graded;
}

function openBenchmark(name: string, data: string): Promise<GradeLine> {
  const benchmark = benchmarks.find((each) => each.name === name);
  if (benchmark === undefined) throw new WhetstoneError('usage', `There is no benchmark "${name}".`);
  return benchmark.open(data);
}

/** The reward, or why there is none: it needs a judge, or the data do not have its task. */
function rewardBy(grade: GradeLine, line: string): { reward?: number; fault?: string } {
  try {
    const graded = grade(line) as { readonly reward?: number | null; readonly valid?: boolean };
    if (graded.valid !== undefined) return { reward: Number(graded.valid) };
    return typeof graded.reward === 'number' ? { reward: graded.reward } : { fault: 'needs a judge' };
  } catch (error) {
    if (!isWhetstoneError(error) || error.code !== 'benchmark_line') throw error;
    return { fault: error.message };
  }
}

function resultOf(run: ImportedRun, reward: number, benchmark: string): StudyResult {
  const { player, domain, task, trial } = run;
  const success = reward === 1;
  const template = `${benchmark}/${domain}/${task}`;
  return { key: keyOf(run), player, template, task: '0', trial, reward, success, turns: 0 };
}

function keyOf({ player, domain, task, trial }: ImportedRun): string {
  return `${player}/${domain}/${task}/${trial}`;
}

function listed(names: readonly string[]): string {
  return `${names.slice(0, 5).join(', ')}${names.length > 5 ? ' …' : ''}`;
}
