import assert from 'node:assert/strict';
import { mkdtempDisposable, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { test } from 'node:test';

import { unpackOnce } from './packed-chromium.ts';

test('however many unpack a browser at once, each finds it whole, and one copy is kept', async () => {
  await using place = await mkdtempDisposable(join(tmpdir(), 'whet-unpack-'));
  const folder = join(place.path, 'browser');
  const begun = Promise.withResolvers<void>();
  let count = 0;
  const work = async (into: string): Promise<void> => {
    await writeFile(join(into, 'program'), 'half');
    count++;
    if (count === 3) begun.resolve();
    await begun.promise;
    await writeFile(join(into, 'program'), 'whole');
  };
  const all = [0, 1, 2].map(async () => {
    await unpackOnce(folder, work);
    assert.equal(await readFile(join(folder, 'program'), 'utf8'), 'whole');
  });
  await Promise.all(all);
  assert.deepEqual(await readdir(place.path), ['browser']);
  await unpackOnce(folder, () => Promise.reject(new Error('It is there already.')));
});

test('what cannot be unpacked is told and leaves nothing, and what only looks unpacked is not taken', async () => {
  await using place = await mkdtempDisposable(join(tmpdir(), 'whet-unpack-'));
  const folder = join(place.path, 'browser');
  const full = (): Promise<void> => Promise.reject(new Error('The disk is full.'));
  await assert.rejects(unpackOnce(folder, full), /The disk is full/);
  assert.deepEqual(await readdir(place.path), []);
  await symlink('/', folder);
  await assert.rejects(
    unpackOnce(folder, async () => undefined),
    /rename|EEXIST|ENOTDIR|ENOTEMPTY/,
  );
});
