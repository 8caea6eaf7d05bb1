import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';

import { WhetstoneError } from '../../../base/host/errors.ts';
import { EpisodeEngine } from '../../../grade/episode/engine.ts';
import { TaskBook } from '../../../grade/episode/task-book.ts';
import type { Catalog } from '../../../grade/scenario/load/catalog.ts';
import type { Store } from '../../../grade/store/store.ts';
import { type PageParts, writeSavedPage } from '../../api/saved-page.ts';
import { type View, viewDetail } from '../../server/view/view-app.ts';

interface Saved {
  readonly store: Store;
  readonly catalog: Catalog;
  readonly view: View;
  readonly page: string | undefined;
}

/** Writes what a view shows, the newest episodes first, into one HTML file. */
export async function saveView(
  { store, catalog, view, page }: Saved,
  file: string,
  limit: number,
): Promise<void> {
  if (page === undefined)
    throw new WhetstoneError('usage', 'The page is not built, so it cannot be saved: npm run build');
  const engine = new EpisodeEngine({ store, tasks: new TaskBook(catalog) });
  const records = await store.listEpisodes({ owner: 'local', limit: limit + 1 });
  const episodes = [];
  for (const record of records.slice(0, limit)) episodes.push(await viewDetail(engine, view, record));
  const html = await writeSavedPage({ title: view.title, episodes }, partsIn(page));
  writeFileSync(file, html);
  const size = (Buffer.byteLength(html) / 1e6).toFixed(1);
  console.error(`${episodes.length} episodes written to ${file} (${size} MB).`);
  if (records.length > limit) console.error('Older ones were left out: use --limit for more.');
}

/** The script and the style of the built page, whole. */
function partsIn(folder: string): PageParts {
  const styles = readdirSync(join(folder, 'assets')).filter((name) => extname(name) === '.css');
  return {
    script: readFileSync(join(folder, 'saved', 'page.js'), 'utf8'),
    style: styles.map((name) => readFileSync(join(folder, 'assets', name), 'utf8')).join('\n'),
  };
}
