import { readFileSync } from 'node:fs';

// The same place from `src/` and from `dist/`.
const file = new URL('../../../package.json', import.meta.url);

/** The version of this package. */
export const version: string = (JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string })
  .version;
