import { Command, Option } from 'commander';

import type { JsonObject } from '../../../base/json/value.ts';
import { readTrajectories } from '../../../eval/exchange/formats.ts';
import type { Trajectory } from '../../../eval/exchange/trajectory.ts';
import type { TaskResult } from '../../../eval/statistics/result.ts';
import { formatNames, writeLines, writeTrajectories, type FormatName } from './write-trajectories.ts';

interface Flags {
  readonly format: FormatName | 'results';
  readonly out?: string;
}

export function command(): Command {
  return new Command('import')
    .description(
      'Read logs and trajectories of other tools: Inspect (.eval, .json), ATIF, JSON Lines of OpenAI and of verifiers. Prints their results as `whet eval stats --jsonl` reads them, one line per player, or writes them in another format.',
    )
    .argument('<files...>', 'logs, trajectories')
    .addOption(
      new Option('--format <name>', 'what to write').choices(['results', ...formatNames]).default('results'),
    )
    .option(
      '--out <file>',
      'where to write (default: standard output); for ATIF, a folder that gets a file for each',
    )
    .action(run);
}

async function run(files: readonly string[], { format, out }: Flags): Promise<void> {
  const trajectories = ofFiles(files);
  if (format !== 'results') {
    const { count } = await writeTrajectories(trajectories, { format, out, task: 'imported' });
    console.error(`${count} trajectories read.`);
    return;
  }
  const players = new Map<string, TaskResult[]>();
  let count = 0;
  let without = 0;
  for await (const { agent, grade, task, trial, metadata } of trajectories) {
    count += 1;
    const results = players.get(agent.name) ?? [];
    players.set(agent.name, results);
    if (grade?.reward == null || !(grade.reward >= 0 && grade.reward <= 1)) without += 1;
    else
      results.push({
        task,
        ...templateIn(metadata),
        trial,
        reward: grade.reward,
        ...(grade.success !== undefined && { success: grade.success }),
      });
  }
  await writeLines(linesOf(players), out);
  console.error(`${count} trajectories read.`);
  if (without > 0)
    console.error(
      `${without} have no reward from 0 to 1 (not judged, or on another scale), and are left out.`,
    );
}

/** Variants of one scenario resemble each other: what was played here says of which it was made. */
function templateIn({ collection, scenario }: JsonObject): { readonly template?: string } {
  return typeof collection === 'string' && typeof scenario === 'string'
    ? { template: `${collection}/${scenario}` }
    : {};
}

async function* ofFiles(files: readonly string[]): AsyncGenerator<Trajectory> {
  for (const file of files) yield* readTrajectories(file);
}

// eslint-disable-next-line typescript/require-await
async function* linesOf(players: ReadonlyMap<string, readonly TaskResult[]>): AsyncGenerator<string> {
  for (const [id, results] of players) if (results.length > 0) yield JSON.stringify({ id, results });
}
