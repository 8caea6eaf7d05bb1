import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { seededRandom, type Random } from '../../base/host/random.ts';
import { rounds, seed } from '../../../test/rounds.ts';
import { lumbar, say, testServer } from './testing/test-server.ts';

const server = await testServer();
const agent = new Agent({ keepAlive: true, maxSockets: 20 });

interface Hostile {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

function send({ method, path, headers, body }: Hostile): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { agent, port: server.port, host: '127.0.0.1', method, path, headers },
      (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode ?? 0));
        response.on('error', reject);
      },
    );
    // A refusal may close the connection before the whole body was taken.
    outgoing.on('error', (error: NodeJS.ErrnoException) =>
      ['ECONNRESET', 'EPIPE'].includes(error.code ?? '') ? resolve(0) : reject(error),
    );
    outgoing.end(body);
  });
}

const episode = (await server.post('/api/v1/episodes', lumbar)).body.episode_id as string;
const messages = [say('Hello', { name: 'claim_status', input: { value: 'denied' } })];
/** Requests that would be right, from which wrong ones are made. */
const right: readonly (readonly [method: string, path: string, body: unknown])[] = [
  ['GET', '/health', undefined],
  ['GET', '/ready', undefined],
  ['GET', '/api/v1/key', undefined],
  ['GET', '/api/v1/catalog', undefined],
  ['GET', '/api/v1/catalog/case-management/lumbar-strain', undefined],
  ['GET', '/api/v1/openapi.json', undefined],
  [
    'POST',
    '/api/v1/episodes',
    { ...lumbar, score_turns: true, config: { max_turns: 3 }, group: 'g', seed: 1, variant: 2 },
  ],
  ['GET', '/api/v1/episodes?limit=3&status=open', undefined],
  ['GET', `/api/v1/episodes/${episode}`, undefined],
  [
    'POST',
    `/api/v1/episodes/${episode}/turns`,
    { messages, turn: 1, reward_config: { quality_weights: { rubrics: 1 } } },
  ],
  [
    'POST',
    '/api/v1/evaluate',
    { ...lumbar, messages, normalization_key: 'k', normalization_windows: ['7d'] },
  ],
  ['POST', '/api/v1/compare', { ...lumbar, response_a: { messages }, response_b: { messages } }],
  ['POST', '/api/v1/batch/evaluate', { items: [{ id: 'a', ...lumbar, messages }] }],
  ['POST', '/api/v1/batch/episodes', { items: [{ id: 'a', ...lumbar }] }],
  ['POST', '/api/v1/batch/turns', { items: [{ id: 'a', episode_id: episode, messages }] }],
  ['POST', '/ors/create_session', {}],
  ['POST', '/ors/create', { split: 'train', index: 0 }],
  ['POST', '/ors/case-management/task_range', { split: 'train', start: 0, stop: 3 }],
  ['POST', '/ors/case-management/call', { name: 'say', input: { message: 'x' } }],
  ['POST', '/ors/ping', {}],
  ['POST', '/openenv/reset', { seed: 3 }],
  ['POST', '/openenv/step', { episode_id: 'x', action: { message: 'x', tool_calls: [{ name: 'say' }] } }],
  ['POST', '/openenv/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'say' } }],
];

const oddValues: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  Number.MAX_SAFE_INTEGER,
  '',
  'x'.repeat(20_000),
  '\u0000',
  '\ud800',
  '__proto__',
  '../../etc/passwd',
  "'; DROP TABLE episode; --",
  [],
  {},
  [[[[[]]]]],
  { __proto__: 1, constructor: 2, toString: 3 },
  Array.from({ length: 500 }, () => ({})),
];

function pick<Value>(random: Random, values: readonly Value[]): Value {
  return values[Math.floor(random() * values.length)] as Value;
}

