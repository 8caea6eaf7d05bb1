import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createKey } from './keys.ts';
import { jsonLog, writeByRound } from './log.ts';
import { lumbar, say, testServer } from './testing/test-server.ts';

test('each request is one line of JSON, with its id and its key, and never a body or the key itself', async () => {
  const lines: string[] = [];
  const server = await testServer({
    open: false,
    log: jsonLog(
      (text) => lines.push(text),
      () => 0,
    ),
  });
  const { key, record } = await createKey(server.store, {}, 0);
  const auth = { authorization: `Bearer ${key}` };
  const { body } = await server.post(
    '/api/v1/evaluate',
    { ...lumbar, messages: [say('a secret of mine')] },
    auth,
  );
  const refused = await server.get('/api/v1/episodes/ep_none', auth);
  assert.equal(lines.length, 2);
  for (const line of lines)
    assert.match(line, /^\{"time":"1970-01-01T00:00:00\.000Z","level":"info","event":"request",.*\}\n$/);
  const [first, second] = lines.map((line) => JSON.parse(line));
  assert.deepEqual(
    [first.request_id, first.operation, first.status, first.key_id],
    [body.request_id, 'evaluate', 200, record.id],
  );
  assert.deepEqual([second.request_id, second.code], [refused.body.data.request_id, 'episode_not_found']);
  assert.doesNotMatch(lines.join(''), new RegExp(`secret of mine|${key}`));
});

test('lines of one round of the event loop are written together, in order, and none is lost', async () => {
  const written: string[] = [];
  const write = writeByRound((text) => written.push(text));
  for (const line of ['a\n', 'b\n', 'c\n']) write(line);
  assert.deepEqual(written, []);
  await new Promise(setImmediate);
  assert.deepEqual(written, ['a\nb\nc\n']);
  write('d\n');
  await new Promise(setImmediate);
  assert.deepEqual(written, ['a\nb\nc\n', 'd\n']);
});
