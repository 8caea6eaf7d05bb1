import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { Command } from 'commander';

import { WhetstoneError } from '../../../base/host/errors.ts';
import { makeFolder } from '../../../base/host/make-folder.ts';
import { planStudy } from '../../../eval/study/study-plan.ts';
import { StudyLog } from '../../../eval/study/study-log.ts';
import { type Cell, cellsOf } from '../../../eval/suite/cells.ts';
import { readSuite } from '../../../eval/suite/read-suite.ts';
import type { PlayerSpec, Suite, TaskSource } from '../../../eval/suite/suite.ts';
import { loadCatalog } from '../../../grade/scenario/load/catalog.ts';
import { connect } from '../../client/client.ts';
import { startServer } from '../../server/server.ts';
import { pageFolder } from '../../terminal/bundled.ts';
import { openData } from '../../terminal/option/data-option.ts';
import { type JudgeFlags, judgeOf, withJudge } from '../../terminal/option/judge-option.ts';
import { atLeastOne } from '../../terminal/option/option.ts';
import { scenarioFolder } from '../../terminal/scenario-folder.ts';
import { withCommandName } from '../../terminal/command-name.ts';
import { exitCode } from '../../terminal/exit-code.ts';
import { judgeNotes } from './label/judge-notes.ts';
import { openBenchmarks } from './open-benchmarks.ts';
import { castOf } from './play-cell.ts';
import { planText, summaryTable } from './print-study.ts';
import { replayStudy } from './replay-study.ts';
import { writeResults } from './study-folder.ts';
import { faultCounts, playStudy, type PlayStudyOptions, summarizeCells } from './play-study.ts';
import { mustBeSpreadable, workSuite } from './work-suite.ts';

interface PlaySuiteOptions extends Partial<JudgeFlags> {
  readonly model: readonly string[];
  readonly trials?: number;
  readonly concurrency?: number;
  readonly limit?: number;
  readonly item?: string;
  readonly out?: string;
  readonly scenarios?: string;
  readonly workers?: string;
  readonly raw?: boolean;
  readonly plan?: boolean;
  readonly replay?: boolean;
  readonly json?: boolean;
}

/** `whet eval <suite>`: plays what a suite names, goes on where it was stopped, and prints how each player did. */
export function playSuite(): Command {
  const playing = new Command('play')
    .description(
      'Plays a suite: every player in every task, as often as the suite says. Results are kept in a folder; the same command continues where it was stopped.\nExit code 0 when everything was played, 1 when some of it could not be.',
    )
    .argument('<suite>', 'a suite in YAML: tasks, players, trials, concurrency; with --replay a folder')
    .option(
      '--model <name>',
      'a model that plays, instead of the players of the suite; may be repeated',
      (name: string, before: readonly string[]) => [...before, name],
      [],
    )
    .option(
      '--trials <number>',
      'episodes of each player in each task, instead of what the suite says',
      atLeastOne,
    )
    .option('--concurrency <number>', 'episodes at once, instead of what the suite says', atLeastOne)
    .option('--limit <number>', 'play only the first tasks of each source, this many', atLeastOne)
    .option('--item <id>', 'play only this question or scenario')
    .option(
      '--out <folder>',
      'where the study is kept (default: .whetstone/studies/ and the name of the suite)',
    )
    .option('--scenarios <folder>', 'folder of collections (default: ./scenarios, else the bundled ones)')
    .option(
      '--workers <url>',
      'share the study, through this Postgres database, with every process that is started this way',
    )
    .option('--raw', 'keep with each episode what is sent to providers and what they reply')
    .option('--plan', 'print what would be played and what it could show, and play nothing')
    .option(
      '--replay',
      'play nothing: grade again, without a network, what is in the folder of a study, or what `whet benchmark import` put there',
    )
    .option('--json', 'print one JSON line per player');
  return withJudge(playing).action(async (file: string, options: PlaySuiteOptions) => {
    const isWhole =
      options.replay === true
        ? await replayStudy(file, options)
        : await playSuiteFile(file, options, {
            print: (cells, log) => printSummaries(cells, log, options.json === true),
          });
    process.exitCode = isWhole ? exitCode.ok : exitCode.no;
  });
}

