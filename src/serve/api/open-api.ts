import type { JsonObject } from '../../base/json/value.ts';
import { limits } from './limit.ts';
import { reference, schemas } from './schema.ts';

/** What OpenAPI says of an endpoint besides its method and path. */
export interface OperationNote {
  readonly summary: string;
  /** The names of the schemas of its body and of its answer. */
  readonly body?: string;
  readonly answer: string;
  /** What may stand in the address, with its shape. */
  readonly query?: Readonly<Record<string, JsonObject>>;
}

const count: JsonObject = { type: 'integer', minimum: 0 };
const label: JsonObject = { type: 'string', minLength: 1, maxLength: 200 };

/** Which episodes, wherever they are chosen. */
const filters: Readonly<Record<string, JsonObject>> = {
  status: { enum: ['open', 'complete'] },
  collection: label,
  scenario: label,
  version: label,
  variant: count,
  group: label,
  study: label,
  player: label,
  q: label,
};

/** By the names of the operations, as the server has them. */
export const operations: Readonly<Record<string, OperationNote>> = {
  getKey: { summary: 'The key that asks', answer: 'KeyAnswer' },
  getCatalog: { summary: 'Collections and scenarios', answer: 'CatalogAnswer' },
  getScenario: {
    summary: 'A scenario: its briefing, tools and limits',
    answer: 'ScenarioAnswer',
    query: { variant: count },
  },
  createEpisode: { summary: 'Open an episode', body: 'CreateEpisode', answer: 'EpisodeAnswer' },
  listEpisodes: {
    summary: 'Episodes of this key, newest first',
    answer: 'EpisodeListAnswer',
    query: {
      cursor: { type: 'string' },
      limit: { type: 'integer', minimum: 1, maximum: limits.pageItems },
      ...filters,
    },
  },
  getStats: {
    summary: 'How episodes of this key did, in groups',
    answer: 'StatsAnswer',
    query: { group_by: { type: 'string' }, ...filters },
  },
  compareRuns: {
    summary: 'Runs beside each other, task by task',
    answer: 'ComparisonAnswer',
    query: { run: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 6 } },
  },
  listFailures: {
    summary: 'What was missed in episodes of this key, the dearest first',
    answer: 'FailuresAnswer',
    query: filters,
  },
  listTurns: {
    summary: 'Turns of an episode, in pages',
    answer: 'TurnListAnswer',
    query: { from: count, limit: { type: 'integer', minimum: 1, maximum: limits.pageItems } },
  },
  getEpisode: { summary: 'An episode with its turns', answer: 'EpisodeDetailAnswer' },
  endEpisode: { summary: 'End an episode and grade it as it stands', answer: 'EndEpisodeAnswer' },
  followEpisode: {
    summary: 'Turns as they come, as server-sent events',
    answer: 'events',
    query: { after: count },
  },
  followAll: {
    summary: 'Episodes of this key that begin, take a turn or end, as server-sent events',
    answer: 'events',
    query: { after: count },
  },
  forkEpisode: {
    summary: 'Open an episode that begins with the first turns of this one',
    body: 'ForkEpisode',
    answer: 'ForkAnswer',
  },
  submitTurn: { summary: 'Take a turn', body: 'SubmitTurn', answer: 'TurnAnswer' },
  evaluate: { summary: 'Grade a whole conversation', body: 'Evaluate', answer: 'EvaluateAnswer' },
  compare: { summary: 'Which of two conversations is better', body: 'Compare', answer: 'CompareAnswer' },
  playRollout: {
    summary: 'Play one trial with a player of this server, whose model is at base_url',
    body: 'CreateRollout',
    answer: 'Rollout',
  },
  batchEvaluate: {
    summary: 'Grade many conversations',
    body: 'BatchEvaluate',
    answer: 'BatchEvaluateAnswer',
  },
  batchEpisodes: { summary: 'Open many episodes', body: 'BatchEpisodes', answer: 'BatchEpisodesAnswer' },
  batchTurns: { summary: 'Take turns in many episodes', body: 'BatchTurns', answer: 'BatchTurnsAnswer' },
};

const statuses: Readonly<Record<string, string>> = {
  '400': 'Something in the request is wrong',
  '401': 'No API key, or an invalid one',
  '403': 'The key may not',
  '404': 'Not found',
  '409': 'The turn, the key or the episode is taken by another request',
  '413': 'The body is too large',
  '429': 'Over the rate limit, or too busy',
  '500': 'The server is broken',
  '503': 'The store is away, or the server stops',
};

const rateHeaders: JsonObject = Object.fromEntries(
  ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'].map((name) => [
    name,
    {
      schema: count,
      description: 'Present when the key has a rate limit and the request was counted',
    },
  ]),
);

/** The headers of an answer with this status. What has no right key is refused before it counts. */
function headersOf(status: string): JsonObject {
  return {
    'X-Request-ID': { schema: { type: 'string', pattern: '^req_' } },
    'X-Content-Type-Options': { schema: { const: 'nosniff' } },
    ...(status === '401' ? {} : rateHeaders),
    ...(['429', '503'].includes(status) && {
      'Retry-After': { schema: { type: 'integer', minimum: 1 }, description: 'Seconds' },
    }),
  };
}

/** The OpenAPI 3.1 document, made from the endpoints that the server really has. */
export function openApiDocument(
  endpoints: readonly { readonly method: string; readonly path: string; readonly operation: string }[],
  version: string,
): JsonObject {
  const paths: Record<string, Record<string, JsonObject>> = {};
  for (const { method, path, operation } of endpoints) {
    const place = `/api/v1${path.replaceAll(/:(\w+)/g, '{$1}')}`;
    paths[place] = { ...paths[place], [method.toLowerCase()]: describeOperation(path, operation) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Whetstone Labs API',
      version,
      description: 'Simulated episodes with a person, graded with a reward from 0 to 1.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    // While the server runs open it needs none.
    security: [{ key: [] }, {}],
    paths,
    components: {
      schemas,
      securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
    },
  };
}

function describeOperation(path: string, operation: string): JsonObject {
  const note = operations[operation];
  const parameters = [
    ...[...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
      name: name ?? '',
      in: 'path',
      required: true,
      schema: { type: 'string' },
    })),
    ...Object.entries(note?.query ?? {}).map(([name, schema]) => ({
      name,
      in: 'query',
      required: false,
      schema,
    })),
    ...(['createEpisode', 'forkEpisode', 'submitTurn'].includes(operation)
      ? [
          {
            name: 'Idempotency-Key',
            in: 'header',
            required: false,
            schema: label,
          },
        ]
      : []),
    ...(['followEpisode', 'followAll'].includes(operation)
      ? [{ name: 'Last-Event-ID', in: 'header', required: false, schema: count }]
      : []),
  ];
  const content =
    note?.answer === 'events'
      ? { 'text/event-stream': { schema: { type: 'string' } } }
      : { 'application/json': { schema: reference(note?.answer ?? '') } };
  return {
    operationId: operation,
    summary: note?.summary ?? operation,
    ...(parameters.length > 0 && { parameters }),
    ...(note?.body !== undefined && {
      requestBody: { required: true, content: { 'application/json': { schema: reference(note.body) } } },
    }),
    responses: {
      '200': {
        description: 'Done',
        headers: headersOf('200'),
        content,
      },
      ...Object.fromEntries(
        Object.entries(statuses).map(([status, description]) => [
          status,
          {
            description,
            headers: headersOf(status),
            content: { 'application/json': { schema: reference('Refusal') } },
          },
        ]),
      ),
    },
  };
}
