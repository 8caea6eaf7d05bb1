import type { Random } from '../../base/host/random.ts';
import { Gate, type GateVerdict } from './gate.ts';
import { type Interval, wilsonInterval } from './interval.ts';

/** How often two runs of the same player came to opposite verdicts. */
export interface GateFlips {
  /** The rate of success that both runs have: nobody is better than himself. */
  readonly rate: number;
  readonly rounds: number;
  /** Rounds in which one run passed and the other failed. */
  readonly flips: number;
  readonly interval: Interval;
  /** Of both runs of all rounds together. */
  readonly verdicts: Readonly<Record<GateVerdict, number>>;
}

/**
 * A gate's A/A test: in each round two runs of the same player, whose results are drawn again from what it earned (a
 * bootstrap), go through the gate side by side.
 */
export function gateFlips(
  results: readonly number[],
  atLeast: number,
  {
    random,
    rounds = 1000,
    trials = 200,
  }: { readonly random: Random; readonly rounds?: number; readonly trials?: number },
): GateFlips {
  const verdicts = { pass: 0, fail: 0, undecided: 0 };
  const run = (): GateVerdict => {
    const gate = new Gate(atLeast);
    while (gate.seen < trials && gate.verdict === 'undecided')
      gate.add(results[Math.floor(random() * results.length)]!);
    verdicts[gate.verdict]++;
    return gate.verdict;
  };
  let flips = 0;
  for (let round = 0; round < rounds; round++) {
    const [first, second] = [run(), run()];
    if (first !== second && first !== 'undecided' && second !== 'undecided') flips++;
  }
  const rate = results.reduce((sum, result) => sum + result, 0) / results.length;
  return { rate, rounds, flips, interval: wilsonInterval(flips, rounds), verdicts };
}
