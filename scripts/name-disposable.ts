import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const reference = '/// <reference lib="esnext.disposable" />\n';

/**
 * Says in each file of types that names `AsyncDisposable` where it is from: most programs are compiled for an older
 * `lib`, which lacks it. The compiler drops such a line from sources that it compiles for a newer one.
 */
export function nameDisposable(dist: string): void {
  for (const file of globSync('**/*.d.ts', { cwd: dist })) {
    const path = join(dist, file);
    const types = readFileSync(path, 'utf8');
    if (/AsyncDisposable|Symbol\.asyncDispose/.test(types)) writeFileSync(path, reference + types);
  }
}
