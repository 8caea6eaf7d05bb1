/**
 * `npm run package`, after `npm run build`: packs the package, unpacks it as a user has it, and imports every
 * door of it under plain Node. A door that is missing, or that opens on nothing, fails.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

const root = fileURLToPath(new URL('..', import.meta.url));
const manifest = createRequire(import.meta.url)('../package.json') as {
  exports: Record<string, string | { types: string; default: string }>;
  dependencies: Record<string, string>;
  peerDependencies?: Record<string, string>;
};
const user = mkdtempSync(join(tmpdir(), 'whet-package-'));
const faults: string[] = [];

try {
  const installed = unpack();
  for (const [door, target] of Object.entries(manifest.exports)) {
    if (typeof target === 'string') continue;
    for (const file of [target.types, target.default]) {
      if (!existsSync(join(installed, file)))
        faults.push(`whetstone${door.slice(1)}: ${file} is not in the package.`);
    }
    const names = importDoor(`whetstone${door.slice(1)}`);
    console.log(`whetstone${door.slice(1)}: ${names.length} names`);
  }
  const help = run(process.execPath, [join(installed, 'bin/whet.js'), '--help'], user);
  if (help.status !== 0) faults.push(`whet --help fails in the package: ${help.text}`);
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

function run(program: string, args: readonly string[], cwd: string): { status: number | null; text: string } {
  const child = spawnSync(program, args, { cwd, encoding: 'utf8', shell: process.platform === 'win32' });
  return { status: child.status, text: child.stdout + child.stderr };
}
