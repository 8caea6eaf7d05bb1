import { execFile } from 'node:child_process';
import { lstat, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

import { childEnvironment } from '../../../base/host/environment.ts';

/** The real Chromium for x86-64 Linux inside the npm package `@sparticuz/chromium`, unpacked when it is first asked for. */
export async function packedChromium(): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  let place: string;
  try {
    place = createRequire(import.meta.url).resolve('@sparticuz/chromium');
  } catch {
    return undefined;
  }
  const about = JSON.parse(await readFile(join(dirname(place), '../package.json'), 'utf8')) as {
    readonly version: string;
  };
  const folder = join(tmpdir(), `whet-chromium-${about.version}-${process.getuid?.()}`);
  await unpackOnce(folder, (into) => unpack(place, into));
  return join(folder, 'chromium');
}

/**
 * The package would unpack to a place of its own where other processes find half of it, and run that. It does so in a
 * process that is told of another folder, and has closed what it wrote when it is run.
 */
async function unpack(place: string, into: string): Promise<void> {
  const script = `await (await import(${JSON.stringify(pathToFileURL(place).href)})).default.executablePath()`;
  const env = childEnvironment([], { TMPDIR: into });
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { env });
}

/** A folder that is there whole or not at all, however many ask for it at once. */
export async function unpackOnce(folder: string, work: (into: string) => Promise<void>): Promise<void> {
  if (await isOurs(folder)) return;
  const part = await mkdtemp(`${folder}-`);
  try {
    await work(part);
    await rename(part, folder);
  } catch (cause) {
    await rm(part, { recursive: true, force: true });
    // Somebody else was faster.
    if (!(await isOurs(folder))) throw cause;
  }
}

/** What another user has put there is not run. */
async function isOurs(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined);
  return found?.isDirectory() === true && found.uid === process.getuid?.();
}
