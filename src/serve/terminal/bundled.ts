import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { WhetstoneError } from '../../base/host/errors.ts';

/** What comes with the package is beside `src/` and `dist/`. */
export function bundled(name: string): string {
  return fileURLToPath(new URL(`../../../${name}`, import.meta.url));
}

/** The built page: in the folder that was named, else a clone's own, or the one in the package. */
export function pageFolder(named: string | undefined): string | undefined {
  if (named !== undefined && !existsSync(join(named, 'index.html')))
    throw new WhetstoneError(
      'usage',
      `There is no page in ${named}: no index.html. \`npm run build\` makes one.`,
    );
  if (named !== undefined) return named;
  return [bundled('viewer/dist'), bundled('dist/page')].find((folder) => existsSync(folder));
}
