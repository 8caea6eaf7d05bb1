import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { Command, InvalidArgumentError } from 'commander';

import { WhetstoneError } from '../../../base/host/errors.ts';
import { readBudget } from '../../../eval/suite/read-suite.ts';
import type { Budget } from '../../../eval/suite/suite.ts';
import { ControlFile } from './control-file.ts';

interface ControlOptions {
  readonly pause?: boolean;
  readonly resume?: boolean;
  readonly limit: readonly (readonly [player: string, limit: Budget])[];
  readonly requeue: readonly string[];
}

/** `whet eval control <folder>`: says to a study what it heeds before its next episode, whether it runs or not. */
export function control(): Command {
  return new Command('control')
    .description(
      'Pauses or resumes a study, changes the limits of its players, or has results played again. This takes effect before the next episode, or when the study is resumed.',
    )
    .argument('<folder>', 'the folder of the study')
    .option('--pause', 'begin no other episode')
    .option('--resume', 'go on')
    .option(
      '--limit <player:what=number>',
      'the limit of a player: requests, tokens or cost; may be repeated',
      readLimit,
      [],
    )
    .option(
      '--requeue <key>',
      'play this again, as in small/questions.csv/7/0/0; may be repeated',
      (key: string, before: readonly string[]) => [...before, key],
      [],
    )
    .action((folder: string, options: ControlOptions) => {
      if (!existsSync(join(folder, 'log.jsonl')))
        throw new WhetstoneError('usage', `There is no study in ${folder}: it has no log.jsonl.`);
      if (options.pause === true && options.resume === true)
        throw new WhetstoneError('usage', 'Give either --pause or --resume.');
      const file = new ControlFile(folder);
      const before = file.standing.limits;
      const limits: Record<string, Budget> = {};
      for (const [player, limit] of options.limit)
        limits[player] = { ...(limits[player] ?? before[player]), ...limit };
      const paused = options.pause === true ? true : options.resume === true ? false : undefined;
      const said = file.change({ ...(paused !== undefined && { paused }), limits });
      if (options.requeue.length > 0) file.requeue(options.requeue);
      console.log(JSON.stringify({ ...said, requeued: options.requeue.length }));
    });
}

function readLimit(
  text: string,
  before: ControlOptions['limit'],
): readonly (readonly [player: string, limit: Budget])[] {
  const [, player, what, number] = /^(.+):(\w+)=([\d.]+)$/.exec(text) ?? [];
  if (player === undefined || what === undefined)
    throw new InvalidArgumentError('It should be written as in small:requests=100.');
  try {
    return [...before, [player, readBudget({ [what]: Number(number) }, text)]];
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}
