import assert from 'node:assert/strict';
import { test } from 'node:test';

import { WebSocket as WsSocket } from 'ws';

import { createKey } from './keys.ts';
import { jsonLog, writeByRound } from './log.ts';
import { lumbar, say, testServer } from '../server/testing/test-server.ts';

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

test('requests of the trainers are lines as well, and what breaks in their calls is told', async () => {
  const lines: Record<string, unknown>[] = [];
  const server = await testServer({ log: (level, event, line) => lines.push({ level, event, ...line }) });
  const session = { 'x-session-id': 'ses_logged' };
  const rpc = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  for (const [path, body, status] of [
    ['/ors/create', { split: 'train', index: 0 }, 200],
    ['/ors/case-management/call', { name: 'say', input: { message: 'When?' } }, 200],
    ['/ors/case-management/call', { input: {} }, 422],
    ['/openenv/reset', { episode_id: 'mine' }, 200],
    ['/openenv/step', { episode_id: 'mine', action: {} }, 422],
    ['/openenv/mcp', rpc, 200],
  ] as const) {
    const { headers } = await server.post(path, body, session);
    const line = lines.find((one) => one['request_id'] === headers.get('x-request-id'));
    const seen = [line?.['status'], line?.['key_id'], typeof line?.['ms']];
    assert.deepEqual(seen, [status, 'local', 'number'], path);
  }
  assert.match(
    (await server.get('/metrics')).text,
    /^whet_request_seconds_count\{protocol="ors",.*"call"\} 2$/m,
  );

  server.store.readTurnByKey = () => Promise.reject(new Error('out of order'));
  const step = { name: 'say', arguments: { message: 'Where?' } };
  const call = await server.post('/ors/case-management/call', { name: 'say', task_id: 'task_lost' }, session);
  assert.match(call.text, /event: error\ndata: Something broke in the server\./);
  server.store.appendTurn = () => Promise.reject(new Error('out of order'));
  const params = { ...step, session_id: 'mine' };
  await server.post('/openenv/mcp', { ...rpc, method: 'tools/call', params });
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/openenv/ws?session_id=mine`);
  socket.addEventListener('open', () => socket.send('{"type":"step","data":{"message":"Where?"}}'));
  await new Promise((resolve) => socket.addEventListener('message', resolve));
  socket.close();
  const broken = lines.filter(({ event }) => event === 'call_broken');
  assert.deepEqual(
    broken.map(({ level, protocol, error }) => [level, protocol, error]),
    ['ors', 'openenv', 'openenv'].map((protocol) => ['error', protocol, 'Error: out of order']),
  );
});

test('what finds nothing, and a socket that is refused, are lines too: a client was given a wrong address or key', async () => {
  const lines: Record<string, unknown>[] = [];
  const server = await testServer({ open: false, log: (_level, _event, line) => lines.push({ ...line }) });
  for (const [path, protocol, status] of [
    ['/list_environments', 'labs', 404],
    ['/ors/case-management/nothing', 'ors', 404],
    ['/openenv/%22%0a', 'openenv', 404],
    ['/openenv/reset', 'openenv', 405],
    ['/api/v1/nothing', 'labs', 404],
  ] as const) {
    const { headers } = await server.get(path);
    const { request_id, protocol: door, operation, status: told } = lines.at(-1) ?? {};
    assert.deepEqual(
      [request_id, door, operation, told],
      [headers.get('x-request-id'), protocol, 'none', status],
    );
  }
  // The one of Node asks twice.
  const socket = new WsSocket(`${server.url.replace('http', 'ws')}/openenv/ws`);
  await new Promise((resolve) => socket.once('error', resolve));
  const { operation, status, code } = lines.at(-1) ?? {};
  assert.deepEqual([lines.length, operation, status, code], [6, 'connect', 401, 'unauthorized']);
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
