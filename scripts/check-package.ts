/**
 * `npm run package`, after `npm run build`: packs the package, unpacks it as a user has it, and imports every
 * door of it under plain Node. Its types must hold without the optional peers. A door that is missing, or that opens on nothing, fails; so does a bundled scenario that
 * cannot be read there, whatever it is written in.
 */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

import { build } from 'esbuild';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));
const manifest = createRequire(import.meta.url)('../package.json') as {
  exports: Record<string, string | { types: string; browser?: string; default: string }>;
  dependencies: Record<string, string>;
  peerDependencies?: Record<string, string>;
};
const user = mkdtempSync(join(tmpdir(), 'whet-package-'));
const faults: string[] = [];

/** What a page imports, and the most that it may weigh there, minified and gzipped. */
const pages = [
  { source: "export { JsonReader } from 'whetstone/json'", kilobytes: 15 },
  { source: "export { readRunEvents } from 'whetstone/ui'", kilobytes: 10 },
  { source: "export { connect, playEpisode } from 'whetstone/client'", kilobytes: 10 },
];

try {
  const installed = unpack();
  for (const [door, target] of Object.entries(manifest.exports)) {
    if (typeof target === 'string') continue;
    for (const file of [target.types, target.browser ?? [], target.default].flat()) {
      if (!existsSync(join(installed, file)))
        faults.push(`whetstone${door.slice(1)}: ${file} is not in the package.`);
    }
    const names = importDoor(`whetstone${door.slice(1)}`);
    console.log(`whetstone${door.slice(1)}: ${names.length} names`);
  }
  for (const [, link = ''] of readFileSync(join(installed, 'README.md'), 'utf8').matchAll(
    /\]\((?!\w+:|#)([^)#]+)/g,
  ))
    if (!existsSync(join(installed, link)))
      faults.push(`README.md links to ${link}, which is not in the package.`);
  const help = run(process.execPath, [join(installed, 'bin/whet.js'), '--help'], user);
  if (help.status !== 0) faults.push(`whet --help fails in the package: ${help.text}`);
  checkTypes();
  await checkPages();
  checkScenarios(installed);
  const pkg = createRequire(import.meta.url)('../package.json') as Record<string, unknown>;
  const { messages } = await publint({ pkgDir: installed, strict: true });
  for (const message of messages) faults.push(`publint: ${formatMessage(message, pkg)}`);
} finally {
  rmSync(user, { recursive: true, force: true });
}
for (const fault of faults) console.error(`✖ ${fault}`);
process.exitCode = faults.length > 0 ? 1 : 0;

/** Only what the manifest calls a dependency is there: a forgotten one is found. */
function unpack(): string {
  const packed = run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', user], root);
  if (packed.status !== 0) throw new Error(`npm pack failed: ${packed.text}`);
  const [tarball = ''] = readdirSync(user).filter((file) => file.endsWith('.tgz'));
  const modules = join(user, 'node_modules');
  mkdirSync(modules);
  run('tar', ['-xzf', tarball, '-C', modules], user);
  run('mv', [join(modules, 'package'), join(modules, 'whetstone')], user);
  for (const name of Object.keys(manifest.dependencies)) install(name);
  return join(modules, 'whetstone');
}

function install(name: string): void {
  const place = join(user, 'node_modules', name);
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(join(root, 'node_modules', name), place);
}

/** A subpath may be the door to an optional peer, and then needs it; the root needs none. */
function importDoor(specifier: string): string[] {
  const source = `console.log(JSON.stringify(Object.keys(await import('${specifier}'))))`;
  const open = () => run(process.execPath, ['--input-type=module', '--eval', source], user);
  let { status, text } = open();
  const missing = /Cannot find package '([^']+)'/.exec(text)?.[1] ?? '';
  if (status !== 0 && specifier !== 'whetstone' && missing in (manifest.peerDependencies ?? {})) {
    console.log(`${specifier} needs the optional peer ${missing}`);
    install(missing);
    ({ status, text } = open());
    rmSync(join(user, 'node_modules', missing));
  }
  const names = status === 0 ? (JSON.parse(text) as string[]) : [];
  if (status !== 0) faults.push(`import '${specifier}' fails: ${/^.*Error.*$/m.exec(text)?.[0] ?? text}`);
  else if (names.length === 0) faults.push(`import '${specifier}' gives no name.`);
  return names;
}

