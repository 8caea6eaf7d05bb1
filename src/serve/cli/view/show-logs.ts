import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { SqliteStore } from '../../../grade/store/sqlite/sqlite-store.ts';
import { loadCatalog } from '../../../grade/scenario/load/catalog.ts';
import { startServer } from '../../server/server.ts';
import { LogShelf } from '../../server/view/shelf.ts';
import type { View } from '../../server/view/view-app.ts';
import { pageFolder } from '../../terminal/bundled.ts';
import { folderMustBe } from '../../terminal/option/data-option.ts';
import { scenarioFolder } from '../../terminal/scenario-folder.ts';
import { stopSignal } from '../../terminal/stop-signal.ts';
import { openSources } from './sources.ts';
import { saveView } from './save-view.ts';

export interface ShowOptions {
  readonly port: number;
  readonly html?: string;
  readonly limit: number;
  readonly scenarios?: string;
  readonly page?: string;
}

/** Shows logs on a page of this machine until it is stopped, or writes them into one file. */
export async function showLogs(places: readonly string[], options: ShowOptions): Promise<void> {
  const stopped = stopSignal(); // Heard from now on, so that nothing printed below comes too early.
  const page = pageFolder(options.page);
  if (options.html !== undefined) folderMustBe(options.html);
  const { title, store: own, shelf: sources, leftOut, opened } = await openSources(places);
  await using _ = opened;
  if (leftOut.length > 0)
    console.error(`whet: left out: ${leftOut.length} files that are not logs, ${leftOut[0]} first.`);
  const folder = mkdtempSync(join(tmpdir(), 'whet-view-'));
  try {
    await using made =
      own === undefined ? new SqliteStore(join(folder, 'rows.db'), { disk: noDisk }) : undefined;
    const shelf = made && new LogShelf(made, sources);
    const shown: View = { title, ...(shelf && { shelf }) };
    const store = own ?? made!;
    const catalog = loadCatalog(scenarioFolder(options.scenarios));
    if (options.html !== undefined) {
      await shelf?.fill();
      tellFaults(shelf);
      await saveView({ store, catalog, view: shown, page }, options.html, options.limit);
      return;
    }
    await using server = await startServer({
      store,
      catalog,
      open: true, // It listens on this machine only, and takes nothing.
      port: options.port,
      view: shown,
      ...(page !== undefined && { page }),
    });
    console.log(server.url);
    console.error(`The page shows ${title}. Stop with Ctrl-C.`);
    if (page === undefined)
      console.error('whet: the page is not built, so only the API is served: npm run build');
    const stop = new AbortController();
    const filled = shelf?.fill(stop.signal).then(() => tellFaults(shelf));
    await stopped;
    stop.abort();
    await filled;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What is kept here is gone with the page: it need not outlive a power cut. */
const noDisk = {
  sync: (_file: number, done: (error: Error | null) => void): void => void setImmediate(done, null),
  syncNow: (): void => {},
};

function tellFaults(shelf: LogShelf | undefined): void {
  for (const fault of shelf?.progress().faults ?? []) console.error(`whet: ${fault}`);
}