/** What is asked of a study while it is played, and said of it at the end. */
export interface StudyEnd {
  /** A cell that is not needed any more is left out; hears of the cells, and of what was played before. */
  readonly begin?: (cells: readonly Cell[], log: StudyLog) => Pick<PlayStudyOptions, 'isNeeded' | 'onResult'>;
  readonly print: (cells: readonly Cell[], log: StudyLog) => void;
}

/** Plays what a suite names and is not played yet. True when all could be played. */
export async function playSuiteFile(
  file: string,
  options: Omit<PlaySuiteOptions, 'plan' | 'replay' | 'json'> & { readonly plan?: boolean },
  { begin, print }: StudyEnd,
): Promise<boolean> {
  const suite = suiteFor(file, options);
  const catalog = loadCatalog(scenarioFolder(options.scenarios));
  const benchmarks = await openBenchmarks(suite.tasks);
  const cells = cellsOf(suite, catalog, { ...options, benchmarks });
  const { workers } = options;
  if (workers !== undefined) mustBeSpreadable(workers, suite.players);
  const cast = await castOf(suite, benchmarks, options.raw);
  const judge = await judgeOf(options);
  const name = basename(file).replace(/\.ya?ml$/, '');
  const folder = options.out ?? join('.whetstone/studies', name);
  if (options.plan === true) {
    console.log(planText(planStudy(cells, { has: () => false, results: [] })));
    return true;
  }
  makeFolder(folder);
  using log = new StudyLog(join(folder, 'log.jsonl'), suite.players);
  console.error(planText(planStudy(cells, { has: (key) => log.has(key), results: log.results() })));
  await using store = await openData(workers ?? join(folder, 'episodes.db'));
  const page = pageFolder(undefined);
  await using server = await startServer({
    store,
    catalog,
    open: true,
    ...(page !== undefined && { page }),
    ...(judge !== undefined && { judge }),
  });
  const hasPage = page !== undefined && cells.some(({ task }) => task.kind === 'scenario');
  if (hasPage)
    console.error(`Its page, while it runs: ${server.url}/#/runs?study=${encodeURIComponent(name)}`);
  const client = connect({ url: server.url });
  const { concurrency, players } = suite;
  const say = (line: string) => console.error(line);
  const isJudged = judge !== undefined;
  const shared = { study: name, log, cast, catalog, client, isJudged, concurrency, say };
  const isWhole =
    workers === undefined
      ? await playStudy(cells, { ...shared, folder, ...begin?.(cells, log) })
      : await workSuite(cells, { ...shared, workers, players });
  print(cells, log);
  if (suite.tasks.some(hasJudge))
    for (const line of await judgeNotes(folder, options.scenarios)) console.error(line);
  const written = writeResults(folder, cells, log).map((path) => basename(path));
  console.error(
    withCommandName(
      `The study is kept in ${folder}: ${written.join(', ')}.\nIts page: \`whet view ${quoted(folder)}\``,
    ),
  );
  return isWhole;
}

function hasJudge(source: TaskSource): boolean {
  if ('benchmark' in source) return source.judge !== undefined;
  return 'questions' in source && source.check.kind === 'judge';
}

function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}

/** The table of a study, or a JSON line a player. */
function printSummaries(cells: readonly Cell[], log: StudyLog, json: boolean): void {
  const summaries = summarizeCells(cells, log);
  console.log(
    json
      ? summaries.map((each) => JSON.stringify({ ...each, faults: faultCounts(log, each.player) })).join('\n')
      : summaryTable(summaries),
  );
}

function suiteFor(file: string, { model, trials, concurrency }: PlaySuiteOptions): Suite {
  let yaml: string;
  try {
    yaml = readFileSync(file, 'utf8');
  } catch (cause) {
    throw new WhetstoneError('usage', `The suite ${file} cannot be read: ${(cause as Error).message}`, {
      cause,
    });
  }
  const suite = readSuite(yaml, file);
  return {
    ...suite,
    players: model.length === 0 ? suite.players : model.map((each) => playerFor(each, suite.players)),
    trials: trials ?? suite.trials,
    concurrency: concurrency ?? suite.concurrency,
  };
}

/** A player of the suite where it has that name or model, and else a model alone. */
function playerFor(model: string, players: readonly PlayerSpec[]): PlayerSpec {
  const known = players.find((each) => each.name === model || ('model' in each && each.model === model));
  return known ?? { name: model, model };
}
