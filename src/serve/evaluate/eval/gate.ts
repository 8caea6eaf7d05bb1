import { Command } from 'commander';

import { seededRandom } from '../../../base/host/random.ts';
import { WhetstoneError } from '../../../base/host/errors.ts';
import { type GateFlips, gateFlips } from '../../../eval/statistics/gate-flips.ts';
import { isSuccess } from '../../../eval/statistics/result.ts';
import { type JudgeFlags, withJudge } from '../../terminal/option/judge-option.ts';
import { atLeastOne, share, whole } from '../../terminal/option/option.ts';
import { answerJsonLines } from '../../terminal/json-lines.ts';
import { exitCode } from '../../terminal/exit-code.ts';
import { answerGate } from './answer-statistics.ts';
import { gateStudy, gateSuite } from './gate-players.ts';
import { aligned, interval } from './print-study.ts';
import { studyResults } from './study-results.ts';

interface GateOptions extends Partial<JudgeFlags> {
  readonly jsonl?: boolean;
  readonly aa?: string;
  readonly atLeast: number;
  readonly trials?: number;
  readonly out?: string;
  readonly scenarios?: string;
  readonly rounds: number;
  readonly seed: number;
  readonly json?: boolean;
}

/** `whet eval gate`: whether a rate is reached, told after every result; with `--aa` how far that can be trusted. */
export function gate(): Command {
  const asking = new Command('gate')
    .description(
      'Says whether a rate of success is at least what was asked for, after every result: a suite (a YAML file) is played until each player has an answer, the folder of a study is read in the order of its suite. With --aa the players of a study are each set against themselves: how often would the gate have passed one run and failed the other?\nExit code 0 when every player passed, 1 when one failed or could not be told.',
    )
    .option('--jsonl', 'read one study per line, and answer each with a line')
    .option('--aa <folder>', 'the folder of a study: draw two runs of each player from its results')
    .option('--at-least <rate>', 'the rate that the gate asks for', share, 0.8)
    .option(
      '--trials <number>',
      'for a suite: how often each task may be played; with --aa: the longest run (default: 200)',
      atLeastOne,
    )
    .option('--out <folder>', 'for a suite: where its study is kept')
    .option('--scenarios <folder>', 'folder of collections (default: ./scenarios, else the bundled ones)')
    .option('--rounds <number>', 'with --aa: how many pairs of runs', atLeastOne, 1000)
    .option('--seed <number>', 'with --aa: the same seed draws the same runs', whole, 1)
    .option('--json', 'print one JSON line per player')
    .argument('[file]', 'a suite or the folder of a study; with --jsonl a file of JSON Lines, or "-"');
  return withJudge(asking).action(async (file: string | undefined, options: GateOptions) => {
    const { jsonl = false, aa } = options;
    if (jsonl && aa !== undefined) throw new WhetstoneError('usage', 'Give either --jsonl or --aa.');
    if (aa !== undefined) printFlips(aa, options);
    else if (jsonl) process.exitCode = await answerJsonLines(file, answerGate);
    else if (file === undefined)
      throw new WhetstoneError('usage', 'Give a suite, the folder of a study, or --jsonl.');
    else {
      const hasPassed = /\.ya?ml$/.test(file) ? await gateSuite(file, options) : gateStudy(file, options);
      process.exitCode = hasPassed ? exitCode.ok : exitCode.no;
    }
  });
}

function printFlips(folder: string, { atLeast, trials = 200, rounds, seed, json }: GateOptions): void {
  const found = [...studyResults(folder)].map(([player, results]) => ({
    player,
    ...gateFlips(
      results.map((result) => Number(isSuccess(result))),
      atLeast,
      // Each player has the rounds of the seed, no matter who else is in the study.
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
