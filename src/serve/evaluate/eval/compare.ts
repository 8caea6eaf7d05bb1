import { Command, Option } from 'commander';

import { WhetstoneError } from '../../../base/host/errors.ts';
import { type Comparison, compareResults } from '../../../eval/statistics/comparison.ts';
import type { TaskResult } from '../../../eval/statistics/result.ts';
import { atLeastOne } from '../../terminal/option/option.ts';
import { answerJsonLines } from '../../terminal/json-lines.ts';
import { answerComparison } from './answer-statistics.ts';
import { aligned } from './print-study.ts';
import { studyResults } from './study-results.ts';

interface CompareOptions {
  readonly jsonl?: boolean;
  readonly a?: string;
  readonly b?: string;
  readonly on: 'reward' | 'success';
  readonly tasks: number;
  readonly json?: boolean;
}

/** `whet eval compare A B`: which of two is better, by how much, and what changed task by task. */
export function compare(): Command {
  return new Command('compare')
    .description(
      'Say which of two is better, task by task, or that the data cannot tell: two studies, named by their folders, or two players of one study (--a, --b). With --jsonl it reads pairs and answers each with a line.',
    )
    .argument('[a]', 'the folder of a study; with --jsonl a file of JSON Lines, or "-"')
    .argument('[b]', 'the folder of another study')
    .option('--a <player>', 'which player of the first study, if it has several')
    .option('--b <player>', 'which player of the second study')
    .addOption(new Option('--on <what>', 'what to compare').choices(['reward', 'success']).default('reward'))
    .option('--tasks <number>', 'how many of the tasks that changed to list', atLeastOne, 20)
    .option('--jsonl', 'read one pair of studies per line, and answer each with a line')
    .option('--json', 'print one JSON line per comparison, with every task that changed')
    .action(async (a: string | undefined, b: string | undefined, options: CompareOptions) => {
      if (options.jsonl === true) process.exitCode = await answerJsonLines(a, answerComparison);
      else if (a === undefined)
        throw new WhetstoneError('usage', 'Give the folders of two studies, or --jsonl.');
      else print(pairsOf(a, b, options), options);
    });
}

interface Pair {
  readonly a: Side;
  readonly b: Side;
}

interface Side {
  readonly label: string;
  readonly results: readonly TaskResult[];
}

/** The players of the same name in both; or the two that were named, or are all there is. */
function pairsOf(a: string, b: string | undefined, names: CompareOptions): readonly Pair[] {
  const [first, second] = [studyResults(a), studyResults(b ?? a)];
  const isNamed = names.a !== undefined || names.b !== undefined;
  if (b !== undefined && !isNamed) {
    const common = [...first.keys()].filter((player) => second.has(player));
    if (common.length > 0)
      return common.map((player) => ({
        a: { label: `${player} (${a})`, results: first.get(player)! },
        b: { label: `${player} (${b})`, results: second.get(player)! },
      }));
  }
  const one = chosen(first, names.a, { folder: a, option: '--a', place: 0 });
  const other = chosen(second, names.b, { folder: b ?? a, option: '--b', place: b === undefined ? 1 : 0 });
  return [{ a: one, b: other }];
}

function chosen(
  players: ReadonlyMap<string, readonly TaskResult[]>,
  name: string | undefined,
  { folder, option, place }: { readonly folder: string; readonly option: string; readonly place: 0 | 1 },
): Side {
  const known = [...players.keys()];
  // Where there are just as many as are compared, nobody need be named.
  const player = name ?? (known.length === place + 1 ? known[place] : undefined);
  const results = player === undefined ? undefined : players.get(player);
  if (player !== undefined && results !== undefined) return { label: player, results };
  throw new WhetstoneError(
    'usage',
    `${name === undefined ? `Whose results of ${folder}?` : `There is no player "${name}" in ${folder}.`} Give ${option} one of: ${known.join(', ')}.`,
  );
}

function print(pairs: readonly Pair[], { on, tasks, json }: CompareOptions): void {
  for (const { a, b } of pairs) {
    const compared = compareResults(a.results, b.results, on);
    if (compared === undefined)
      throw new WhetstoneError('results_invalid', `${a.label} and ${b.label} played no task in common.`);
    if (json === true) console.log(JSON.stringify(lineOf(a, b, on, compared)));
    else console.log(textOf(a, b, { on, tasks, compared }));
  }
  if (pairs.length > 1 && json !== true)
    console.error(
      `${pairs.length} comparisons: each interval alone holds in 95 % of studies, and all of them together in fewer.`,
    );
}

function lineOf(a: Side, b: Side, on: string, { interval: bounds, ...compared }: Comparison) {
  return {
    a_player: a.label,
    b_player: b.label,
    on,
    a: compared.a,
    b: compared.b,
    difference: compared.difference,
    interval: bounds ?? null,
    verdict: compared.verdict,
    smallest_detectable: compared.smallestDetectable ?? null,
    tasks: compared.tasks,
    templates: compared.templates,
    changes: compared.changes,
  };
}

const words = { 'a better': 'worse', 'b better': 'better', undecided: 'undecided' } as const;

function textOf(
  a: Side,
  b: Side,
  { on, tasks, compared }: { readonly on: string; readonly tasks: number; readonly compared: Comparison },
): string {
  const { difference, verdict, smallestDetectable: smallest, changes } = compared;
  const finds =
    smallest === undefined
      ? 'One template alone says nothing about others.'
      : `Such a study finds a difference of ${smallest.toFixed(3)} four times in five.`;
  const bounds = compared.interval;
  const within = bounds === undefined ? '' : ` (95 % from ${signed(bounds[0])} to ${signed(bounds[1])})`;
  const better = changes.filter((change) => change.b > change.a).length;
  const listed = changes
    .slice(0, tasks)
    .map((change) => [
      [change.template, change.task].filter((name) => name !== undefined).join('/'),
      change.a.toFixed(3),
      change.b.toFixed(3),
      signed(change.b - change.a),
    ]);
  return [
    `${b.label} against ${a.label}, by ${on}: ${compared.a.toFixed(3)} → ${compared.b.toFixed(3)}, ${signed(difference)}${within}: ${words[verdict]}.`,
    `${compared.tasks} tasks of ${compared.templates} templates that both played: ${better} went better, ${changes.length - better} worse, ${compared.tasks - changes.length} alike. ${finds}`,
    ...(listed.length === 0 ? [] : [aligned([['task', 'a', 'b', 'change'], ...listed])]),
    ...(changes.length > tasks
      ? [`… and ${changes.length - tasks} more: use --tasks ${changes.length}.`]
      : []),
  ].join('\n');
}

function signed(value: number): string {
  return `${value >= 0 ? '+' : '−'}${Math.abs(value).toFixed(3)}`;
}
