import { createRequire } from 'node:module';

import type { WorldFunction } from './task.ts';

const load = createRequire(import.meta.url);

/**
 * The tools of a TypeScript world: the file exports `tools`, a function for each id. Loaded without waiting, as the
 * catalog is; a module that awaits at its top is refused by Node.
 */
export function loadWorldCode(file: string): Readonly<Record<string, WorldFunction>> {
  const module = load(file) as { readonly tools?: unknown };
  if (typeof module.tools !== 'object' || module.tools === null)
    throw new Error('it exports no object called "tools"');
  const tools = module.tools as Readonly<Record<string, unknown>>;
  for (const [name, run] of Object.entries(tools))
    if (typeof run !== 'function') throw new Error(`its tool "${name}" is no function`);
  return tools as Readonly<Record<string, WorldFunction>>;
}
