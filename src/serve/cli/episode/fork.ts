import { Command } from 'commander';

import { isWhetstoneError, WhetstoneError } from '../../../base/host/errors.ts';
import type { ModelEvent } from '../../../base/message/model.ts';
import { clusteredMean } from '../../../eval/statistics/clustered-mean.ts';
import { compareResults } from '../../../eval/statistics/comparison.ts';
import { type Interval, meanInterval } from '../../../eval/statistics/interval.ts';
import { clustersOf, type TaskResult } from '../../../eval/statistics/result.ts';
import { stateAfter } from '../../../grade/episode/fork-episode.ts';
import { operators } from '../../../grade/play/operators.ts';
import { loadCatalog } from '../../../grade/scenario/load/catalog.ts';
import { modelNamed } from '../../../wire/index.ts';
import type { EpisodeDetailAnswer } from '../../api/episode.ts';
import { connect, type Client } from '../../client/client.ts';
import { playFork, type PlayOptions } from '../../client/play-episode.ts';
import { startServer } from '../../server/server.ts';
import { openKept, withData } from '../../terminal/option/data-option.ts';
import { judgeOf, withJudge, type JudgeFlags } from '../../terminal/option/judge-option.ts';
import { atLeastOne, whole } from '../../terminal/option/option.ts';
import { personOf, withPerson, type PersonFlags } from '../../terminal/option/person-option.ts';
import { cardOf } from '../../evaluate/player/player-card.ts';
import { modelPlayer } from '../../evaluate/player/model-player.ts';
import { operatorPlayer } from '../../evaluate/player/operator-player.ts';
import { scenarioFolder } from '../../terminal/scenario-folder.ts';
import { playInTerminal } from '../scenario/scenario-play.ts';
import { exitCode } from '../../terminal/exit-code.ts';
import { openEpisode } from './open-episode.ts';
import { episodeSummary, Watch } from './watch.ts';

interface Flags extends PersonFlags, JudgeFlags {
  readonly turn: number;
  readonly model?: string;
  readonly operator?: string;
  readonly baseUrl?: string;
  readonly trials: number;
  readonly effect?: boolean;
  readonly group?: string;
  readonly data: string;
  readonly scenarios?: string;
  readonly json?: boolean;
}

export function command(): Command {
  const forking = new Command('fork')
    .summary('continue a stored episode from any turn, with another player')
    .description(
      'Opens an episode that begins with the first turns of a stored one, and plays it on. What came before costs no tokens: worlds are played again, and the grade counts it as it was. Prints one JSON line an episode; several trials end with their mean and its interval.\nWithout --model or --operator you play on yourself, in the terminal, and nothing is stored.',
    )
    .argument('<episode>', 'the id of an episode')
    .requiredOption('--turn <number>', 'the last turn to keep; 0 for none', whole)
    .option('--model <provider/model>', 'who plays on')
    .option('--operator <name>', `a built-in operator: ${operators.map(({ name }) => name).join(', ')}`)
    .option('--base-url <url>', 'where the model is served, if not at its provider')
    .option('--trials <number>', 'how many forks', atLeastOne, 1)
    .option('--effect', 'play as many trials from the turn before as well, and say what this turn was worth')
    .option('--group <label>', 'a label to compare the forks by (default: EPISODE@TURN)')
    .option('--scenarios <folder>', 'folder of collections (default: ./scenarios, else the bundled ones)')
    .option('--json', 'print the JSON lines only');
  return withJudge(withPerson(withData(forking))).action(async (episode: string, flags: Flags) => {
    if (flags.model === undefined && flags.operator === undefined) return playHere(episode, flags);
    process.exitCode = (await playForks(episode, flags)) ? exitCode.ok : exitCode.no;
  });
}

/** The person at the terminal plays on. */
async function playHere(episode: string, flags: Flags): Promise<void> {
  const { turn } = flags;
  const by = { ...(await personOf(flags)), judge: await judgeOf(flags) };
  const { task, transcript, record } = await openEpisode(episode, flags);
  const { turns } = transcript;
  if (record === undefined)
    throw new WhetstoneError('usage', `${episode} is a file: name an episode of the store by its id.`);
  if (turn > turns.length || (turn === turns.length && transcript.terminalReason !== undefined))
    throw new WhetstoneError(
      'fork_refused',
      `${episode} has ${turns.length} turns: fork it at one before the last.`,
      { details: { turn } },
    );
  const from = { turns: turns.slice(0, turn), state: stateAfter({ task, turns, record }, turn) };
  await playInTerminal(task, { ...by, from });
}

