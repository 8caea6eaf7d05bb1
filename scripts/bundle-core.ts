import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import { parseSync } from 'oxc-parser';
import { type OutputOptions, rolldown } from 'rolldown';

/** The doors under the root: each needs a part of what the root loads, and a little more. */
const under = ['base/json/index', 'base/schema', 'base/message/index', 'run/computer/index'];

/**
 * Gathers all that the root import loads into one file, `core.js`, what the doors under it load besides into
 * `base.js`, and the providers into `wire.js`; what else was compiled stays where it is, and reaches into the three
 * through its old path. So there is one copy of everything, and a user's first import opens a few files instead of a
 * hundred. (Opening a file costs a third of a millisecond: 93 files 35 ms, one 8 ms.)
 */
export async function bundleCore(dist: string): Promise<void> {
  const core = reachedFrom(join(dist, 'index.js'));
  const base = new Set(core);
  for (const door of under) reachedFrom(join(dist, `${door}.js`), base);
  const all = reachedFrom(join(dist, 'wire/index.js'), new Set(base));
  const bundle = await rolldown({
    input: Object.fromEntries([...all].map((file) => [relative(dist, file).slice(0, -'.js'.length), file])),
    platform: 'neutral',
    preserveEntrySignatures: 'strict',
    treeshake: false,
    plugins: [{ name: 'leave-the-rest', resolveId: (id, importer) => outsideOf(all, dist, id, importer) }],
  });
  const options: OutputOptions = {
    dir: dist,
    format: 'esm',
    minifyInternalExports: false,
    comments: false,
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    codeSplitting: {
      groups: [
        { name: 'core', test: (id) => core.has(id), priority: 2 },
        { name: 'base', test: (id) => base.has(id), priority: 1 },
        { name: 'wire', test: /./ },
      ],
    },
  };
  await bundle.write(options);
  await bundle.close();
}

/** What is loaded only later stays a file of its own, named from where `core.js` is. */
function outsideOf(
  bundled: ReadonlySet<string>,
  dist: string,
  id: string,
  importer: string | undefined,
): Outside | null {
  if (!id.startsWith('.'))
    return importer === undefined || id.startsWith('\0') ? null : { id, external: true };
  const file = join(dirname(importer ?? dist), id);
  return bundled.has(file) ? null : { id: `./${relative(dist, file).replaceAll('\\', '/')}`, external: true };
}

interface Outside {
  readonly id: string;
  readonly external: true;
}

/** A file and all that it imports, without what it loads only later. */
function reachedFrom(file: string, reached = new Set<string>()): Set<string> {
  if (reached.has(file)) return reached;
  reached.add(file);
  const { module } = parseSync(file, readFileSync(file, 'utf8'));
  const specifiers = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
    ),
  ];
  for (const specifier of specifiers)
    if (specifier.startsWith('.')) reachedFrom(join(dirname(file), specifier), reached);
  return reached;
}
