import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

import { faultsOf } from '../../check.ts';
import { type Check, Tree } from '../tree.ts';

export type Files = Readonly<Record<string, string>>;

/** The faults that a checker finds in a small tree made for it. */
function faultsIn(check: Check, files: Files): readonly string[] {
  const root = mkdtempSync(join(tmpdir(), 'whet-tree-'));
  try {
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), text);
    }
    return faultsOf(check, new Tree(root));
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** A tree in which all is well stays without fault; the same tree with one thing changed does not. */
export function seesFaults(
  check: Check,
  well: Files,
  planted: Readonly<Record<string, [Files, RegExp]>>,
): void {
  test(`${check.name}: says nothing where all is well`, () => {
    assert.deepEqual(faultsIn(check, well), []);
  });
  test(`${check.name}: fails where it finds nothing to read`, () => {
    assert.match(faultsIn(check, { 'other.txt': '' })[0] ?? '', /nothing to read/);
  });
  for (const [what, [files, expected]] of Object.entries(planted)) {
    test(`${check.name}: sees ${what}`, () => {
      const faults = faultsIn(check, { ...well, ...files });
      assert.equal(faults.length, 1, `one fault was planted, these were found: ${faults.join('; ')}`);
      assert.match(faults[0] ?? '', expected);
    });
  }
}
