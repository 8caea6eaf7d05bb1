import { basename } from 'node:path';

import { Command, Option } from 'commander';

import { WhetstoneError } from '../../../base/host/errors.ts';
import { storedTrajectory, type StoredEpisodeOptions } from '../../../eval/exchange/stored-episode.ts';
import { readTokenLines } from '../../../eval/exchange/token-lines.ts';
import type { Trajectory } from '../../../eval/exchange/trajectory.ts';
import { TaskBook } from '../../../grade/episode/task-book.ts';
import { loadCatalog } from '../../../grade/scenario/load/catalog.ts';
import type { Store } from '../../../grade/store/store.ts';
import { openKept, withData } from '../../terminal/option/data-option.ts';
import { scenarioFolder } from '../../terminal/scenario-folder.ts';
import { episodesOf, isStudy, mustBeStudy, readStudy } from './read-study.ts';
import { formatNames, writeTrajectories, type FormatName } from './write-trajectories.ts';

interface Flags {
  readonly format: FormatName;
  readonly out?: string;
  readonly agent?: string;
  readonly tokens?: string;
  readonly owner: string;
  readonly collection?: string;
  readonly scenario?: string;
  readonly group?: string;
  readonly data: string;
  readonly scenarios?: string;
}

export function command(): Command {
  return withData(
    new Command('export')
      .description(
        'Write episodes for other tools: logs of Inspect, ATIF 1.8 trajectories, JSON Lines in the format of OpenAI or verifiers, or CSV. Name episodes by their ids, or a study by its folder; without either, every complete episode is written.',
      )
      .argument('[episodes...]', 'ids of episodes, or the folder of one study')
      .addOption(new Option('--format <name>', 'what to write').choices(formatNames).makeOptionMandatory())
      .option(
        '--out <file>',
        'where to write (default: standard output); for ATIF, a folder that gets a file for each',
      )
      .option('--agent <name>', 'who played, which a store does not know (a study does)')
      .option('--tokens <file>', 'the tokens of replies, as `whet run --tokens` wrote them')
      .option('--owner <id>', 'whose episodes: the id of a key, or local', 'local')
      .option('--collection <slug>', 'only episodes of this collection')
      .option('--scenario <slug>', 'only episodes of this scenario')
      .option('--group <label>', 'only episodes with this label')
      .option('--scenarios <folder>', 'folder of collections (default: ./scenarios, else the bundled ones)'),
  ).action(run);
}

async function run(named: readonly string[], flags: Flags): Promise<void> {
  const tasks = new TaskBook(loadCatalog(scenarioFolder(flags.scenarios)));
  const [study] = named.length === 1 && isStudy(named[0]!) ? named : [];
  if (study === undefined && named.some((one) => /[/\\]/.test(one))) mustBeStudy(named[0]!);
  await using store = await openKept(study === undefined ? flags.data : episodesOf(study));
  const tokens = flags.tokens === undefined ? undefined : await readTokenLines(flags.tokens);
  const source: Source = { store, tasks, flags, tokens };
  const found =
    study !== undefined ? ofStudy(study, source) : named.length > 0 ? ofIds(named, source) : ofQuery(source);
  const { format, out } = flags;
  const task = study === undefined ? (flags.scenario ?? 'whetstone') : basename(study);
  const { count, withoutTokens } = await writeTrajectories(found, { format, out, task });
  console.error(`${count} episodes written${out === undefined ? '' : ` to ${out}`}.`);
  if (withoutTokens > 0 && format !== 'csv')
    console.error(
      `${withoutTokens} have no token ids: the provider reported none, and none are computed here.`,
    );
}

interface Source {
  readonly store: Store;
  readonly tasks: TaskBook;
  readonly flags: Flags;
  readonly tokens: StoredEpisodeOptions['tokens'];
}

async function* ofStudy(folder: string, from: Omit<Source, 'flags'>): AsyncGenerator<Trajectory> {
  for await (const { episode, agent, trial } of readStudy(folder)) {
    const record = await from.store.readEpisode(episode);
    if (record !== undefined) yield storedTrajectory(record, { ...from, agent, trial });
  }
}

async function* ofIds(ids: readonly string[], { flags, ...from }: Source): AsyncGenerator<Trajectory> {
  for (const id of ids) {
    const record = await from.store.readEpisode(id);
    if (record === undefined)
      throw new WhetstoneError('episode_unknown', `There is no episode "${id}" in ${from.store.place}.`, {
        details: { episode: id },
      });
    yield storedTrajectory(record, { ...from, ...agentOf(flags) });
  }
}

const page = 100;

/** Newest first, and numbered within their task. */
async function* ofQuery({ flags, ...from }: Source): AsyncGenerator<Trajectory> {
  const { owner, collection, scenario, group } = flags;
  const trials = new Map<string, number>();
  let before: { readonly createdAt: number; readonly id: string } | undefined;
  for (;;) {
    const records = await from.store.listEpisodes({
      owner,
      limit: page,
      status: 'complete',
      ...(collection !== undefined && { collection }),
      ...(scenario !== undefined && { scenario }),
      ...(group !== undefined && { group }),
      ...(before && { before }),
    });
    for (const record of records) {
      const key = `${record.collection}/${record.scenario}/${record.variant}`;
      const trial = (trials.get(key) ?? 0) + 1;
      trials.set(key, trial);
      yield storedTrajectory(record, { ...from, trial, ...agentOf(flags) });
    }
    before = records.at(-1);
    if (records.length < page) return;
  }
}

function agentOf({ agent }: Flags): { readonly agent?: { readonly name: string } } {
  return agent === undefined ? {} : { agent: { name: agent } };
}
