import { WhetstoneError } from '../../base/host/errors.ts';
import { Gate, type GateVerdict } from '../../eval/statistics/gate.ts';
import { wilsonInterval } from '../../eval/statistics/interval.ts';
import { faultOf } from '../../eval/study/fault.ts';
import { findScenario, loadCatalog } from '../../grade/scenario/load/catalog.ts';
import { SqliteStore } from '../../grade/store/sqlite/sqlite-store.ts';
import { connect } from '../client/client.ts';
import { playEpisode, type PlayOptions } from '../client/play-episode.ts';
import { scenarioFolder, splitName } from '../terminal/scenario-folder.ts';
import { startServer } from '../server/server.ts';

/** Who plays: what `operator(agent)` of `whetstone/operator` gives. */
export type TestedPlayer = PlayOptions['player'];

export interface PassOptions {
  /** The rate of success that is asked for; 0.8 when left out. */
  readonly atLeast?: number;
  /** Trials at most; 200 when left out. It ends as soon as the answer is shown. */
  readonly trials?: number;
  /** Trials that are played at once; 8 when left out. */
  readonly concurrency?: number;
  /** The folder of collections: `./scenarios`, else the bundled ones, when left out. */
  readonly scenarios?: string;
}

/** What a gate says of a player, and by how much. */
export interface PassReport {
  readonly verdict: GateVerdict;
  readonly successes: number;
  readonly trials: number;
  readonly message: string;
}

/**
 * Lets a player play trial after trial of a scenario, each another variant, until it is shown that it succeeds at least so
 * often, or less. It is looked at after every trial, and wrong in one run of twenty at most.
 */
export async function playGate(
  player: TestedPlayer,
  scenario: string,
  { atLeast = 0.8, trials = 200, concurrency = 8, scenarios }: PassOptions = {},
): Promise<PassReport> {
  if (!(atLeast > 0 && atLeast <= 1))
    throw new WhetstoneError('usage', `atLeast is ${atLeast}, and should be above 0 and at most 1.`);
  if (!Number.isInteger(trials) || trials < 1)
    throw new WhetstoneError('usage', `trials is ${trials}, and should be a whole number from 1 on.`);
  const catalog = loadCatalog(scenarioFolder(scenarios));
  const [collection, slug] = splitName(scenario);
  const { variants } = findScenario(catalog, collection, slug);
  await using store = new SqliteStore(':memory:');
  await using server = await startServer({ store, catalog, open: true });
  const client = connect({ url: server.url });
  const gate = new Gate(atLeast);
  const ended: number[] = [];
  let next = 0;
  let counted = 0;
  let successes = 0;
  const playOn = async (): Promise<void> => {
    while (gate.verdict === 'undecided' && next < trials) {
      const trial = next++;
      const episode = await whileWorldFails(() =>
        playEpisode(
          client,
          {
            collection_slug: collection,
            scenario_slug: slug,
            variant: trial % variants,
            seed: Math.floor(trial / variants),
          },
          { player },
        ),
      );
      ended[trial] = episode.grade?.success ?? 0;
      // In the order of the trials, so that those which happen to end first do not decide.
      for (; ended[counted] !== undefined && gate.verdict === 'undecided'; counted++) {
        successes += ended[counted]!;
        gate.add(ended[counted]!);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, trials) }, playOn));
  const { verdict } = gate;
  const [least, most] = wilsonInterval(successes, counted);
  const rate = `${successes} of ${counted} trials of ${scenario} succeeded (${share(successes / counted)}, 95 % of ${share(least)} to ${share(most)})`;
  const words = {
    pass: `that is at least ${share(atLeast)}.`,
    fail: `at least ${share(atLeast)} were asked for.`,
    undecided: `too few to tell whether that is at least ${share(atLeast)}: allow more trials, or ask for less.`,
  };
  return { verdict, successes, trials: counted, message: `${rate}; ${words[verdict]}` };
}

/** How often a trial is tried where a provider or the network fails: that says nothing of the agent. */
const tries = 3;

async function whileWorldFails<Value>(play: () => Promise<Value>): Promise<Value> {
  for (let tried = 1; ; tried++) {
    try {
      return await play();
    } catch (error) {
      const { world, access, kind } = faultOf(error);
      // An error of the agent's own belongs to the test as it is.
      if (!world || access || kind === 'unknown' || tried === tries) throw error;
    }
  }
}

function share(rate: number): string {
  return `${(rate * 100).toFixed(0)} %`;
}
