import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

import type { JsonObject } from '../src/base/json/value.ts';

const folder = fileURLToPath(new URL('../../shared/data/recordings/', import.meta.url));

/** The recorded exchanges of one API; none, with a line that says so, where the recordings are not at hand. */
export function recordings(api: string): readonly JsonObject[] {
  const file = `${folder}${api}.jsonl.gz`;
  if (!existsSync(file)) {
    console.log(`# skipped: no recordings of ${api} on this machine`);
    return [];
  }
  return gunzipSync(readFileSync(file))
    .toString()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as JsonObject);
}
