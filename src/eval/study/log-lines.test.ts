import assert from 'node:assert/strict';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { readLogLines } from './log-lines.ts';

test('reads whole lines of any length where they are, and leaves out what nothing ends', () => {
  const folder = mkdtempSync(join(tmpdir(), 'whet-lines-'));
  using _folder = { [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
  const path = join(folder, 'log.jsonl');
  const lengths = [3, 0, 1 << 20, (1 << 20) - 1, 3_500_000, 0, 7, 2 << 20];
  const lines = lengths.map((length, place) => `${place}${'é'.repeat(length / 2)}`);
  writeFileSync(path, `${lines.join('\n')}\n\ncut off`);
  const file = openSync(path, 'r');
  using _file = { [Symbol.dispose]: () => closeSync(file) };
  let offset = 0;
  const expected = lines.map((line) => {
    const length = Buffer.byteLength(line) + 1;
    offset += length;
    return { line, offset: offset - length, length };
  });
  assert.deepEqual([...readLogLines(file, 0)], expected);
  const third = expected[2]!;
  assert.deepEqual([...readLogLines(file, third.offset)], expected.slice(2));
});
