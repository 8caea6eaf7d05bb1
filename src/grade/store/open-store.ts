import { isPostgresUrl } from './postgres/postgres.ts';
import { SqliteStore } from './sqlite/sqlite-store.ts';
import type { Store } from './store.ts';

/** Opens the store at a place: a SQLite file, which is made when it is not there, or the URL of a Postgres database. */
export async function openStore(place: string): Promise<Store & AsyncDisposable> {
  if (!isPostgresUrl(place)) return new SqliteStore(place);
  const { PostgresStore } = await import('./postgres/postgres-store.ts');
  return PostgresStore.open(place);
}
