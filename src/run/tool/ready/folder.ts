import type { FileHandle } from 'node:fs/promises';

import { failCall, invalidArgument } from '../failure.ts';

/** A file that was opened inside the folder. */
export interface OpenFile {
  readonly path: string;
  readonly handle: FileHandle;
  readonly size: number;
}

/**
 * One folder and what is below it. Paths come from a model: whatever leads out of the folder (`..`, another root, a
 * symbolic link) is refused, and what is opened is a plain file, so that no pipe and no device can hold a call up.
 */
export class Folder {
  readonly #given: string;
  #real: Promise<string> | undefined;

  constructor(path: string) {
    this.#given = path;
  }

  /** The folder itself, with no link on the way to it. */
  get root(): Promise<string> {
    this.#real ??= import('node:fs/promises').then(({ realpath }) => realpath(this.#given));
    return this.#real;
  }

  /** Where a path really leads. Throws what the model reads: not inside, or not there. */
  async find(path: string): Promise<string> {
    const [{ realpath }, wanted] = await Promise.all([import('node:fs/promises'), this.place(path)]);
    let real: string;
    try {
      real = await realpath(wanted);
    } catch (error) {
      throw unreachable(path, error);
    }
    await this.#expectInside(real, path);
    return real;
  }

  /** Where a path would lead, were there no links: for what is not there yet. */
  async place(path: string): Promise<string> {
    if (path.includes('\0')) throw invalidArgument('path', 'a path without null characters');
    const { resolve } = await import('node:path');
    const wanted = resolve(await this.root, path === '' ? '.' : path);
    await this.#expectInside(wanted, path);
    return wanted;
  }

  /** Where a new file may be written: its folder must be there, and really be inside. */
  async placeNew(path: string): Promise<string> {
    const { basename, dirname, join } = await import('node:path');
    const wanted = await this.place(path);
    if (wanted === (await this.root)) throw invalidArgument('path', 'the path of a file');
    const { mkdir, realpath, lstat } = await import('node:fs/promises');
    // From above to below, so that nothing is made behind a link that leads out.
    const parent = dirname(wanted);
    let there = parent;
    while (!(await exists(lstat, there))) there = dirname(there);
    await this.#expectInside(
      await realpath(there).catch((error: unknown) => Promise.reject(unreachable(path, error))),
      path,
    );
    await mkdir(parent, { recursive: true });
    const real = await realpath(parent);
    await this.#expectInside(real, path);
    return join(real, basename(wanted));
  }

  /** Opens a plain file. The caller closes it. */
  async open(path: string): Promise<OpenFile> {
    const real = await this.find(path);
    const { constants, open, realpath, stat } = await import('node:fs/promises');
    // A link that was put there meanwhile is not followed, and a pipe does not wait for its writer.
    const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
    const handle = await open(real, flags).catch((error: unknown) =>
      Promise.reject(unreachable(path, error)),
    );
    try {
      const [held, named] = await Promise.all([handle.stat(), stat(real)]);
      if (held.isDirectory()) throw failCall(`"${path}" is a folder.`);
      if (!held.isFile()) throw failCall(`"${path}" is not a plain file.`);
      if (held.ino !== named.ino || held.dev !== named.dev || (await realpath(real)) !== real)
        throw failCall(`"${path}" was replaced while it was opened. Try again.`);
      return { path: real, handle, size: held.size };
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** The path as a model is shown it. */
  async shown(real: string): Promise<string> {
    const { relative, sep } = await import('node:path');
    return (
      relative(await this.root, real)
        .split(sep)
        .join('/') || '.'
    );
  }

  async #expectInside(real: string, path: string): Promise<void> {
    const { isAbsolute, relative, sep } = await import('node:path');
    const way = relative(await this.root, real);
    if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way))
      throw invalidArgument('path', `a path inside the folder, got ${JSON.stringify(path.slice(0, 200))}`);
  }
}

async function exists(lstat: (path: string) => Promise<unknown>, path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

function unreachable(path: string, error: unknown): Error {
  const { code } = error as { readonly code?: string };
  const shown = JSON.stringify(path.slice(0, 200));
  if (code === 'ENOENT' || code === 'ENOTDIR') return failCall(`There is no ${shown}.`);
  if (code === 'EACCES' || code === 'EPERM') return failCall(`${shown} may not be opened.`);
  if (code === 'ENAMETOOLONG') return failCall('The path is too long.');
  return failCall(`${shown} cannot be opened (${code ?? String(error)}).`);
}
