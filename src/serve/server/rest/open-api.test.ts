import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { JsonObject } from '../../../base/json/value.ts';
import { checkValue, loadChecker } from '../../../base/schema/check/check.ts';
import { operations, schemas } from '../../api/open-api.ts';
import { createKey } from '../../http/keys.ts';
import { lumbar, say, testServer, type Answer } from '../testing/test-server.ts';

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly schema: JsonObject }[];
  readonly responses: Record<string, { readonly headers: JsonObject }>;
}

await loadChecker();
const server = await testServer({ players: { silent: () => () => '' } });
const document = (await server.get('/api/v1/openapi.json')).body as JsonObject & {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly security: unknown;
  readonly components: JsonObject;
};

/** What is wrong with a value by a schema of the document. */
function faults(name: string, value: unknown): readonly unknown[] {
  return checkValue(
    { $ref: `#/components/schemas/${name}`, components: document.components },
    value as never,
  );
}

function nameOf(shape: unknown): string {
  return Object.entries(schemas).find(([, one]) => one === shape)?.[0] ?? 'none';
}

const listed = Object.values(document.paths).flatMap((methods) =>
  Object.values(methods).map(({ operationId }) => operationId),
);

test('the document is OpenAPI 3.1 and names each operation once, with its shapes', () => {
  assert.equal(document['openapi'], '3.1.0');
  assert.deepEqual(listed.toSorted(), Object.keys(operations).toSorted());
  const text = JSON.stringify(document);
  for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g))
    assert.ok(name in schemas, name);
});

test('the document says what an episode may be told, and how a stream is taken up again', () => {
  assert.notDeepEqual(faults('CreateEpisode', { ...lumbar, config: { max_turns: 0 } }), []);
  assert.deepEqual(faults('CreateEpisode', { ...lumbar, config: { max_turns: 1 } }), []);
  const events = JSON.stringify(document.paths['/api/v1/episodes/{id}/events']);
  assert.match(events, /"name":"Last-Event-ID","in":"header"/);
});

test('the document says what may be in an address, and which headers each answer has', async () => {
  const { parameters } = document.paths['/api/v1/episodes']!['get']!;
  const schemaOf = (name: string) => parameters!.find((one) => one.name === name)!.schema;
  assert.deepEqual(schemaOf('limit'), { type: 'integer', minimum: 1, maximum: 200 });
  assert.deepEqual(schemaOf('status'), { enum: ['open', 'complete'] });
  const limited = await testServer({ rateLimit: 2 });
  const answers = [
    await limited.post('/api/v1/episodes', {}),
    await limited.get('/api/v1/episodes/none'),
    await limited.get('/api/v1/episodes/none'),
  ];
  assert.deepEqual(
    answers.map(({ status }) => status),
    [400, 404, 429],
  );
  for (const { status, headers } of answers) {
    const { responses } = document.paths['/api/v1/episodes/{id}']!['get']!;
    const said = Object.keys(responses[status]!.headers).map((name) => name.toLowerCase());
    const had = [...headers.keys()].filter((name) => name.startsWith('x-') || name === 'retry-after');
    assert.deepEqual(
      had.filter((name) => !said.includes(name)),
      [],
    );
    assert.ok(had.includes('x-request-id'));
    if (status === 429) assert.deepEqual(had.toSorted(), said.toSorted());
  }
  assert.deepEqual(document.security, [{ key: [] }, {}]);
});

test('every path of the document is there, with every method that it names', async () => {
  for (const [path, methods] of Object.entries(document.paths))
    for (const method of Object.keys(methods)) {
      const named: string = path.replaceAll(/\{\w+\}/g, 'none');
      // A stream that has no end is asked for from a time that is none.
      const place = path === '/api/v1/events' ? `${named}?after=none` : named;
      const body = method === 'post' ? '{}' : undefined;
      const { body: answered } = await server.send(method.toUpperCase(), place, body);
      const code = answered?.data?.code;
      assert.ok(code !== 'not_found' && code !== 'method_not_allowed', `${method} ${path}: ${code}`);
    }
});

