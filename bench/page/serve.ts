import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { buildPage } from '../../scripts/build-page.ts';
import { loadCatalog, type Catalog } from '../../src/grade/scenario/load/catalog.ts';
import { openStore } from '../../src/grade/store/open-store.ts';
import type { Store } from '../../src/grade/store/store.ts';
import { startServer } from '../../src/serve/server/server.ts';
import { bundled } from '../../src/serve/terminal/bundled.ts';

export interface Served extends AsyncDisposable {
  readonly url: string;
}

/** The page and its server over a store of its own, which is filled before. */
export async function serveFilled(fill: (store: Store, catalog: Catalog) => Promise<void>): Promise<Served> {
  await buildPage();
  const folder = mkdtempSync(join(tmpdir(), 'whet-bench-page-'));
  const catalog = loadCatalog(bundled('scenarios'));
  const store = await openStore(join(folder, 'episodes.db'));
  await fill(store, catalog);
  const page = fileURLToPath(new URL('../../viewer/dist', import.meta.url));
  const server = await startServer({ store, catalog, page, open: true });
  return {
    url: server.url,
    [Symbol.asyncDispose]: async () => {
      await server.close();
      await store[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
