import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A disk of its own that can be filled to the last byte. */
export interface SmallDisk {
  readonly folder: string;
  fill(): void;
  makeRoom(): void;
  remove(): void;
}

/** Mounts one in memory; nothing where the system does not let us mount. */
export function mountSmallDisk(megabytes: number): SmallDisk | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'whet-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    rmSync(folder, { recursive: true, force: true });
    return undefined;
  }
  chmodSync(folder, 0o755);
  const filler = join(folder, 'filler');
  return {
    folder,
    fill: () => {
      for (;;) {
        const { bavail, bsize } = statfsSync(folder);
        if (bavail === 0) return;
        writeFileSync(filler, Buffer.alloc(bavail * bsize), { flag: 'a' });
      }
    },
    makeRoom: () => rmSync(filler, { force: true }),
    remove: () => {
      execFileSync('umount', ['-l', folder], { stdio: 'ignore' });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