test('the running server answers in the shapes of the document, with keys and without', async () => {
  const closed = await testServer({ open: false, players: { silent: () => () => '' } });
  const { key } = await createKey(closed.store, { name: 'k', rateLimit: 1000, expiresAt: 4e12 }, 0);
  for (const [on, headers] of [
    [server, {}],
    [closed, { authorization: `Bearer ${key}` }],
  ] as const) {
    const seen = new Set<string>();
    const fits = (operation: string, { status, body, text }: Answer): Answer['body'] => {
      const answer = nameOf(operations[operation]?.answer);
      assert.equal(status, 200, text);
      assert.deepEqual(faults(answer, body), [], `${operation}: ${text}`);
      seen.add(operation);
      return body;
    };
    const messages = [say('When did it happen?', { name: 'claim_status', input: { value: 'nope' } })];
    const both = async (operation: string, path: string, body: object): Promise<Answer['body']> => {
      assert.deepEqual(faults(nameOf(operations[operation]?.body), body), []);
      return fits(operation, await on.post(path, body, headers));
    };
    const config = { quality_weights: { rubrics: 1 }, skip_safety_gate: true };
    fits('getKey', await on.get('/api/v1/key', headers));
    fits('getCatalog', await on.get('/api/v1/catalog', headers));
    fits('getScenario', await on.get('/api/v1/catalog/case-management/lumbar-strain', headers));
    const { apis } = fits(
      'getScenarioTools',
      await on.get('/api/v1/catalog/case-management/lumbar-strain/tools', headers),
    );
    assert.ok(apis.every(({ tools }: { tools: readonly unknown[] }) => tools.length === 2));
    const { episode_id } = await both('createEpisode', '/api/v1/episodes', {
      ...lumbar,
      score_turns: true,
      group: 'g',
      study: 's',
      player: 'p',
    });
    const path = `/api/v1/episodes/${episode_id}`;
    await both('submitTurn', `${path}/turns`, { messages, turn: 1, reward_config: config });
    fits('getEpisode', await on.get(path, headers));
    const fork = await both('forkEpisode', `${path}/fork`, { turn: 0 });
    assert.deepEqual([fork.forked_from, fork.turns.length], [{ episode_id, turn: 0 }, 0]);
    fits('getEpisode', await on.get(`/api/v1/episodes/${fork.episode_id}`, headers));
    fits('endEpisode', await on.send('DELETE', path, undefined, headers));
    fits('getEpisode', await on.get(path, headers));
    fits('listEpisodes', await on.get('/api/v1/episodes?limit=1', headers));
    fits('getStats', await on.get('/api/v1/stats?group_by=player,variant', headers));
    fits('compareRuns', await on.get('/api/v1/comparison?run=s/p&run=/p', headers));
    fits('listFailures', await on.get('/api/v1/failures?study=s', headers));
    fits('getEpisode', await on.get(`${path}?turns=1`, headers));
    fits('listTurns', await on.get(`${path}/turns?limit=1`, headers));
    const { results: worlds } = fits('listTurns', await on.get(`${path}/turns`, headers)).turns[0];
    assert.deepEqual(
      fits('getResult', await on.get(`${path}/turns/1/results/0`, headers)).name,
      worlds[0].name,
    );
    if (on === server) {
      fits('explainEpisode', await on.get(`${path}/explanation`, headers));
      fits('creditEpisode', await on.get(`${path}/credit`, headers));
      fits('listExchanges', await on.get(`${path}/turns/1/exchanges`, headers));
    } else {
      assert.equal((await on.get(`${path}/turns/1/exchanges`, headers)).status, 403);
      assert.equal((await on.get(`${path}/explanation`, headers)).status, 403);
      assert.equal((await on.get(`${path}/credit`, headers)).status, 403);
    }
    const windows = { normalization_key: 'k', normalization_windows: ['7d', '100n'] };
    await both('evaluate', '/api/v1/evaluate', { ...lumbar, messages, ...windows, reward_config: config });
    const sides = { response_a: { messages }, response_b: { messages } };
    await both('compare', '/api/v1/compare', { ...lumbar, ...sides });
    await both('playRollout', '/api/v1/rollouts', {
      ...{ task: { collection: 'case-management', split: 'train', index: 0 }, player: 'silent' },
      base_url: 'http://localhost/v1',
    });
    const wrong = { id: 'b', ...lumbar, scenario_slug: 'none' };
    await both('batchEvaluate', '/api/v1/batch/evaluate', {
      items: [
        { id: 'a', ...lumbar, messages },
        { ...wrong, messages },
      ],
    });
    const { results } = await both('batchEpisodes', '/api/v1/batch/episodes', {
      items: [{ id: 'a', ...lumbar }, wrong],
    });
    const turn = { episode_id: results[0].episode_id, messages };
    await both('batchTurns', '/api/v1/batch/turns', {
      items: [
        { id: 'a', ...turn },
        { id: 'b', ...turn, turn: 9 },
      ],
    });
    const refused = await on.get('/api/v1/episodes/none', headers);
    assert.deepEqual(faults('Refusal', refused.body), []);
    assert.deepEqual(
      [...Object.keys(operations)].filter((operation) => !seen.has(operation)),
      on === server
        ? ['followEpisode', 'followAll']
        : ['explainEpisode', 'creditEpisode', 'listExchanges', 'followEpisode', 'followAll'],
    );
  }
});
