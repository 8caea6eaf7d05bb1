import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Command } from 'commander';

import { SqliteStore } from '../../../grade/store/sqlite/sqlite-store.ts';
import { loadCatalog } from '../../../grade/scenario/load/catalog.ts';
import { startServer } from '../../server/server.ts';
import { LogShelf } from '../../server/view/shelf.ts';
import type { View } from '../../server/view/view-app.ts';
import { pageFolder } from '../../terminal/bundled.ts';
import { folderMustBe } from '../../terminal/option/data-option.ts';
import { atLeastOne, port } from '../../terminal/option/option.ts';
import { scenarioFolder } from '../../terminal/scenario-folder.ts';
import { stopSignal } from '../../terminal/stop-signal.ts';
import { openSources } from './sources.ts';
import { saveView } from './save-view.ts';

interface ViewOptions {
  readonly port: number;
  readonly html?: string;
  readonly limit: number;
  readonly scenarios?: string;
  readonly page?: string;
}

export function command(): Command {
  return new Command('view')
    .summary('look at logs, studies and journals on the page')
    .description(
      'Shows logs on the page, on this machine only: a study (its folder), an export, results or data of Whetstone; the journals of runs (their folder, or a SQLite file); recordings of a computer (their folder); logs of Inspect; trajectories of ATIF, OpenAI and verifiers. Nothing can be changed there, and the files are left as they are. A large file is there at once, and found and counted as it is read.',
    )
    .argument('<places...>', 'files, or folders of them')
    .option('--port <number>', 'port to listen on; 0 takes a free one', port, 0)
    .option('--html <file>', 'write one HTML file that opens without a server, and end')
    .option('--limit <count>', 'with --html: at most so many episodes, the newest', atLeastOne, 200)
    .option('--scenarios <folder>', 'folder of collections (default: ./scenarios, else the bundled ones)')
    .option('--page <folder>', 'folder of the built page (default: the bundled one)')
    .action(async (places: readonly string[], options: ViewOptions) => view(places, options));
}

async function view(places: readonly string[], options: ViewOptions): Promise<void> {
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
