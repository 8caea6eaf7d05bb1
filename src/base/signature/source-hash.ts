import { existsSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { WhetstoneError } from '../host/errors.ts';
import { sha256 } from '../json/sha256.ts';

/** A path from a path, or from the URL that `import.meta.resolve` gives. */
export function pathOf(file: string | URL): string {
  if (typeof file !== 'string' && !(file instanceof URL)) {
    throw new WhetstoneError('signature_file', `A path or a file: URL is needed, not ${typeof file}.`, {
      details: { file },
    });
  }
  const text = String(file);
  return text.startsWith('file:') ? fileURLToPath(text) : resolve(text);
}

/** The hash of each source, by its path from the folder of the tools. */
export function hashSources(file: string | URL, sources: readonly string[]): Record<string, string> {
  const folder = dirname(pathOf(file));
  return Object.fromEntries(
    sources.map((source) => [relative(folder, source).replaceAll('\\', '/'), hashOf(source)]),
  );
}

/** The sources that are not as they were: changed or gone. Those of a deployed package may all be gone. */
export function changedSources(
  file: string | URL,
  sources: Readonly<Record<string, string>>,
): readonly string[] {
  const folder = dirname(pathOf(file));
  return Object.entries(sources)
    .filter(([source, hash]) => {
      const path = resolve(folder, source);
      return !existsSync(path) || hashOf(path) !== hash;
    })
    .map(([source]) => source);
}

/** Line ends do not count: version control changes them. */
function hashOf(path: string): string {
  return sha256(readFileSync(path, 'utf8').replaceAll('\r\n', '\n'));
}
