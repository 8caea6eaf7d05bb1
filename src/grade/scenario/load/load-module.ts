import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { basename, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { locationAt } from '../diagnostic.ts';
import type { SourceLocation } from '../diagnostic.ts';
import { withinTime } from '../time-limit.ts';

const load = createRequire(import.meta.url);

/** What scenarios import: this copy of it, whether or not their folder has a package of this name. */
const door = 'whetstone/scenario';
const ownDoor = new URL(import.meta.url.endsWith('.ts') ? '../index.ts' : '../index.js', import.meta.url)
  .href;

/**
 * Loads a TypeScript file of a scenario, without waiting, as the catalog is read: a module that awaits at its top is
 * refused, and so is one that does not end. Node strips the types, but not under `node_modules`: there stands JavaScript of the same name beside it.
 */
export function loadModule(file: string, limitMs = 10_000): Readonly<Record<string, unknown>> {
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      specifier === door ? { url: ownDoor, shortCircuit: true } : next(specifier, context),
    // A package may say that its files are CommonJS, as `npm init` writes it: what imports or exports is none.
    load: (url, context, next) =>
      context.format === 'commonjs-typescript' && isModule(readFileSync(fileURLToPath(url), 'utf8'))
        ? next(url, { ...context, format: 'module-typescript' })
        : next(url, context),
  });
  const { exit } = process;
  process.exit = (() => {
    throw new Refused('it would end the process. Take process.exit away');
  }) as typeof exit;
  try {
    return withinTime(limitMs, () => load(runnable(file)) as Readonly<Record<string, unknown>>);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException | undefined)?.code;
    if (code === 'ERR_REQUIRE_ASYNC_MODULE')
      throw new Refused(
        'it awaits at its top, and a scenario is read at once. Write the data out, or read files without waiting',
        { cause: error },
      );
    throw error;
  } finally {
    process.exit = exit;
    hooks.deregister();
  }
}

function isModule(text: string): boolean {
  return /^(?:import|export)\b/m.test(text);
}

function runnable(file: string): string {
  if (!realpathSync(file).includes(`${sep}node_modules${sep}`)) return file;
  const built = file.replace(/\.ts$/, '.js');
  return existsSync(built) ? built : file;
}

/** Where in a file an error arose, as far as its stack says; the line is 0 where nobody knows. */
export function placeOfError(error: unknown, file: string): SourceLocation {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  // A stack names a module by its URL, in which a blank is %20.
  const name = [file, pathToFileURL(file).href].find((one) => stack.includes(`${one}:`)) ?? file;
  const at = stack.indexOf(`${name}:`);
  const found = at < 0 ? null : /^:(\d+)(?::(\d+))?/.exec(stack.slice(at + name.length));
  if (found) return { file, line: Number(found[1]), column: Number(found[2] ?? 1) };
  const awaits =
    error instanceof Refused &&
    (error.cause as NodeJS.ErrnoException | undefined)?.code === 'ERR_REQUIRE_ASYNC_MODULE';
  if (awaits) return placeOfWord('await', file);
  return importOf(error, file) ?? { file, line: 0, column: 0 };
}

/** Where a word first occurs in a file; the line is 0 if it does not. */
export function placeOfWord(word: string, file: string): SourceLocation {
  const text = readFileSync(file, 'utf8');
  for (const { 0: found, index } of text.matchAll(/[\w$]+/g))
    if (found === word) return locationAt(text, file, index);
  return { file, line: 0, column: 0 };
}

/** What a module imports and is not there: the error names it, and the file has it once. */
function importOf(error: unknown, file: string): SourceLocation | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, message } = error as NodeJS.ErrnoException;
  const missing = code === 'ERR_MODULE_NOT_FOUND' ? /'([^']+)'/.exec(message)?.[1] : undefined;
  if (missing === undefined) return undefined;
  const text = readFileSync(file, 'utf8');
  const imports = [...text.matchAll(/^(?:import|export)\b[^;'"]*['"]([^'"]+)['"]/gm)].filter(
    ([, from = '']) => from === missing || (from.startsWith('.') && basename(from) === basename(missing)),
  );
  const [only, ...more] = imports;
  return only && more.length === 0 ? locationAt(text, file, only.index) : undefined;
}

/** What we have refused ourselves, and have said why. */
export class Refused extends Error {}

/** What cannot be read or found says so itself; a line that threw was run before anybody asked for it. */
export function remedyFor(error: unknown, { line }: SourceLocation): string {
  const isSaid =
    error instanceof SyntaxError ||
    error instanceof Refused ||
    (error as NodeJS.ErrnoException | undefined)?.code !== undefined;
  return isSaid || line === 0
    ? ''
    : ' What is outside of its functions runs when the scenario is read, and must not throw.';
}

/** The first line of what an error says, without a full stop: Node adds who asked, and from where. */
export function sayError(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split('\n')[0]!.replace(/\.$/, '');
}
