import { existsSync, realpathSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { sep } from 'node:path';

const load = createRequire(import.meta.url);

/** What scenarios import: this copy of it, whether or not their folder has a package of this name. */
const door = 'whetstone/scenario';
const ownDoor = new URL(import.meta.url.endsWith('.ts') ? './index.ts' : './index.js', import.meta.url).href;

/**
 * Loads a TypeScript file of a scenario, without waiting, as the catalog is read: a module that awaits at its top is
 * refused. Node strips the types, but not under `node_modules`: there stands JavaScript of the same name beside it.
 */
export function loadModule(file: string): Readonly<Record<string, unknown>> {
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      specifier === door ? { url: ownDoor, shortCircuit: true } : next(specifier, context),
  });
  try {
    return load(runnable(file)) as Readonly<Record<string, unknown>>;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException | undefined)?.code;
    if (code === 'ERR_REQUIRE_ASYNC_MODULE')
      throw new Error(
        'it awaits at its top, and a scenario is read at once. Write the data out, or read files without waiting',
        { cause: error },
      );
    throw error;
  } finally {
    hooks.deregister();
  }
}

function runnable(file: string): string {
  if (!realpathSync(file).includes(`${sep}node_modules${sep}`)) return file;
  const built = file.replace(/\.ts$/, '.js');
  return existsSync(built) ? built : file;
}

/** Where in a file an error arose, as far as its stack says. */
export function placeOfError(
  error: unknown,
  file: string,
): { readonly file: string; readonly line: number; readonly column: number } {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const at = stack.indexOf(file);
  const found = at < 0 ? null : /^:(\d+)(?::(\d+))?/.exec(stack.slice(at + file.length));
  return { file, line: Number(found?.[1] ?? 1), column: Number(found?.[2] ?? 1) };
}
