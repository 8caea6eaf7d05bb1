import assert from 'node:assert/strict';
import { test } from 'node:test';

import { WhetstoneError, type ErrorCode } from '../../base/host/errors.ts';
import { refusalOf } from './refusal.ts';
import { createKey } from './keys.ts';
import { lumbar, testServer, type Answer, type TestServer } from '../server/testing/test-server.ts';

const json = { 'content-type': 'application/json' };

/** A request that meets each error, and how HTTP says it. */
const met: Partial<
  Record<ErrorCode, [ask: (server: TestServer) => Promise<Answer>, status: number, code: string]>
> = {
  request_invalid: [
    (server) => server.post('/api/v1/episodes', { collection_slug: 7 }),
    400,
    'invalid_request',
  ],
  request_not_json: [(server) => server.send('POST', '/api/v1/episodes', '{', json), 400, 'invalid_json'],
  request_too_large: [
    (server) => server.send('POST', '/api/v1/episodes', `"${'x'.repeat(2 ** 20)}"`, json),
    413,
    'too_large',
  ],
  request_forbidden: [
    (server) => server.get('/api/v1/key', { origin: 'https://evil.example' }),
    403,
    'forbidden',
  ],
  endpoint_unknown: [(server) => server.get('/api/v1/nothing'), 404, 'not_found'],
  method_refused: [(server) => server.send('PUT', '/api/v1/episodes'), 405, 'method_not_allowed'],
  scenario_unknown: [
    (server) => server.post('/api/v1/episodes', { ...lumbar, scenario_slug: 'lumber-strain' }),
    404,
    'scenario_not_found',
  ],
};

test('each wrong request meets its error, and is told in its words', async () => {
  const server = await testServer({ open: true });
  for (const [code, [ask, status, said]] of Object.entries(met)) {
    const { status: answered, body } = await ask(server);
    assert.deepEqual([answered, body.data.code], [status, said], code);
    assert.equal(refusalOf(new WhetstoneError(code as ErrorCode, 'x')).code, said);
  }
});

test('a wrong key is key_refused, on a server that has keys', async () => {
  const server = await testServer({ open: false });
  await createKey(server.store, { name: 'one' }, 0);
  const { status, body } = await server.get('/api/v1/key', { authorization: 'Bearer wrong' });
  assert.deepEqual([status, body.data.code], [401, 'unauthorized']);
  assert.equal(refusalOf(new WhetstoneError('key_refused', 'x')).status, 401);
});

test('server_busy and server_stopping say when to ask again', () => {
  assert.deepEqual(refusalOf(new WhetstoneError('server_busy', 'later')), {
    status: 429,
    code: 'busy',
    message: 'later',
    retryAfter: 1,
  });
  assert.equal(refusalOf(new WhetstoneError('server_stopping', 'bye')).status, 503);
});

test('what nobody foresaw is internal, and its words stay here', () => {
  const refusal = refusalOf(new Error('the password is 123'));
  assert.deepEqual([refusal.status, refusal.code], [500, 'internal']);
  assert.doesNotMatch(refusal.message, /123/);
});
