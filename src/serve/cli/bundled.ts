import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** What comes with the package stands beside `src/` and `dist/`. */
export function bundled(name: string): string {
  return fileURLToPath(new URL(`../../../${name}`, import.meta.url));
}

/** The built page: a clone's own, or the one in the package. */
export function bundledPage(): string | undefined {
  return [bundled('viewer/dist'), bundled('dist/page')].find((folder) => existsSync(folder));
}