/** The value with one member somewhere replaced, removed, renamed or doubled. */
function mutate(value: unknown, random: Random): unknown {
  if (typeof value !== 'object' || value === null || random() < 0.2) return pick(random, oddValues);
  if (Array.isArray(value)) {
    const index = Math.floor(random() * value.length);
    return random() < 0.3 ? [...value, ...value] : value.with(index, mutate(value[index], random));
  }
  const entries = Object.entries(value);
  const index = Math.floor(random() * entries.length);
  const [name, inner] = entries[index] ?? ['x', 1];
  const change = random();
  if (change < 0.2) entries.splice(index, 1);
  else if (change < 0.3) entries[index] = [pick(random, ['__proto__', 'constructor', `${name}x`, '']), inner];
  else entries[index] = [name, mutate(inner, random)];
  return Object.fromEntries(entries);
}

function bodyOf(body: unknown, random: Random): Buffer {
  const text = JSON.stringify(random() < 0.7 ? mutate(body ?? {}, random) : (body ?? {}));
  const bytes = Buffer.from(text);
  switch (Math.floor(random() * 9)) {
    case 0:
      return bytes.subarray(0, Math.floor(random() * bytes.length));
    case 1: {
      const place = Math.floor(random() * bytes.length);
      const broken = Buffer.from(bytes);
      broken[place] = Math.floor(random() * 256);
      return broken;
    }
    case 2:
      return Buffer.from('['.repeat(Math.floor(random() * 20_000)));
    case 3:
      return Buffer.from(`{${'"a":1,'.repeat(Math.floor(random() * 12_000))}"b":1}`);
    case 4:
      return Buffer.from([0xff, 0xfe, 0x7b, 0x7d]);
    default:
      return bytes;
  }
}

function hostile(random: Random): Hostile {
  const [method, path, body] = pick(random, right);
  const headers: Record<string, string> = {
    'content-type': pick(random, ['application/json', 'text/plain', '']),
  };
  if (random() < 0.3) headers['idempotency-key'] = pick(random, ['k', 'x'.repeat(300), 'ü', ' ']);
  if (random() < 0.5) headers['x-session-id'] = pick(random, ['s', 'x'.repeat(300), '../..']);
  if (random() < 0.1)
    headers['authorization'] = pick(random, ['Bearer', 'Bearer x', 'Basic Og==', 'x'.repeat(4000)]);
  if (random() < 0.1) headers['last-event-id'] = pick(random, ['-1', '9'.repeat(40), 'x']);
  const bent =
    random() < 0.75
      ? path
      : path
          .replace('case-management', pick(random, ['..%2f..', '%00', '%ff', 'x'.repeat(3000), '__proto__']))
          .replace(episode, pick(random, ['..', '%2e%2e', 'ep_', '%', "'--"]))
          .concat(pick(random, ['', '/', '/..', '?limit=', '?cursor=%00', '?variant=1e9', '//', '%']));
  const other =
    random() < 0.15 ? pick(random, ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'GET', 'POST']) : method;
  const withBody = !['GET', 'HEAD'].includes(other) || random() < 0.1;
  return { method: other, path: bent, headers, body: withBody ? bodyOf(body, random) : Buffer.alloc(0) };
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

test('malformed requests over all endpoints: never a 5xx, never a crash, no growth', async () => {
  const random = seededRandom(seed('hostile requests'));
  const count = rounds(1000);
  let sent = 0;
  const worker = async (): Promise<void> => {
    while (sent < count) {
      sent += 1;
      const wanted = hostile(random);
      // Following an open episode would wait for its end.
      if (wanted.path.includes('/events')) continue;
      const status = await send(wanted);
      assert.ok(
        status < 500,
        `${status} for ${wanted.method} ${wanted.path} ${wanted.body.toString().slice(0, 500)}`,
      );
    }
  };
  const run = (): Promise<unknown> => Promise.all(Array.from({ length: 20 }, worker));
  await run();
  collect();
  const before = process.memoryUsage().heapUsed;
  sent = 0;
  await run();
  collect();
  const grown = process.memoryUsage().heapUsed - before;
  // Episodes that were opened by chance are kept for a while; nothing else may stay.
  assert.ok(grown < 10e6 + count * 2000, `The heap grew by ${grown} bytes over ${count} requests.`);
  assert.equal((await server.get('/health')).status, 200);
  assert.equal((await server.get(`/api/v1/episodes/${episode}`)).status, 200);
});

