import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

import { testServer } from './testing/test-server.ts';

const page = mkdtempSync(join(tmpdir(), 'whet-page-'));
after(() => rmSync(page, { recursive: true, force: true }));
const script = 'export const line = "the same again and again";\n'.repeat(500);
const picture = Buffer.from('89504e470d0a1a0a', 'hex');
mkdirSync(join(page, 'assets'));
writeFileSync(join(page, 'index.html'), '<!doctype html><title>Page</title>');
writeFileSync(join(page, 'assets', 'view.js'), script);
writeFileSync(join(page, 'assets', 'dot.png'), picture);

test('the page comes as small as a client can read it, and says what it is', async () => {
  const server = await testServer({ page });
  const ask = async (path: string, accepted?: string) => {
    const headers = accepted === undefined ? {} : { 'accept-encoding': accepted };
    const answer = await new Promise<IncomingMessage>((resolve) =>
      get(`${server.url}${path}`, { headers }, resolve),
    );
    const { 'content-encoding': encoding, 'content-type': type, vary } = answer.headers;
    return { encoding, type, vary, bytes: await buffer(answer) };
  };
  const cases = [
    [undefined, undefined, (bytes: Buffer) => bytes],
    ['identity', undefined, (bytes: Buffer) => bytes],
    ['gzip, deflate', 'gzip', gunzipSync],
    ['gzip;q=0.5, BR;q=1', 'br', brotliDecompressSync],
    ['br;q=0, gzip', 'gzip', gunzipSync],
    ['br; q=0.0, *;q=0', undefined, (bytes: Buffer) => bytes],
  ] as const;
  for (const [accepted, expected, decode] of cases) {
    const { encoding, type, vary, bytes } = await ask('/assets/view.js', accepted);
    const told = [expected, 'text/javascript; charset=utf-8', 'Accept-Encoding'];
    assert.deepEqual([encoding, type, vary], told, String(accepted));
    assert.equal(decode(bytes).toString(), script);
    if (expected !== undefined) assert.ok(bytes.length < script.length / 10, `${bytes.length} bytes`);
  }
  const first = await ask('/', 'br');
  assert.deepEqual([first.encoding, first.type], ['br', 'text/html; charset=utf-8']);
  const dot = await ask('/assets/dot.png', 'br, gzip');
  assert.deepEqual([dot.encoding, dot.type, dot.vary], [undefined, 'image/png', undefined]);
  assert.deepEqual(dot.bytes, picture);
});
