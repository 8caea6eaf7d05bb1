import { mkdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { Command } from 'commander';

import { WhetstoneError } from '../../../base/host/errors.ts';
import type { Model } from '../../../base/message/model.ts';
import { detectableDifference } from '../../../eval/statistics/power.ts';
import { runStudy } from '../../../eval/study/run-study.ts';
import { StudyLog, type StudyResult } from '../../../eval/study/study-log.ts';
import { type PlayerSummary, summarize } from '../../../eval/study/summary.ts';
import { type Cell, cellsOf } from '../../../eval/suite/cells.ts';
import { type PlayerSpec, readSuite } from '../../../eval/suite/suite.ts';
import { type Operator, operators } from '../../../grade/play/operators.ts';
import { buildTask } from '../../../grade/scenario/build-task.ts';
import { type Catalog, findScenario, loadCatalog } from '../../../grade/scenario/load/catalog.ts';
import { modelNamed } from '../../../wire/index.ts';
import type { EpisodeAnswer } from '../../api/episode.ts';
import { type Client, connect } from '../../client/client.ts';
import { playEpisode, type Player } from '../../client/play-episode.ts';
import { startServer } from '../../server/server.ts';
import { openData } from '../option/data-option.ts';
import { whole } from '../option/option.ts';
import { cardOf } from '../player/player-card.ts';
import { modelPlayer } from '../player/model-player.ts';
import { operatorPlayer } from '../player/operator-player.ts';
import { scenarioFolder } from '../scenario/scenario-folder.ts';
import { exitCode } from '../terminal/exit-code.ts';

interface PlaySuiteOptions {
  readonly trials?: number;
  readonly concurrency?: number;
  readonly out?: string;
  readonly scenarios?: string;
  readonly plan?: boolean;
  readonly json?: boolean;
}

/** `whet eval <suite>`: plays what a suite names, goes on where it was stopped, and prints how each player did. */
export function playSuite(): Command {
  return new Command('play')
    .description(
      'Plays a suite: every player in every task, so often. What was played is kept in a folder; the same command goes on where it was stopped.\nExit code 0 when all was played, 1 when some of it could not be.',
    )
    .argument('<suite>', 'a suite in YAML: tasks, players, trials, concurrency')
    .option(
      '--trials <number>',
      'episodes of each player in each task, in place of those of the suite',
      whole,
    )
    .option('--concurrency <number>', 'episodes at once, in place of those of the suite', whole)
    .option(
      '--out <folder>',
      'where the study is kept (default: .whetstone/studies/ and the name of the suite)',
    )
    .option('--scenarios <folder>', 'folder of collections (default: ./scenarios, else the bundled ones)')
    .option('--plan', 'print what would be played and what it could show, and play nothing')
    .option('--json', 'print one JSON line a player')
    .action(async (file: string, options: PlaySuiteOptions) => {
      process.exitCode = (await play(file, options)) ? exitCode.ok : exitCode.no;
    });
}

async function play(file: string, options: PlaySuiteOptions): Promise<boolean> {
  const read = readSuite(readFileSync(file, 'utf8'), file);
  const suite = {
    ...read,
    trials: options.trials ?? read.trials,
    concurrency: options.concurrency ?? read.concurrency,
  };
  const catalog = loadCatalog(scenarioFolder(options.scenarios));
  const cells = cellsOf(suite, catalog);
  // A name that does not exist is told before anything is played.
  for (const player of suite.players) {
    if ('operator' in player) operatorNamed(player.operator);
    else modelOf(player);
  }
  const name = basename(file).replace(/\.ya?ml$/, '');
  const out = options.out ?? join('.whetstone/studies', name);
  if (options.plan === true) {
    console.log(planOf(cells, suite.trials));
    return true;
  }
  console.error(planOf(cells, suite.trials));
  mkdirSync(out, { recursive: true });
  using log = new StudyLog(join(out, 'log.jsonl'), suite.players);
  const asked = new Set(cells.map(({ key }) => key));
  const before = log.results.filter(({ key }) => asked.has(key)).length;
  if (before > 0) console.error(`${before} were played before, and are kept.`);
  await using store = await openData(join(out, 'episodes.db'));
  await using server = await startServer({ store, catalog, open: true });
  const client = connect({ url: server.url });
  let done = before;
  const step = Math.max(1, Math.floor(cells.length / 10));
  const faults = await runStudy(cells, log, {
    concurrency: suite.concurrency,
    play: (cell) => playCell(client, catalog, name, cell),
    onResult: () => {
      done++;
      if (done % step === 0) console.error(`${done} of ${cells.length} played`);
    },
  });
  const summaries = summarize(log.results.filter(({ key }) => asked.has(key)));
  console.log(
    options.json === true ? summaries.map((each) => JSON.stringify(each)).join('\n') : table(summaries),
  );
  console.error(`The study is kept in ${out}.`);
  for (const [message, alike] of Map.groupBy(faults, (fault) => fault.message))
    console.error(`whet: ${alike.length} could not be played, ${alike[0]!.key} first: ${message}`);
  return faults.length === 0;
}

async function playCell(client: Client, catalog: Catalog, study: string, cell: Cell): Promise<StudyResult> {
  const { key, player, collection, scenario, variant, trial } = cell;
  const episode = await playEpisode(
    client,
    {
      collection_slug: collection,
      scenario_slug: scenario,
      variant,
      seed: trial,
      player: cardOf(player),
      group: `${study}/${collection}/${scenario}/${variant}`,
    },
    {
      player: playerOf(player, catalog, cell),
      // An operator says the same again, so it goes on with the episode in which it was stopped; a model begins anew.
      ...('operator' in player && { idempotencyKey: `${study}/${key}` }),
    },
  );
  const { grade } = episode;
  if (grade === undefined)
    throw new WhetstoneError('server_refused', `The episode ${episode.episode_id} of ${key} has no grade.`);
  return {
    key,
    player: player.name,
    template: `${collection}/${scenario}`,
    task: `${variant}`,
    trial,
    reward: grade.reward,
    success: grade.success === 1,
    turns: episode.turn_count,
    episode: episode.episode_id,
  };
}

function playerOf(
  player: PlayerSpec,
  catalog: Catalog,
  { collection, scenario, variant, trial }: Cell,
): (episode: EpisodeAnswer) => Player {
  if ('model' in player) {
    const model = modelOf(player);
    return (episode) => modelPlayer(model, episode);
  }
  const operator = operatorNamed(player.operator);
  const task = buildTask(findScenario(catalog, collection, scenario), variant, trial);
  return () => operatorPlayer(operator, task);
}

function modelOf({ model, baseUrl }: Extract<PlayerSpec, { readonly model: string }>): Model {
  return modelNamed(model, baseUrl === undefined ? {} : { baseUrl });
}

function operatorNamed(name: string): Operator {
  const operator = operators.find((each) => each.name === name);
  if (operator === undefined)
    throw new WhetstoneError(
      'suite_invalid',
      `There is no operator "${name}". Known: ${operators.map((each) => each.name).join(', ')}.`,
    );
  return operator;
}

function planOf(cells: readonly Cell[], trials: number): string {
  const players = new Set(cells.map(({ player }) => player.name)).size;
  const templates = new Set(cells.map(({ collection, scenario }) => `${collection}/${scenario}`)).size;
  const tasks = new Set(
    cells.map(({ collection, scenario, variant }) => `${collection}/${scenario}/${variant}`),
  ).size;
  const smallest = detectableDifference({ templates, variants: tasks / templates, trials });
  const shows =
    smallest === undefined
      ? 'One scenario alone shows nothing of others.'
      : `Two players that differ by ${smallest.toFixed(2)} are told apart four times in five.`;
  return `${tasks} tasks of ${templates} scenarios, ${players} players, ${trials} trials: ${cells.length} episodes. ${shows}`;
}

function table(summaries: readonly PlayerSummary[]): string {
  const rows = [
    [
      'player',
      'episodes',
      'reward',
      '95 %',
      'success',
      '95 %',
      'all trials succeed',
      'against the one above',
    ],
    ...summaries.map((each) => [
      each.player,
      String(each.results),
      each.reward.toFixed(3),
      interval(each.rewardInterval),
      each.success.toFixed(3),
      interval(each.successInterval),
      (Object.values(each.passHatK).at(-1) ?? 0).toFixed(3),
      each.comparison === undefined ? '' : difference(each.comparison),
    ]),
  ];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function difference({ difference: by, verdict }: NonNullable<PlayerSummary['comparison']>): string {
  const word = verdict === 'a better' ? 'worse' : verdict === 'b better' ? 'better' : 'undecided';
  return `${by >= 0 ? '+' : ''}${by.toFixed(3)} ${word}`;
}

function interval(bounds: readonly [number, number] | undefined): string {
  return bounds === undefined ? '–' : `${bounds[0].toFixed(2)}–${bounds[1].toFixed(2)}`;
}
