import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

import type { Command } from 'commander';

import { WhetstoneError } from '../../../base/host/errors.ts';
import { openStore } from '../../../grade/store/open-store.ts';
import { isPostgresUrl } from '../../../grade/store/postgres/postgres.ts';
import type { Store } from '../../../grade/store/store.ts';

/** One place for all commands: what `whet run` kept is what `whet serve` shows and `whet store` exports. */
const defaultData = '.whetstone/whetstone.db';

export function withData(command: Command): Command {
  return command.option(
    '--data <place>',
    'SQLite file that keeps the episodes, or the URL of a Postgres database',
    defaultData,
  );
}

/** Opens the data, and begins them where there are none. */
export async function openData(place: string): Promise<Store & AsyncDisposable> {
  if (place === defaultData) mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
  if (!isPostgresUrl(place)) folderMustBe(place);
  return openStore(place);
}

/** Opens data that must be there: in the wrong folder nobody is told that there is nothing. */
export async function openKept(place: string): Promise<Store & AsyncDisposable> {
  if (!isPostgresUrl(place) && !existsSync(place))
    throw new WhetstoneError(
      'usage',
      `There is no data at ${place}. Go to the folder in which the server was started, or name its file with --data.`,
    );
  return openStore(place);
}

/** A file that is to be written needs its folder. */
export function folderMustBe(file: string): void {
  const folder = dirname(file);
  if (existsSync(folder)) return;
  throw new WhetstoneError(
    'usage',
    `There is no folder ${folder} for ${file}. Make it, or name another file.`,
  );
}

/** A copy of SQLite data is another file than theirs, also by another path or a link. */
export function copyMustBeApart(copy: string, data: string): void {
  const found = statSync(copy, { bigint: true, throwIfNoEntry: false });
  if (found === undefined) return;
  for (const own of [data, `${data}-wal`, `${data}-shm`]) {
    const { dev, ino } = statSync(own, { bigint: true, throwIfNoEntry: false }) ?? {};
    if (found.dev !== dev || found.ino !== ino) continue;
    throw new WhetstoneError('usage', `${copy} belongs to the data that is to be copied. Name another file.`);
  }
}
