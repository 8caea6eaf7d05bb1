import { createReadStream } from 'node:fs';

import { Command } from 'commander';

import { readLines } from '../../base/json/read-lines.ts';
import { systemClock } from '../../base/host/clock.ts';
import { exportStore, importInto } from '../../grade/store/export.ts';
import { SqliteStore } from '../../grade/store/sqlite/sqlite-store.ts';
import {
  copyMustBeApart,
  folderMustBe,
  openData,
  openKept,
  withData,
} from '../terminal/option/data-option.ts';
import { exitCode } from '../terminal/exit-code.ts';
import { positive } from '../terminal/option/option.ts';

interface DataOption {
  readonly data: string;
}

const day = 86_400_000;

export function command(): Command {
  const store = new Command('store')
    .summary('Back up, export, import and tidy the data of a server')
    .description('The data of a reward server. All of these commands may be used while the server runs.');
  const sub = (name: string, description: string): Command =>
    withData(store.command(name).description(description));

  sub('backup', 'Copies a SQLite file, consistently, while it is in use. For Postgres use pg_dump.')
    .argument('<file>', 'the copy')
    .action(async (file: string, { data }: DataOption) => {
      await using opened = await openKept(data);
      if (!(opened instanceof SqliteStore)) {
        console.error('whet: a Postgres database is backed up with its own tools, such as pg_dump.');
        process.exitCode = exitCode.usage;
        return;
      }
      folderMustBe(file);
      copyMustBeApart(file, data);
      await opened.backUp(file);
      console.error(`Copied ${data} to ${file}.`);
    });
  sub(
    'export',
    'Prints all records as JSON Lines: episodes with their turns, keys (hashed), scores, journals of runs.',
  ).action(async ({ data }: DataOption) => {
    await using opened = await openKept(data);
    for await (const record of exportStore(opened))
      if (!process.stdout.write(`${JSON.stringify(record)}\n`))
        await new Promise((resolve) => process.stdout.once('drain', resolve));
  });
  sub('import', 'Imports an export; what is already there stays as it is.')
    .argument('<file>', 'an export, or - for the standard input')
    .option('--keys', 'import its keys as well, which then work here too')
    .action(async (file: string, { data, keys }: DataOption & { readonly keys?: boolean }) => {
      await using opened = await openData(data);
      console.log(JSON.stringify(await importInto(opened, linesOf(file), { keys: keys === true })));
    });
  sub('prune', 'Removes complete episodes, and journals of runs that have ended, after a number of days.')
    .requiredOption('--older-than <days>', 'days', positive)
    .action(async ({ data, olderThan }: DataOption & { readonly olderThan: number }) => {
      await using opened = await openKept(data);
      const since = systemClock.now() - olderThan * day;
      let removed = (await opened.months?.remove(since)) ?? 0;
      for (let count = 1; count > 0; removed += count) count = await opened.removeEpisodes(since, 500);
      let runs = 0;
      for (let count = 1; count > 0; runs += count) count = await opened.runs.remove(since, 500);
      console.log(JSON.stringify({ removed, runs }));
    });
  sub('vacuum', 'Gives the space of removed records back to the disk.').action(
    async ({ data }: DataOption) => {
      await using opened = await openKept(data);
      await opened.compact();
    },
  );
  return store;
}

/** Reads from the moment somebody asks: lines that come before that are lost to who iterates later. */
async function* linesOf(file: string): AsyncGenerator<string> {
  const input = file === '-' ? process.stdin : createReadStream(file);
  yield* readLines(input);
}
