import { createReadStream, readdirSync, statSync } from 'node:fs';
import { basename, extname, join, resolve } from 'node:path';

import { isWhetstoneError, WhetstoneError } from '../../../base/host/errors.ts';
import { readLines } from '../../../base/json/read-lines.ts';
import { openLog } from '../../../eval/exchange/formats.ts';
import { firstObject } from '../../../eval/exchange/log/line-log.ts';
import { runsLog } from '../../../eval/exchange/log/run-journal.ts';
import { exportStore } from '../../../grade/store/export.ts';
import { openStore } from '../../../grade/store/open-store.ts';
import type { Store } from '../../../grade/store/store.ts';
import type { ShelfSource } from '../../server/view/shelf.ts';
import { episodesOf, isStudy } from '../../evaluate/exchange/read-study.ts';

/** What a person asked to see. */
export interface Sources {
  readonly title: string;
  /** Shown as it is: a store whose episodes are all there is. */
  readonly store?: Store & AsyncDisposable;
  /** Read into a store of their own. */
  readonly shelf: readonly ShelfSource[];
  /** Files of a folder that are not logs. */
  readonly leftOut: readonly string[];
  /** Stores that are read from as long as the page is open. */
  readonly opened: AsyncDisposableStack;
}

/** Finds out what files and folders are. One that was named and is not a log is refused; in a folder it is left out. */
export async function openSources(places: readonly string[]): Promise<Sources> {
  const opened = new AsyncDisposableStack();
  try {
    const [first = ''] = places;
    const title = places.length === 1 ? basename(resolve(first)) : `${places.length} logs`;
    const shelf: ShelfSource[] = [];
    const leftOut: string[] = [];
    for (const place of places) {
      const data = databaseAt(place);
      if (data !== undefined) {
        const store = opened.use(await openStore(data));
        const held = await heldIn(store, data, isStudy(place));
        if (held === 'nothing') {
          // A study without scenarios has all that it knows in its log.
          shelf.push(await sourceAt(join(place, 'log.jsonl')));
          continue;
        }
        if (held === 'episodes' && places.length === 1) return { title, store, shelf, leftOut, opened };
        shelf.push(
          held === 'runs'
            ? { kind: 'log', log: runsLog(store) }
            : { kind: 'export', path: data, bytes: statSync(data).size, lines: () => linesOf(store) },
        );
      } else if (statSync(place).isDirectory()) {
        for (const file of filesIn(place)) {
          const source = await sourceAt(file).catch((error: unknown) => {
            if (!isWhetstoneError(error)) throw error;
            leftOut.push(file);
          });
          if (source) shelf.push(source);
        }
      } else shelf.push(await sourceAt(place));
    }
    if (shelf.length === 0) throw nothingIn(places.join(', '), leftOut.length);
    return { title, shelf, leftOut, opened };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

async function sourceAt(path: string): Promise<ShelfSource> {
  if (firstObject(path)?.['kind'] === 'whetstone_export')
    return {
      kind: 'export',
      path,
      bytes: statSync(path).size,
      lines: () => readLines(createReadStream(path)),
    };
  return { kind: 'log', log: await openLog(path) };
}

/** The SQLite file of a study, or the one that was named. */
function databaseAt(place: string): string | undefined {
  if (isStudy(place)) return episodesOf(place);
  return /\.(?:db|sqlite3?)$/.test(place) && statSync(place).isFile() ? place : undefined;
}

/** A store that holds only the local person's episodes is shown as it is; any other must be copied together first. */
async function heldIn(
  store: Store,
  path: string,
  mayBeEmpty: boolean,
): Promise<'episodes' | 'runs' | 'both' | 'nothing'> {
  const [run] = await store.runs.scan('', 1);
  const episodes = await store.scanEpisodes('', 200);
  if (episodes.length === 0 && run === undefined && mayBeEmpty) return 'nothing';
  if (episodes.length === 0 && run === undefined)
    throw new WhetstoneError('log_unreadable', `${path} holds no episodes or journals of runs yet.`);
  if (episodes.length === 0) return 'runs';
  return run === undefined && episodes.every(({ owner }) => owner === 'local') ? 'episodes' : 'both';
}

async function* linesOf(store: Store): AsyncGenerator<string> {
  for await (const record of exportStore(store)) yield JSON.stringify(record);
}

const kinds = new Set(['.eval', '.json', '.jsonl']);

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && kinds.has(extname(entry.name)))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/[/\\](?:node_modules|\.[^/\\]+)[/\\]/.test(path.slice(folder.length)))
    .toSorted();
}

function nothingIn(places: string, leftOut: number): WhetstoneError {
  const files = leftOut === 0 ? 'no .eval, .json or .jsonl is there' : `none of its ${leftOut} files is one`;
  return new WhetstoneError('log_unreadable', `There is no log in ${places}: ${files}.`);
}
