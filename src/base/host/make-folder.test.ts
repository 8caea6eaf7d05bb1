import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { makeFolder } from './make-folder.ts';

test('a folder is made with those above it, and one that is there is left as it is', () => {
  const root = mkdtempSync(join(tmpdir(), 'whet-folder-'));
  using _root = { [Symbol.dispose]: () => rmSync(root, { recursive: true }) };
  const deep = join(root, 'a', 'b', 'c');
  makeFolder(deep);
  makeFolder(deep);
  assert.ok(statSync(deep).isDirectory());
  writeFileSync(join(root, 'file'), '');
  assert.throws(() => makeFolder(join(root, 'file')), { code: 'EEXIST' });
  assert.throws(() => makeFolder(join(root, 'file', 'below')), { code: /EEXIST|ENOTDIR/ });
});

test(
  'a folder that cannot be made is an error at once, also below /proc',
  { skip: existsSync('/proc') ? false : 'this system has no /proc' },
  () => {
    assert.throws(() => makeFolder('/proc/whet'), { syscall: 'mkdir', path: '/proc/whet' });
    assert.throws(() => makeFolder('/proc/whet/pictures'), { syscall: 'mkdir', path: '/proc/whet' });
  },
);
