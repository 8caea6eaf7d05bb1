import { Command } from 'commander';

import { seededRandom } from '../../../base/host/random.ts';
import { WhetstoneError } from '../../../base/host/errors.ts';
import { type GateFlips, gateFlips } from '../../../eval/statistics/gate-flips.ts';
import { isSuccess } from '../../../eval/statistics/result.ts';
import { atLeastOne, share, whole } from '../../terminal/option/option.ts';
import { answerJsonLines } from '../../terminal/json-lines.ts';
import { answerGate } from './answer-statistics.ts';
import { aligned, interval } from './print-study.ts';
import { studyResults } from './study-results.ts';

interface GateOptions {
  readonly jsonl?: boolean;
  readonly aa?: string;
  readonly atLeast: number;
  readonly trials: number;
  readonly rounds: number;
  readonly seed: number;
  readonly json?: boolean;
}

/** `whet eval gate`: whether a rate is reached, told after every result; with `--aa` how far that can be trusted. */
export function gate(): Command {
  return new Command('gate')
    .description(
      'Whether a rate of success is at least what was asked for, told after every result. With --aa the players of a study are each set against themselves: how often would the gate have passed one run and failed the other?',
    )
    .option('--jsonl', 'read one study a line, and answer each with a line')
    .option('--aa <folder>', 'the folder of a study: draw two runs of each player from its results')
    .option('--at-least <rate>', 'with --aa: the rate that the gate asks for', share, 0.8)
    .option('--trials <number>', 'with --aa: the longest run', atLeastOne, 200)
    .option('--rounds <number>', 'with --aa: how many pairs of runs', atLeastOne, 1000)
    .option('--seed <number>', 'with --aa: the same seed draws the same runs', whole, 1)
    .option('--json', 'with --aa: print one JSON line a player')
    .argument('[file]', 'a file of JSON Lines; standard input when it is left out or "-"')
    .action(async (file: string | undefined, options: GateOptions) => {
      if ((options.jsonl === true) === (options.aa !== undefined))
        throw new WhetstoneError('usage', 'Say either --jsonl or --aa with the folder of a study.');
      if (options.aa === undefined) process.exitCode = await answerJsonLines(file, answerGate);
      else printFlips(options.aa, options);
    });
}

function printFlips(folder: string, { atLeast, trials, rounds, seed, json }: GateOptions): void {
  const found = [...studyResults(folder)].map(([player, results]) => ({
    player,
    ...gateFlips(
      results.map((result) => Number(isSuccess(result))),
      atLeast,
      // Each player has the rounds of the seed, whoever else is in the study.
      { random: seededRandom(seed), rounds, trials },
    ),
  }));
  if (json === true) {
    const said = { at_least: atLeast, trials, seed };
    for (const each of found) console.log(JSON.stringify({ ...each, ...said }));
    return;
  }
  console.log(aligned([head, ...found.map(rowOf)]));
  console.error(
    `${rounds} rounds of two runs of up to ${trials} trials each, drawn from the results of the study (seed ${seed}); the gate asks for ${atLeast}. A flip is a round in which one run passed and the other failed.`,
  );
}

const head = ['player', 'success', 'passed', 'failed', 'undecided', 'flips', 'of rounds', '95 %'];

function rowOf({ player, rate, rounds, flips, interval: bounds, verdicts }: GateFlips & { player: string }) {
  const { pass, fail, undecided } = verdicts;
  const counts = [pass, fail, undecided, flips, rounds].map(String);
  return [player, rate.toFixed(3), ...counts, interval(bounds, 3)];
}
