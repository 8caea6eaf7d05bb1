import { readdirSync, readFileSync } from 'node:fs';

import { WhetstoneError } from '../../base/host/errors.ts';

/** One step forward of a schema: a file `0001-name.sql`, run once, in its own transaction. */
export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
}

/** The migrations of a kind of database, in order, without a gap. */
export function readMigrations(kind: 'sqlite' | 'postgres'): readonly Migration[] {
  const folder = new URL(`./migration/${kind}/`, import.meta.url);
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .toSorted()
    .map((file) => ({
      number: Number.parseInt(file, 10),
      name: file.replace(/\.sql$/, ''),
      sql: readFileSync(new URL(file, folder), 'utf8'),
    }));
}

/** Those that a database at `version` still needs; refuses one that a newer Whetstone has written. */
export function pendingMigrations(
  migrations: readonly Migration[],
  version: number,
  place: string,
): readonly Migration[] {
  const newest = migrations.at(-1)?.number ?? 0;
  if (version > newest)
    throw new WhetstoneError(
      'store_newer',
      `${place} was written by a newer Whetstone: its schema is ${version} and this one knows ${newest}. Upgrade Whetstone, or use another file.`,
      { details: { place, version, newest } },
    );
  return migrations.filter((migration) => migration.number > version);
}
