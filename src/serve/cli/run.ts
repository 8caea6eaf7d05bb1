import { Command } from 'commander';

import { isWhetstoneError, WhetstoneError } from '../../base/host/errors.ts';
import type { ModelEvent } from '../../base/message/model.ts';
import { findScenario, loadCatalog } from '../../grade/scenario/load/catalog.ts';
import { examplesIn } from '../../grade/scenario/examples.ts';
import { operators } from '../../grade/play/operators.ts';
import { buildTask } from '../../grade/scenario/build-task.ts';
import { modelNamed } from '../../wire/index.ts';
import type { EpisodeDetailAnswer } from '../api/episode.ts';
import { connect, type Client } from '../client/client.ts';
import { startServer } from '../server/server.ts';
import { openData, withData } from '../terminal/option/data-option.ts';
import { exitCode } from '../terminal/exit-code.ts';
import { cardOf } from '../evaluate/player/player-card.ts';
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
  readonly trials: number;
  readonly group?: string;
  readonly url?: string;
  readonly key?: string;
  readonly data: string;
  readonly scenarios?: string;
  readonly tokens?: string;
  readonly json?: boolean;
}

export function command(): Command {
  const running = new Command('run')
    .summary('play episodes with a model, and watch')
    .description(
      'Plays a scenario with a model (or a built-in operator, which needs no key) and shows it live: words, calls, facts discovered, the reward as it moves. Prints one JSON line an episode.\nExit code 0 when every episode succeeded, 1 when one did not, 3 when the model failed.',
    )
    .argument('<scenario>', 'collection/scenario, such as case-management/lumbar-strain')
    .option('--model <provider/model>', 'who plays, such as anthropic/claude-… or openai/gpt-…')
    .option('--operator <name>', `a built-in operator: ${operators.map(({ name }) => name).join(', ')}`)
    .option('--base-url <url>', 'where the model is served, if not at its provider (whet mock, vLLM, …)')
    .option('--variant <number>', 'which facts, wording and person', whole, 0)
    .option('--seed <number>', 'seed of the first trial; later ones count on', whole, 0)
    .option('--trials <number>', 'how many episodes', atLeastOne, 1)
    .option('--group <label>', 'a label to compare the episodes by, on the page')
    .option('--url <url>', 'play on this server, in place of one of its own')
    .option('--key <key>', 'the key for that server')
    .option('--scenarios <folder>', 'folder of collections (default: ./scenarios, else the bundled ones)')
    .option(
      '--tokens <file>',
      'ask the provider for token ids and log-probabilities, and add them to this file',
    )
    .option('--json', 'print the JSON lines only');
  return withJudge(withPerson(withData(running))).action(async (scenario: string, options: RunOptions) => {
    const [collection, slug] = splitName(scenario);
    const { url, personModel, personRecording, hearing, judgeModel } = options;
    if (url !== undefined && (personModel ?? personRecording ?? hearing ?? judgeModel) !== undefined)
      throw new WhetstoneError(
        'usage',
        'Who speaks and who judges is for the server at --url to say: start it with these options.',
      );
    const episodes = url === undefined ? playHere : playThere;
    process.exitCode = (await episodes(collection, slug, options)) ? exitCode.ok : exitCode.no;
  });
}

async function playHere(collection: string, slug: string, options: RunOptions): Promise<boolean> {
  const person = await personOf(options);
  const judge = await judgeOf(options);
  const catalog = loadCatalog(scenarioFolder(options.scenarios));
  examplesIn(findScenario(catalog, collection, slug)); // A typo or a fault is told before anything is opened.
  await using store = await openData(options.data);
  await using server = await startServer({
    store,
    catalog,
    open: true,
    ...person,
    ...(judge && { judge }),
  });
  return await playTrials(connect({ url: server.url }), collection, slug, options);
}

async function playThere(collection: string, slug: string, options: RunOptions): Promise<boolean> {
  const { url = '', key } = options;
  return playTrials(connect(key === undefined ? { url } : { url, key }), collection, slug, options);
}

async function playTrials(
  client: Client,
  collection: string,
  slug: string,
  options: RunOptions,
): Promise<boolean> {
  const tokens = options.tokens === undefined ? undefined : new TokenFile(options.tokens);
  const makePlayer = playerOf(collection, slug, { ...options, tokens });
  let succeeded = 0;
  for (let trial = 0; trial < options.trials; trial++) {
    const watch = options.json === true ? undefined : new Watch(client);
    let player: (Player & Partial<ModelPlayer>) | undefined;
    let id = '';
    const print = (episode: EpisodeDetailAnswer, fault?: string): void => {
      watch?.end(episode);
      console.log(
        JSON.stringify({ ...episodeSummary(episode), ...(player?.usage && { usage: player.usage }), fault }),
      );
    };
    const episode = await playEpisode(
      client,
      {
        collection_slug: collection,
        scenario_slug: slug,
        variant: options.variant,
        seed: options.seed + trial,
        score_turns: true, // A key that may not see reasons is told the reward by this alone.
        player: cardOf(options),
        ...(options.group === undefined ? {} : { group: options.group }),
      },
      {
        player: (begun) => {
          id = begun.episode_id;
          watch?.begin(begun.initial_observation.content);
          player = makePlayer(begun, (event) => watch?.hear(event));
          return player;
        },
        onTurn: (answer) => watch?.turn(answer, id),
      },
    ).catch(async (error: unknown) => {
      // It was ended and graded as it stood: that is an answer, whatever comes of the command.
      if (isWhetstoneError(error) && error.code === 'model_failed')
        print(await client.episode(id), error.message);
      throw error;
    });
    if (episode.grade?.success === 1) succeeded++;
    print(episode);
    if (options.trials > 1 && options.json !== true)
      console.error(`${trial + 1} of ${options.trials} played, ${succeeded} succeeded`);
  }
  if (tokens !== undefined && tokens.untold > 0)
    console.error(
      `The provider told no tokens for ${tokens.untold} of ${tokens.told + tokens.untold} replies.`,
    );
  return succeeded === options.trials;
}

type MakePlayer = (
  episode: Parameters<typeof modelPlayer>[1],
  hear: (event: ModelEvent) => void,
) => Player & Partial<ModelPlayer>;

function playerOf(
  collection: string,
  slug: string,
  options: Omit<RunOptions, 'tokens'> & { readonly tokens: TokenFile | undefined },
): MakePlayer {
  const { model: modelName, operator: operatorName } = options;
  if ((modelName === undefined) === (operatorName === undefined))
    throw new WhetstoneError(
      'usage',
      `Who plays ${collection}/${slug}? Give either --model provider/model or --operator ${operators.map(({ name }) => name).join('|')}.`,
    );
  if (modelName !== undefined) {
    const model = modelNamed(modelName, options.baseUrl === undefined ? {} : { baseUrl: options.baseUrl });
    const { tokens } = options;
    return (episode, hear) => modelPlayer(tokens?.follow(model, episode.episode_id) ?? model, episode, hear);
  }
  const operator = operators.find(({ name }) => name === operatorName);
  if (operator === undefined)
    throw new WhetstoneError(
      'usage',
      `There is no operator "${operatorName}". Known: ${operators.map(({ name }) => name).join(', ')}.`,
    );
  const catalog = loadCatalog(scenarioFolder(options.scenarios));
  const task = buildTask(findScenario(catalog, collection, slug), options.variant, options.seed);
  return () => operatorPlayer(operator, task);
}
