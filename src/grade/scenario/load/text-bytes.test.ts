import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { bytesOfFile, bytesOfLatin, bytesOfText } from './text-bytes.ts';

const folder = mkdtempSync(join(tmpdir(), 'whet-bytes-'));
after(() => rmSync(folder, { recursive: true }));

function written(bytes: string | Buffer): string {
  const file = join(folder, 'text');
  writeFileSync(file, bytes);
  return file;
}

test('what is not ASCII is found from every place, and decoded', () => {
  const text = 'plain, “quoted”, naïve… and a long end without any of it; 👍 and on';
  const bytes = bytesOfText(text)!;
  const wide = [...bytes.latin].map((one) => one > '\x7f');
  for (let at = 0; at < bytes.latin.length; at++) {
    const found = wide.indexOf(true, at);
    assert.equal(bytes.wideFrom(at), found < 0 ? bytes.latin.length : found, `from ${at}`);
  }
  assert.equal(bytes.decode(0, bytes.latin.length), `${text}\n`);
  assert.equal(bytesOfLatin(bytes.latin).decode(0, bytes.latin.length), `${text}\n`);
});

test('a shorter text after a longer one has nothing of it', () => {
  bytesOfText('é'.repeat(50));
  const bytes = bytesOfText('short')!;
  assert.deepEqual([bytes.latin, bytes.isAscii, bytes.wideFrom(0)], ['short\n', true, 6]);
});

test('half of a character, and what is longer than the room, are left to others', () => {
  assert.equal(bytesOfText('a\ud83d'), undefined);
  assert.equal(bytesOfText('a'.repeat(1 << 20)), undefined);
  assert.equal(bytesOfFile(written('a'.repeat(1 << 20))), undefined);
  assert.equal(bytesOfFile(written(Buffer.from([0x61, 0xe9, 0x0a]))), undefined);
});
