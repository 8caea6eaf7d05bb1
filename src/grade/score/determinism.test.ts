import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

import { playAll } from './testing/play-all.ts';

test('every bundled episode replays to the same transcript and grade in another process, place and language', () => {
  const module = new URL('./testing/play-all.ts', import.meta.url).href;
  const script = `import { playAll } from ${JSON.stringify(module)}; console.log(JSON.stringify(playAll()));`;
  const other = spawnSync(
    process.execPath,
    ['--conditions=whetstone-source', '--input-type=module', '--eval', script],
    {
      encoding: 'utf8',
      timeout: 240_000,
      env: { ...process.env, TZ: 'Pacific/Kiritimati', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' },
    },
  );
  assert.equal(other.status, 0, other.stderr);
  assert.deepEqual(JSON.parse(other.stdout), playAll());
});
