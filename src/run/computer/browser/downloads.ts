import { access } from 'node:fs/promises';
import { basename, extname, join, resolve } from 'node:path';

import { makeFolder } from '../../../base/host/make-folder.ts';

interface Download {
  suggestedFilename(): string;
  saveAs(path: string): Promise<void>;
  cancel(): Promise<void>;
}

/** Keeps a download under the name that the page suggests, and replaces no other file; null if it is not kept. */
export async function saveDownload(download: Download, folder: string | undefined): Promise<string | null> {
  try {
    if (folder === undefined) {
      await download.cancel();
      return null;
    }
    makeFolder(folder);
    const path = await freePath(resolve(folder), safeName(download.suggestedFilename()));
    await download.saveAs(path);
    return path;
  } catch {
    // It was cut off, or its page has gone: there is no file.
    return null;
  }
}

function safeName(suggested: string): string {
  const name = basename(suggested.replaceAll('\\', '/')).replaceAll('\0', '');
  return name === '' || name === '.' || name === '..' ? 'download' : name;
}

const taken = new Set<string>();

async function freePath(folder: string, name: string): Promise<string> {
  const end = extname(name);
  const stem = name.slice(0, name.length - end.length);
  for (let count = 0; ; count++) {
    const path = join(folder, count === 0 ? name : `${stem} (${count})${end}`);
    if (taken.has(path)) continue;
    const isFree = await access(path).then(
      () => false,
      () => true,
    );
    if (!isFree) continue;
    taken.add(path);
    return path;
  }
}