/** What a bare connection gets back, until it is closed. */
function speak(text: string, finish = true): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(server.port, '127.0.0.1');
    let heard = '';
    socket.on('data', (chunk) => (heard += chunk.toString()));
    socket.on('close', () => resolve(heard));
    socket.on('error', () => {});
    socket.write(text);
    if (finish) socket.end();
  });
}

test('what is not HTTP gets a bare 400 and a closed connection', async () => {
  for (const text of [
    'hello\r\n\r\n',
    '\u0016\u0003\u0001',
    'GET / HTTP/9.9\r\n\r\n',
    'POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n',
  ])
    assert.match(await speak(text), /^HTTP\/1\.1 400 Bad Request\r\n/);
});

test('a refusal keeps its connection, unless a body was left unread', async () => {
  const last = 'GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
  for (const asked of ['GET /api/v1/nothing', 'DELETE /api/v1/key', 'GET /nothing', 'POST /health']) {
    const request = (more: string): string => `${asked} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`;
    assert.match(await speak(request('') + last, false), /^HTTP\/1\.1 40[45] [^]*HTTP\/1\.1 200 /, asked);
    assert.doesNotMatch(await speak(`${request('Content-Length: 3\r\n')}{}`, false), / 200 /, asked);
  }
});

test('headers that are too large are refused, and a client that leaves in the middle harms nobody', async () => {
  assert.match(
    await speak(`GET /health HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(50_000)}\r\n\r\n`, false),
    /^HTTP\/1\.1 431 /,
  );
  await speak(
    'POST /api/v1/episodes HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{"collection',
  );
  await speak('GET /api/v1/catalog HTTP/1.1\r\nHo');
  assert.equal((await server.get('/health')).status, 200);
});

test('a path cannot leave the page, nor the catalog', async () => {
  for (const path of [
    '/..%2f..%2fetc/passwd',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/assets/..%5c..%5cpackage.json',
    '/package.json',
  ])
    assert.equal((await server.get(path)).status, 404);
  assert.equal((await server.get('/api/v1/catalog/..%2f..%2fetc/passwd')).status, 404);
});

test('who offers another protocol, or names no host in HTTP/1.0, gets a plain answer', async () => {
  const offer = 'Connection: Upgrade, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n';
  for (const path of ['/api/v1/key', '/health', '/openenv/metadata', '/ors/list_environments']) {
    const asked = `GET ${path} HTTP/1.1\r\nHost: localhost\r\n`;
    assert.match(await speak(`${asked}${offer}\r\n`, false), /^HTTP\/1\.1 200 /, path);
    assert.match(await speak(`GET ${path} HTTP/1.0\r\n\r\n`, false), /^HTTP\/1\.1 200 /, path);
  }
  const socket = 'Connection: Upgrade, close\r\nUpgrade: websocket\r\n';
  const key = await speak(`GET /api/v1/key HTTP/1.1\r\nHost: localhost\r\n${socket}\r\n`, false);
  assert.match(key, /^HTTP\/1\.1 404 /);
  for (const [asked, status] of [
    ['HEAD /openenv/ws', 426],
    ['HEAD /openenv/mcp', 426],
    ['GET http://', 400],
  ] as const)
    assert.match(
      await speak(`${asked} HTTP/1.1\r\nHost: localhost\r\n${socket}\r\n`, false),
      new RegExp(`^HTTP/1\\.1 ${status} `),
    );
});
