import { Command } from 'commander';

import { systemClock } from '../../base/host/clock.ts';
import { isWhetstoneError, WhetstoneError } from '../../base/host/errors.ts';
import type { ModelEvent } from '../../base/message/model.ts';
import { type Catalog, findScenario, loadCatalog } from '../../grade/scenario/load/catalog.ts';
import { examplesIn } from '../../grade/scenario/examples.ts';
import { operators } from '../../grade/play/operators.ts';
import { buildTask } from '../../grade/scenario/build-task.ts';
import { modelNamed } from '../../wire/index.ts';
import type { EpisodeDetailAnswer } from '../api/episode.ts';
import { connect, type Client } from '../client/client.ts';
import { startServer } from '../server/server.ts';
import { pageFolder } from '../terminal/bundled.ts';
import { openData, withData } from '../terminal/option/data-option.ts';
import { manyCells, type ManyOptions, playMany } from './run-many.ts';
import { withCommandName } from '../terminal/command-name.ts';
import { exitCode } from '../terminal/exit-code.ts';
import { cardOf } from '../evaluate/player/player-card.ts';
import { heardFetch } from '../evaluate/player/exchanges.ts';
import { modelPlayer, type ModelPlayer } from '../evaluate/player/model-player.ts';
import { operatorPlayer } from '../evaluate/player/operator-player.ts';
import { TokenFile } from '../evaluate/player/token-file.ts';
import { atLeastOne, whole } from '../terminal/option/option.ts';
import { scenarioFolder, splitName } from '../terminal/scenario-folder.ts';
import { judgeOf, withJudge, type JudgeFlags } from '../terminal/option/judge-option.ts';
import { personOf, withPerson, type PersonFlags } from '../terminal/option/person-option.ts';
import { playEpisode, type Player } from '../client/play-episode.ts';
import { episodeSummary, Watch } from './episode/watch.ts';

interface RunOptions extends PersonFlags, JudgeFlags {
  readonly model?: string;
  readonly operator?: string;
  readonly baseUrl?: string;
  readonly variant: number;
  readonly seed: number;
  readonly variants?: number;
  readonly trials: number;
  readonly split?: string;
  readonly concurrency: number;
  readonly study?: string;
  readonly group?: string;
  readonly url?: string;
  readonly key?: string;
  readonly data: string;
  readonly scenarios?: string;
  readonly tokens?: string;
  readonly raw?: boolean;
  readonly json?: boolean;
}

export function command(): Command {
  const running = new Command('run')
    .summary('play episodes with a model, and watch')
    .description(
      'Plays a scenario with a model (or a built-in operator, which needs no key) and shows it live: words, calls, facts discovered, the reward as it moves. Several scenarios, variants or trials are played side by side, with a table of how they go and a page of their own. Where the output is piped, it has one JSON line an episode.\nExit code 0 when every episode succeeded, 1 when one did not, 3 when the model failed.',
    )
    .argument(
      '[scenarios...]',
      'collection/scenario, such as case-management/lumbar-strain; several, or with * for any part',
    )
    .option('--model <provider/model>', 'who plays, such as anthropic/claude-… or openai/gpt-…')
    .option('--operator <name>', `a built-in operator: ${operators.map(({ name }) => name).join(', ')}`)
    .option('--base-url <url>', 'where the model is served, if not at its provider (whet mock, vLLM, …)')
    .option('--variant <number>', 'which facts, wording and person', whole, 0)
    .option('--seed <number>', 'seed of the first trial; later trials count up from it', whole, 0)
    .option('--variants <number>', 'how many variants of each scenario, from the first', atLeastOne)
    .option('--trials <number>', 'how many episodes of each', atLeastOne, 1)
    .option('--split <name>', 'only the scenarios of this split; of all collections if none is named')
    .option('--concurrency <number>', 'how many episodes at once', atLeastOne, 8)
    .option('--study <name>', 'the name of this run on the page (default: the time)')
    .option('--group <label>', 'a label to compare the episodes by, on the page')
    .option('--url <url>', 'play on this server instead of starting one')
    .option('--key <key>', 'the key for that server')
    .option('--scenarios <folder>', 'folder of collections (default: ./scenarios, else the bundled ones)')
    .option(
      '--tokens <file>',
      'ask the provider for token ids and log-probabilities, and add them to this file',
    )
    .option(
      '--raw',
      'keep what is sent to the provider and what it replies with the episode, as it is on the wire',
    )
    .option('--json', 'print one JSON line for each episode, even on a terminal, and show none of them live');
  return withJudge(withPerson(withData(running))).action(async (scenarios: string[], options: RunOptions) => {
    if (scenarios.length === 0 && options.split === undefined)
      running.error("error: missing required argument 'scenario'");
    const [first = ''] = scenarios;
    const { url, personModel, personRecording, hearing, judgeModel } = options;
    if (url !== undefined && (personModel ?? personRecording ?? hearing ?? judgeModel) !== undefined)
      throw new WhetstoneError(
        'usage',
        'The server at --url decides who speaks and who judges: start it with these options.',
      );
    const isMany =
      scenarios.length !== 1 ||
      first.includes('*') ||
      options.split !== undefined ||
      options.variants !== undefined ||
      options.trials > 1;
    const play = isMany ? manyOf(scenarios, options) : oneOf(first, options);
    const isWhole = url === undefined ? await playHere(play, options) : await playThere(play, options);
    process.exitCode = isWhole ? exitCode.ok : exitCode.no;
  });
}