async function playForks(episode: string, flags: Flags): Promise<boolean> {
  const { turn, trials } = flags;
  if (flags.effect === true && turn === 0)
    throw new WhetstoneError(
      'usage',
      'Before turn 0 there is no turn to compare with: give --turn 1 or more.',
    );
  const person = await personOf(flags);
  const judge = await judgeOf(flags);
  const catalog = loadCatalog(scenarioFolder(flags.scenarios));
  const player = await playerOf(episode, flags);
  await using store = await openKept(flags.data);
  await using server = await startServer({
    store,
    catalog,
    open: true,
    ...person,
    ...(judge && { judge }),
  });
  const client = connect({ url: server.url });
  const play = (at: number) => playTrials(client, { episode, turn: at, player }, flags);
  const with_ = await play(turn);
  const without = flags.effect === true ? await play(turn - 1) : undefined;
  if (trials > 1) console.error(`From turn ${turn}: ${sayMean(with_)}`);
  if (without !== undefined) {
    console.error(`From turn ${turn - 1}: ${sayMean(without)}`);
    const effect = compareResults(without, with_);
    if (effect !== undefined)
      console.error(
        `Turn ${turn} was worth ${signed(effect.difference)}${interval(effect.interval)}: as it was played, against what this player did there.`,
      );
  }
  return with_.every(({ success }) => success);
}

type MakePlayer = (hear: (event: ModelEvent) => void) => PlayOptions['player'];

async function playerOf(episode: string, flags: Flags): Promise<MakePlayer> {
  const { model: modelName, operator: operatorName, baseUrl } = flags;
  if (modelName !== undefined && operatorName !== undefined)
    throw new WhetstoneError('usage', 'Who plays on? Give either --model or --operator.');
  if (modelName !== undefined) {
    const model = modelNamed(modelName, baseUrl === undefined ? {} : { baseUrl });
    return (hear) => (forked) => modelPlayer(model, forked, hear);
  }
  const operator = operators.find(({ name }) => name === operatorName);
  if (operator === undefined)
    throw new WhetstoneError(
      'usage',
      `There is no operator "${operatorName}". Known: ${operators.map(({ name }) => name).join(', ')}.`,
    );
  const { task } = await openEpisode(episode, flags);
  return () => () => operatorPlayer(operator, task);
}

/** Each trial is a task of its own to the statistics: they have nothing but the prefix in common. */
async function playTrials(
  client: Client,
  { episode, turn, player }: { readonly episode: string; readonly turn: number; readonly player: MakePlayer },
  flags: Flags,
): Promise<readonly (TaskResult & { readonly success: boolean })[]> {
  const results: (TaskResult & { readonly success: boolean })[] = [];
  for (let trial = 0; trial < flags.trials; trial++) {
    const watch = flags.json === true ? undefined : new Watch(client);
    let id = '';
    const print = (ended: EpisodeDetailAnswer, fault?: string): void => {
      watch?.end(ended);
      console.log(JSON.stringify({ ...episodeSummary(ended), forked_from: ended.forked_from, fault }));
    };
    const group = flags.group === undefined ? {} : { group: flags.group };
    const options: PlayOptions = {
      player: (forked) => {
        id = forked.episode_id;
        const made = player((event) => watch?.hear(event))(forked);
        watch?.begin(forked.initial_observation.content);
        return made;
      },
      onTurn: (answer) => watch?.turn(answer, id),
    };
    const ended = await playFork(client, { episode, turn, player: cardOf(flags), ...group }, options).catch(
      async (error: unknown) => {
        // It was ended and graded as it stood: that is an answer, whatever the command does next.
        if (isWhetstoneError(error) && error.code === 'model_failed')
          print(await client.episode(id), error.message);
        throw error;
      },
    );
    print(ended);
    const reward = ended.grade?.reward ?? 0;
    results.push({ task: String(trial), trial, reward, success: ended.grade?.success === 1 });
  }
  return results;
}

function sayMean(results: readonly TaskResult[]): string {
  const mean = clusteredMean(clustersOf(results, ({ reward }) => reward));
  return `${results.length} trials, reward ${mean.mean.toFixed(3)}${interval(meanInterval(mean))}.`;
}

function interval(bounds: Interval | undefined): string {
  return bounds === undefined ? '' : ` (95 %: ${bounds[0].toFixed(3)} to ${bounds[1].toFixed(3)})`;
}

function signed(value: number): string {
  return `${value >= 0 ? '+' : ''}${value.toFixed(3)}`;
}
