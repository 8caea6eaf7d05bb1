import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { test } from 'node:test';

import { systemClock } from '../../../base/host/clock.ts';
import { BodyBudget } from './body-budget.ts';
import { batchBody, ordinaryBody, readJsonBody, readJsonText } from './json-body.ts';

const refused = { code: 'request_not_json' };
const list = (count: number, item = '1'): string =>
  `[${Array.from({ length: count }, () => item).join(',')}]`;

test('10,000 members and items are read, and one more is refused', () => {
  for (const [limits, most] of [
    [ordinaryBody, 10_000],
    [batchBody, 80_000],
  ] as const) {
    readJsonText(list(most), limits);
    assert.throws(() => readJsonText(list(most + 1), limits), refused);
    readJsonText(`{"x":${list(most - 1)}}`, limits);
    assert.throws(() => readJsonText(`{"x":${list(most)}}`, limits), refused);
  }
});

test('a byte order mark before the JSON is let be, and nowhere else', () => {
  assert.deepEqual(readJsonText('\ufeff{"a":"\ufeff"}', ordinaryBody), { a: '\ufeff' });
  for (const text of ['\ufeff\ufeff{}', '{}\ufeff', '{\ufeff}'])
    assert.throws(() => readJsonText(text, ordinaryBody), refused);
});

test('what is empty has no members, with white space in it or without', () => {
  readJsonText(list(10_000, '{}'), ordinaryBody);
  readJsonText(list(10_000, '[ \n]'), ordinaryBody);
  assert.throws(() => readJsonText(list(10_001, '{}'), ordinaryBody), refused);
  assert.throws(() => readJsonText(list(10_000, '[{}]'), ordinaryBody), refused);
});

test('64 levels are read, and one more is refused; brackets in strings are none', () => {
  const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
  readJsonText(nested(64), ordinaryBody);
  assert.throws(() => readJsonText(nested(65), ordinaryBody), refused);
  readJsonText(JSON.stringify([nested(100), '\\"', ','.repeat(20_000)]), ordinaryBody);
});

test(
  'a client that left before its body was read is waited for no longer, and nothing of it is held',
  { timeout: 10_000 },
  async (t) => {
    const held = new BodyBudget(1000);
    const read = Promise.withResolvers<unknown>();
    const server = createServer((incoming, outgoing) => {
      outgoing.once('close', () => {
        // As behind a key that was looked up meanwhile.
        setImmediate(() =>
          read.resolve(
            readJsonBody({ incoming, outgoing }, ordinaryBody, { bodies: held, clock: systemClock }),
          ),
        );
      });
      client.destroy();
    }).listen(0);
    t.after(() => server.close());
    await once(server, 'listening');
    const client = connect((server.address() as AddressInfo).port);
    client.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900\r\n\r\n{');
    await assert.rejects(read.promise, refused);
    assert.equal(held.held, 0);
  },
);
