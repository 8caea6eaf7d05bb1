import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { readEnvironment } from '../../base/host/environment.ts';
import type { JsonValue } from '../../base/json/value.ts';

/** Shorter texts are read as quickly as their cache would be. */
const leastLength = 2000;
/** Of the parser and its settings: another one reads another cache. */
const version = 'yaml-2.9.1-1';

/** What a text held when it was parsed before, or nothing. */
export function readKept(text: string): JsonValue | undefined {
  const file = fileOf(text);
  if (file === undefined) return undefined;
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as JsonValue;
  } catch {
    // Not kept, or broken while it was written: the text itself is there.
    return undefined;
  }
}

/** Keeps what a text held. A cache that cannot be written is no cache, and nothing is lost. */
export function keep(text: string, value: JsonValue): void {
  const file = fileOf(text);
  if (file === undefined) return;
  try {
    mkdirSync(join(file, '..'), { recursive: true });
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, JSON.stringify(value));
    renameSync(draft, file);
  } catch {
    // Read-only homes are common where servers run.
  }
}

function fileOf(text: string): string | undefined {
  const home = readEnvironment('HOME');
  const folder = readEnvironment('XDG_CACHE_HOME') ?? (home === undefined ? undefined : join(home, '.cache'));
  if (folder === undefined || text.length < leastLength) return undefined;
  const hash = createHash('sha256').update(version).update(text).digest('hex');
  return join(folder, 'whetstone', version, `${hash}.json`);
}
