import { registerHooks } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { WhetstoneError } from '../../base/host/errors.ts';

/** What a user's module exports; `purpose` says in an error what it was to be, as in "a module of tools". */
export async function importModule(
  path: string,
  purpose: string,
): Promise<Readonly<Record<string, unknown>>> {
  shareThisCopy();
  try {
    return (await import(pathToFileURL(resolve(path)).href)) as Readonly<Record<string, unknown>>;
  } catch (cause) {
    const place = /(?:\(|at )(file:[^)\n]*)/.exec((cause as Error).stack ?? '')?.[1];
    const at = place === undefined ? '' : `, at ${place}`;
    throw new WhetstoneError(
      'usage',
      `${path} cannot be loaded as ${purpose}: ${(cause as Error).message}${at}`,
      { cause },
    );
  }
}

let shared = false;

/**
 * A module that imports `whetstone` gets the copy that runs here, wherever the module lies: two copies would not know
 * each other's toolboxes and failures. In a clone that copy is the source.
 */
function shareThisCopy(): void {
  if (shared) return;
  shared = true;
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier !== 'whetstone' && !specifier.startsWith('whetstone/')) return next(specifier, context);
      const own = import.meta.url.endsWith('.ts') ? ['whetstone-source'] : [];
      return next(specifier, {
        ...context,
        parentURL: import.meta.url,
        conditions: [...own, ...context.conditions],
      });
    },
  });
}
