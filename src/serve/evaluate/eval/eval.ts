import { Command } from 'commander';

import type { JsonObject } from '../../../base/json/value.ts';
import { answerJsonLines } from '../../terminal/json-lines.ts';
import { answerStats } from './answer-statistics.ts';
import { compare } from './compare.ts';
import { control } from './control.ts';
import { gate } from './gate.ts';
import { label } from './label/label.ts';
import { playSuite } from './play-suite.ts';

export function command(): Command {
  return new Command('eval')
    .description(
      'Plays suites of tasks, and says what studies show: means with intervals, comparisons, gates.',
    )
    .addCommand(playSuite(), { isDefault: true })
    .addCommand(control())
    .addCommand(
      lines(
        'stats',
        'Mean rewards and rates of success, with intervals that count templates, and pass@k and pass^k.',
        answerStats,
      ),
    )
    .addCommand(compare())
    .addCommand(gate())
    .addCommand(label());
}

function lines(name: string, description: string, answer: (line: JsonObject) => JsonObject): Command {
  return new Command(name)
    .description(description)
    .requiredOption('--jsonl', 'read one study per line, and answer each with a line')
    .argument('[file]', 'a file of JSON Lines; standard input when it is left out or "-"')
    .action(async (file: string | undefined) => {
      process.exitCode = await answerJsonLines(file, answer);
    });
}