/** Plays what was asked for, on a server; what the command line says wrong is told before that is opened. */
interface Play {
  readonly check: (catalog: Catalog) => void;
  readonly on: (
    client: Client,
    server: { readonly url: string; readonly hasPage: boolean },
  ) => Promise<boolean>;
}

function oneOf(scenario: string, options: RunOptions): Play {
  const [collection, slug] = splitName(scenario);
  return {
    check: (catalog) => void examplesIn(findScenario(catalog, collection, slug)),
    on: (client) => playOne(client, collection, slug, options),
  };
}

function manyOf(scenarios: readonly string[], options: RunOptions): Play {
  const study = options.study ?? new Date(systemClock.now()).toISOString().slice(0, 19);
  const names = scenarios.length === 0 ? ['*/*'] : scenarios.map((name) => patternOf(name, options.split));
  const catalog = loadCatalog(scenarioFolder(options.scenarios));
  const tokens = options.tokens === undefined ? undefined : new TokenFile(options.tokens);
  const makePlayer = playerOf(names.join(', '), { ...options, tokens });
  const card = cardOf(options);
  const many: ManyOptions = {
    ...{ scenarios: names, study, card, trials: options.trials, seed: options.seed },
    variants: options.variants ?? 1,
    firstVariant: options.variant,
    concurrency: options.concurrency,
    ...(options.split !== undefined && { split: options.split }),
    ...(options.group !== undefined && { group: options.group }),
    makePlayer: ({ collection, scenario, variant }, seed, episode) =>
      makePlayer({ collection, slug: scenario, variant, seed }, episode, () => undefined),
    json: options.json === true || !process.stdout.isTTY,
  };
  return {
    check: () => void manyCells(catalog, many),
    on: async (client, { url, hasPage }) => {
      const path = `#/runs/${encodeURIComponent(study)}/${encodeURIComponent(card.name)}`;
      if (hasPage) console.error(`The page: ${url}/${path}\n`);
      const isWhole = await playMany(client, catalog, many);
      tellUntold(tokens);
      if (options.url === undefined)
        console.error(withCommandName(`\nThe study ${study}: \`whet view ${options.data}\` shows it again.`));
      return isWhole;
    },
  };
}

/** A collection alone means all of it, where a split chooses among them. */
function patternOf(name: string, split: string | undefined): string {
  return split !== undefined && !name.includes('/') ? `${name}/*` : splitName(name).join('/');
}

async function playHere({ check, on }: Play, options: RunOptions): Promise<boolean> {
  const person = await personOf(options);
  const judge = await judgeOf(options);
  const catalog = loadCatalog(scenarioFolder(options.scenarios));
  check(catalog); // A typo or a fault is told before anything is opened.
  await using store = await openData(options.data);
  const page = pageFolder(undefined);
  await using server = await startServer({
    store,
    catalog,
    open: true,
    ...person,
    ...(judge && { judge }),
    ...(page !== undefined && { page }),
  });
  return await on(connect({ url: server.url }), { url: server.url, hasPage: page !== undefined });
}

