import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { WhetstoneError } from '../../../base/host/errors.ts';
import { benchmarks } from '../../../eval/benchmark/benchmarks.ts';
import type { StudyResult } from '../../../eval/study/study-result.ts';
import { summarize } from '../../../eval/study/summary.ts';
import { type ImportedRun, readImportedRuns } from '../benchmark/imported-runs.ts';
import { passTable, summaryTable } from './print-study.ts';

/** Grades the recorded episodes of a folder again, and prints how each player did. False where one had no grade. */
export async function replayStudy(folder: string, { json }: { readonly json?: boolean }): Promise<boolean> {
  const { benchmark: name, data, runs } = readImportedRuns(folder);
  const benchmark = benchmarks.find((each) => each.name === name);
  if (benchmark === undefined) throw new WhetstoneError('usage', `There is no benchmark "${name}".`);
  const grade = await benchmark.open(data);
  const results: StudyResult[] = [];
  const changed: string[] = [];
  const withoutJudge: string[] = [];
  for (const run of runs) {
    const answer = grade(run.line) as { readonly reward?: number | null };
    const { reward } = answer;
    if (typeof reward !== 'number') {
      withoutJudge.push(keyOf(run));
      continue;
    }
    if (run.recorded !== undefined && run.recorded !== reward)
      changed.push(`${keyOf(run)} (${run.recorded}, now ${reward})`);
    results.push(resultOf(run, reward));
  }
  const summaries = summarize(results);
  console.log(
    json === true
      ? summaries.map((each) => JSON.stringify(each)).join('\n')
      : `${summaryTable(summaries)}\n\n${passTable(summaries)}`,
  );
  console.error(
    changed.length === 0
      ? `All ${results.length} rewards are those that ${name} recorded.`
      : `${changed.length} of ${results.length} rewards are not those that ${name} recorded: ${listed(changed)}.`,
  );
  if (withoutJudge.length > 0)
    console.error(`${withoutJudge.length} need a judge and are no results: ${listed(withoutJudge)}.`);
  writeFileSync(
    join(folder, 'results.jsonl'),
    results
      .map(({ player, template, task, trial, reward, success }) => ({
        player,
        template,
        task,
        trial,
        reward,
        success,
      }))
      .map((result) => `${JSON.stringify(result)}\n`)
      .join(''),
  );
  return withoutJudge.length === 0;
}

function resultOf(run: ImportedRun, reward: number): StudyResult {
  const { player, domain, task, trial } = run;
  const success = reward === 1;
  const template = `${domain}/${task}`;
  return { key: keyOf(run), player, template, task: '0', trial, reward, success, turns: 0 };
}

function keyOf({ player, domain, task, trial }: ImportedRun): string {
  return `${player}/${domain}/${task}/${trial}`;
}

function listed(names: readonly string[]): string {
  return `${names.slice(0, 5).join(', ')}${names.length > 5 ? ' …' : ''}`;
}