/** Most programs have no peer, and another TypeScript than 7: what they import must not ask for the types of one. */
function checkTypes(): void {
  const needing = ['./ai-sdk', './mcp', './telemetry', './package.json'];
  const doors = Object.keys(manifest.exports).filter((door) => !needing.includes(door));
  install('@types/node');
  writeFileSync(
    join(user, 'doors.ts'),
    doors.map((door, at) => `export type * as d${at} from 'whetstone${door.slice(1)}';\n`).join(''),
  );
  const strict = [
    '--strict',
    '--noEmit',
    '--skipLibCheck',
    'false',
    '--module',
    'nodenext',
    '--types',
    'node',
  ];
  const tsc = join(root, 'node_modules/.bin/tsc');
  for (const lib of ['esnext', 'es2022']) {
    const { status, text } = run(tsc, ['--ignoreConfig', ...strict, '--lib', lib, 'doors.ts'], user);
    if (status !== 0) faults.push(`The types need what is not there under lib ${lib}: ${text}`);
    console.log(`${doors.length} doors have their types without any peer under lib ${lib}`);
  }
}

/** Bundlers take the doors for pages, and find nothing of Node behind them. */
async function checkPages(): Promise<void> {
  for (const [index, { source, kilobytes }] of pages.entries()) {
    const entry = join(user, `page-${index}.mjs`);
    writeFileSync(entry, source);
    for (const [name, bundle] of Object.entries({ esbuild: byEsbuild, rolldown: byRolldown })) {
      try {
        const weight = gzipSync(await bundle(entry)).length / 1024;
        console.log(`${source}: ${weight.toFixed(1)} KB by ${name}`);
        if (weight > kilobytes)
          faults.push(`${source} weighs ${weight.toFixed(1)} KB by ${name}, and ${kilobytes} at most.`);
      } catch (error) {
        faults.push(`${name} cannot bundle ${source} for a page: ${String(error)}`);
      }
    }
  }
}

async function byEsbuild(entry: string): Promise<string> {
  const options = { bundle: true, minify: true, write: false, format: 'esm', platform: 'browser' } as const;
  const { outputFiles } = await build({ ...options, entryPoints: [entry], logLevel: 'silent' });
  return outputFiles[0]?.text ?? '';
}

async function byRolldown(entry: string): Promise<string> {
  const bundle = await rolldown({
    input: entry,
    platform: 'browser',
    onLog(_level, log) {
      // It leaves what it cannot find for the page to import, which would fail there.
      throw new Error(log.message);
    },
  });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  await bundle.close();
  return output.map((chunk) => (chunk.type === 'chunk' ? chunk.code : '')).join('');
}

/** Bundled scenarios are read from under `node_modules`, a user's own from the folder where they are written. */
function checkScenarios(installed: string): void {
  const own = join(user, 'scenarios');
  const bundled = join(root, 'scenarios/customer-support');
  cpSync(join(bundled, 'partial-return'), join(own, 'mine/partial-return'), {
    recursive: true,
    filter: (file) => !file.endsWith('.js'),
  });
  writeFileSync(join(own, 'mine/collection.yaml'), 'name: Mine\n');
  const files = globSync('scenarios/*/*/scenario.{yaml,ts}', { cwd: root });
  const wanted = files.map((file) => file.split(/[\\/]/).slice(1, 3).join('/'));
  const folders = { [join(installed, 'scenarios')]: wanted, [own]: ['mine/partial-return'] };
  for (const [folder, names] of Object.entries(folders)) {
    const whet = [join(installed, 'bin/whet.js'), 'scenario', 'list', '--scenarios', folder];
    const listed = run(process.execPath, whet, user);
    const shelves = listed.status === 0 ? (JSON.parse(listed.out) as Shelf[]) : [];
    const found = shelves.flatMap(({ slug, scenarios }) => scenarios.map((one) => `${slug}/${one.slug}`));
    for (const name of names)
      if (!found.includes(name)) faults.push(`The package cannot read ${name}: ${listed.text}`);
    console.log(`${found.length} scenarios in ${relative(user, folder)}`);
  }
}

interface Shelf {
  readonly slug: string;
  readonly scenarios: readonly { readonly slug: string }[];
}

interface Ran {
  readonly status: number | null;
  readonly out: string;
  readonly text: string;
}

function run(program: string, args: readonly string[], cwd: string): Ran {
  const child = spawnSync(program, args, { cwd, encoding: 'utf8', shell: process.platform === 'win32' });
  return { status: child.status, out: child.stdout, text: child.stdout + child.stderr };
}