async function playThere({ on }: Play, { url = '', key }: RunOptions): Promise<boolean> {
  const client = connect(key === undefined ? { url } : { url, key });
  return on(client, { url: url.replace(/\/+$/, ''), hasPage: true });
}

async function playOne(
  client: Client,
  collection: string,
  slug: string,
  options: RunOptions,
): Promise<boolean> {
  const tokens = options.tokens === undefined ? undefined : new TokenFile(options.tokens);
  const { variant, seed } = options;
  const makePlayer = playerOf(`${collection}/${slug}`, { ...options, tokens });
  const watch = options.json === true ? undefined : new Watch(client);
  let player: (Player & Partial<ModelPlayer>) | undefined;
  let id = '';
  const print = (episode: EpisodeDetailAnswer, fault?: string): void => {
    watch?.end(episode);
    if (watch !== undefined && process.stdout.isTTY) return;
    console.log(
      JSON.stringify({ ...episodeSummary(episode), ...(player?.usage && { usage: player.usage }), fault }),
    );
  };
  const episode = await playEpisode(
    client,
    {
      collection_slug: collection,
      scenario_slug: slug,
      variant,
      seed,
      score_turns: true, // A key that may not see reasons is told the reward by this alone.
      player: cardOf(options),
      ...(options.group !== undefined && { group: options.group }),
      ...(options.study !== undefined && { study: options.study }),
    },
    {
      player: (begun) => {
        id = begun.episode_id;
        watch?.begin(begun.initial_observation.content);
        player = makePlayer({ collection, slug, variant, seed }, begun, (event) => watch?.hear(event));
        return player;
      },
      onTurn: (answer) => watch?.turn(answer, id),
    },
  ).catch(async (error: unknown) => {
    // It was ended and graded as it stood: that is an answer, whatever the command does next.
    if (isWhetstoneError(error) && error.code === 'model_failed')
      print(await client.episode(id), error.message);
    throw error;
  });
  print(episode);
  tellUntold(tokens);
  return episode.grade?.success === 1;
}

function tellUntold(tokens: TokenFile | undefined): void {
  if (tokens !== undefined && tokens.untold > 0)
    console.error(
      `The provider reported no tokens for ${tokens.untold} of ${tokens.told + tokens.untold} replies.`,
    );
}

interface PlayedTask {
  readonly collection: string;
  readonly slug: string;
  readonly variant: number;
  readonly seed: number;
}

type MakePlayer = (
  task: PlayedTask,
  episode: Parameters<typeof modelPlayer>[1],
  hear: (event: ModelEvent) => void,
) => Player & Partial<ModelPlayer>;

function playerOf(
  what: string,
  options: Omit<RunOptions, 'tokens'> & { readonly tokens: TokenFile | undefined },
): MakePlayer {
  const { model: modelName, operator: operatorName } = options;
  if ((modelName === undefined) === (operatorName === undefined))
    throw new WhetstoneError(
      'usage',
      `Who plays ${what}? Give either --model provider/model or --operator ${operators.map(({ name }) => name).join('|')}.`,
    );
  if (modelName !== undefined) {
    const { tokens, baseUrl, raw = false } = options;
    const model = modelNamed(modelName, {
      ...(baseUrl !== undefined && { baseUrl }),
      ...(raw && { fetch: heardFetch }),
    });
    return (_, episode, hear) =>
      modelPlayer(tokens?.follow(model, episode.episode_id) ?? model, episode, hear);
  }
  const operator = operators.find(({ name }) => name === operatorName);
  if (operator === undefined)
    throw new WhetstoneError(
      'usage',
      `There is no operator "${operatorName}". Known: ${operators.map(({ name }) => name).join(', ')}.`,
    );
  const catalog = loadCatalog(scenarioFolder(options.scenarios));
  return ({ collection, slug, variant, seed }) =>
    operatorPlayer(operator, buildTask(findScenario(catalog, collection, slug), variant, seed));
}
