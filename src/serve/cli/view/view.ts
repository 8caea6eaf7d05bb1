import { setFlagsFromString } from 'node:v8';

import { Command } from 'commander';

import { atLeastOne, port } from '../../terminal/option/option.ts';
import type { ShowOptions } from './show-logs.ts';

export function command(): Command {
  return new Command('view')
    .summary('look at logs, studies and journals on the page')
    .description(
      'Shows logs on the page, on this machine only: a study (its folder), an export, results or data of Whetstone; the journals of runs (their folder, or a SQLite file); recordings of a computer (their folder); logs of Inspect; trajectories of ATIF, OpenAI and verifiers. Nothing can be changed there, and the files are left as they are. A large file is there at once, and found and counted as it is read.',
    )
    .argument('<places...>', 'files, or folders of them')
    .option('--port <number>', 'port to listen on; 0 takes a free one', port, 0)
    .option('--html <file>', 'write one HTML file that opens without a server, and exit')
    .option('--limit <count>', 'with --html: at most this many episodes, the newest', atLeastOne, 200)
    .option('--scenarios <folder>', 'folder of collections (default: ./scenarios, else the bundled ones)')
    .option('--page <folder>', 'folder of the built page (default: the bundled one)')
    .action(async (places: readonly string[], options: ShowOptions) => view(places, options));
}

async function view(places: readonly string[], options: ShowOptions): Promise<void> {
  // What is read of a log is garbage at once, and V8 would let it grow to hundreds of megabytes before it looks: from
  // the first module on, for what is loaded leaves some too.
  setFlagsFromString('--optimize-for-size');
  const { showLogs } = await import('./show-logs.ts');
  await showLogs(places, options);
}
