import { SqliteStore } from '../src/grade/store/sqlite/sqlite-store.ts';
import { storeJournal } from '../src/grade/store/store-journal.ts';
import { fileJournal } from '../src/run/loop/journal/file-journal.ts';
import type { Journal } from '../src/run/loop/journal/journal.ts';

/** A journal of either kind in a folder, and its end. */
export function openJournal(kind: string, folder: string): Journal & AsyncDisposable {
  if (kind === 'file') return fileJournal(`${folder}/journal`);
  const store = new SqliteStore(`${folder}/journal.db`);
  return { ...storeJournal(store), [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
}
