/**
 * `npm run lock` after a dependency was added: names in the lock file the optional platform packages that npm
 * left out because it could not see them when it wrote the lock. Without them `npm ci` refuses the lock.
 */
import { readFileSync, writeFileSync } from 'node:fs';

export interface LockEntry {
  readonly version?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly resolved?: string;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export type LockPackages = Readonly<Record<string, LockEntry>>;

/** The entries that are missing, by their place in the tree. */
export function missingPlatformPackages(packages: LockPackages): LockPackages {
  const missing: Record<string, LockEntry> = {};
  for (const [parent, entry] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      if (findEntry(packages, parent, name) !== undefined) continue;
      missing[`${parentFolder(parent)}node_modules/${name}`] = {
        version,
        ...(entry.dev ? { dev: true } : {}),
        optional: true,
        ...platformOf(name),
      };
    }
  }
  return missing;
}

/** Where `name` is found from `parent`, as Node looks it up: the folder itself, then each folder above. */
function findEntry(packages: LockPackages, parent: string, name: string): string | undefined {
  for (let folder = parent; ; folder = folderAbove(folder)) {
    const place = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (packages[place]) return place;
    if (folder === '') return undefined;
  }
}

function folderAbove(folder: string): string {
  return folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1));
}

function parentFolder(place: string): string {
  const at = place.lastIndexOf('node_modules/');
  return at < 0 ? '' : place.slice(0, at);
}

const systems = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32'];
const processors = ['arm64', 'arm', 'x64', 'ia32', 'ppc64', 'riscv64', 's390x'];

/** The makers of native packages print the platform in the name: `binding-linux-x64-musl`. */
function platformOf(name: string): Partial<LockEntry> {
  const words = name.split(/[/-]/);
  const os = systems.filter((system) => words.includes(system));
  const cpu = processors.filter((processor) => words.includes(processor));
  const libc = words.includes('musl') ? ['musl'] : words.includes('gnu') ? ['glibc'] : [];
  return {
    ...(os.length > 0 ? { os } : {}),
    ...(cpu.length > 0 ? { cpu } : {}),
    ...(libc.length > 0 ? { libc } : {}),
  };
}

function sortedByPlace(packages: LockPackages): LockPackages {
  return Object.fromEntries(Object.entries(packages).toSorted(([a], [b]) => a.localeCompare(b, 'en')));
}

if (import.meta.main) {
  for (const file of process.argv.slice(2).length > 0 ? process.argv.slice(2) : ['package-lock.json']) {
    const lock = JSON.parse(readFileSync(file, 'utf8')) as { packages: LockPackages };
    const missing = missingPlatformPackages(lock.packages);
    lock.packages = sortedByPlace({ ...lock.packages, ...missing });
    writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
    console.log(`${file}: ${Object.keys(missing).length} platform packages added`);
  }
}
