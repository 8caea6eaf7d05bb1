import { join } from 'node:path';

import { rolldown } from 'rolldown';

/** The doors that a page may open, by their place in `dist/` before anything is gathered. */
const doors = { json: 'base/json/index.js', client: 'serve/client/index.js', ui: 'run/bridge/ui/index.js' };

/**
 * Writes the doors for pages to `dist/browser/`, each without anything of Node: what `core.js` gathers for a quick
 * start under Node would come along with them otherwise. Bundlers choose them by the condition `browser`.
 */
export async function bundleBrowser(dist: string): Promise<void> {
  const bundle = await rolldown({
    input: Object.fromEntries(Object.entries(doors).map(([name, file]) => [name, join(dist, file)])),
    platform: 'browser',
  });
  await bundle.write({
    dir: join(dist, 'browser'),
    format: 'esm',
    comments: false,
    chunkFileNames: '[name].js',
  });
  await bundle.close();
}
