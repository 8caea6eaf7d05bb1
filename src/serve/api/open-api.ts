import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import { CatalogAnswer, ScenarioAnswer, ScenarioToolsAnswer } from './catalog.ts';
import { ComparisonAnswer, ComparisonQuery, FailuresAnswer, RunSummary } from './comparison.ts';
import { Refusal } from './envelope.ts';
import {
  CreateEpisode,
  EndEpisodeAnswer,
  EpisodeAnswer,
  EpisodeDetailAnswer,
  EpisodeListAnswer,
  EpisodeListQuery,
  EpisodeQuery,
  EpisodeSummary,
  ForkAnswer,
  ForkEpisode,
} from './episode.ts';
import {
  EpisodeTurn,
  ExchangesAnswer,
  ResultAnswer,
  SubmitTurn,
  TerminalReason,
  TurnAnswer,
  TurnListAnswer,
  TurnListQuery,
} from './turn.ts';
import { CreditAnswer, EpisodeExplanation, ExplanationAnswer } from './explanation.ts';
import {
  BatchEpisodes,
  BatchEpisodesAnswer,
  BatchEvaluate,
  BatchEvaluateAnswer,
  BatchTurns,
  BatchTurnsAnswer,
  Compare,
  CompareAnswer,
  Evaluate,
  EvaluateAnswer,
} from './evaluation.ts';
import { EpisodeFilter } from './filter.ts';
import { PersonFault, Reason, RewardConfig, ScoredNumbers, Verdict } from './grade.ts';
import { KeyAnswer } from './key.ts';
import { EpisodeTool, Message, Observation, SentCall, SentMessage, ToolCall, ToolResult } from './message.ts';
import { PlayerCard } from './player.ts';
import { CreateRollout, Rollout } from './rollout.ts';
import { count, label, request, type Shape } from './shape.ts';
import { StatGroup, StatsAnswer, StatsQuery } from './stats.ts';
import { EpisodeUsage, TurnUsage } from './usage.ts';

/** What OpenAPI says of an endpoint in addition to its method and path. */
export interface OperationNote {
  readonly summary: string;
  readonly body?: Shape;
  /** Nothing where it answers with events. */
  readonly answer?: Shape;
  /** What may be in the address. */
  readonly query?: Shape;
}

const EventsQuery = request({ 'after?': count });

/** By the names of the operations, as the server has them. */
export const operations: Readonly<Record<string, OperationNote>> = {
  getKey: { summary: 'The key that asks', answer: KeyAnswer },
  getCatalog: { summary: 'Collections and scenarios', answer: CatalogAnswer },
  getScenario: {
    summary: 'A scenario: its briefing, tools and limits',
    answer: ScenarioAnswer,
    query: request({ 'variant?': count }),
  },
  getScenarioTools: {
    summary: 'What each provider is sent of the tools of a scenario, and what it does not learn',
    answer: ScenarioToolsAnswer,
  },
  createEpisode: { summary: 'Open an episode', body: CreateEpisode, answer: EpisodeAnswer },
  listEpisodes: {
    summary: 'Episodes of this key, newest first',
    answer: EpisodeListAnswer,
    query: EpisodeListQuery,
  },
  getStats: { summary: 'How episodes of this key did, in groups', answer: StatsAnswer, query: StatsQuery },
  compareRuns: {
    summary: 'Runs compared, task by task',
    answer: ComparisonAnswer,
    query: ComparisonQuery,
  },
  listFailures: {
    summary: 'What was missed in episodes of this key, the costliest first',
    answer: FailuresAnswer,
    query: EpisodeFilter,
  },
  listTurns: { summary: 'Turns of an episode, in pages', answer: TurnListAnswer, query: TurnListQuery },
  getEpisode: {
    summary: 'An episode with its turns; of one that has more than `turns`, the first of them',
    answer: EpisodeDetailAnswer,
    query: EpisodeQuery,
  },
  explainEpisode: { summary: 'What explains an episode, however long it is', answer: ExplanationAnswer },
  creditEpisode: {
    summary: 'What each call and the words of each turn were worth, later turns held fixed',
    answer: CreditAnswer,
  },
  listExchanges: { summary: 'What a turn exchanged with its provider', answer: ExchangesAnswer },
  getResult: { summary: 'A whole result, of which lists show only the beginning', answer: ResultAnswer },
  endEpisode: { summary: 'End an episode and grade it as it stands', answer: EndEpisodeAnswer },
  followEpisode: { summary: 'Turns as they come, as server-sent events', query: EventsQuery },
  followAll: {
    summary: 'Episodes of this key that begin, take a turn or end, as server-sent events',
    query: EventsQuery,
  },
  forkEpisode: {
    summary: 'Open an episode that begins with the first turns of this one',
    body: ForkEpisode,
    answer: ForkAnswer,
  },
  submitTurn: { summary: 'Take a turn', body: SubmitTurn, answer: TurnAnswer },
  evaluate: { summary: 'Grade a whole conversation', body: Evaluate, answer: EvaluateAnswer },
  compare: { summary: 'Which of two conversations is better', body: Compare, answer: CompareAnswer },
  playRollout: {
    summary: 'Play one trial with a player of this server, whose model is at base_url',
    body: CreateRollout,
    answer: Rollout,
  },
  batchEvaluate: { summary: 'Grade many conversations', body: BatchEvaluate, answer: BatchEvaluateAnswer },
  batchEpisodes: { summary: 'Open many episodes', body: BatchEpisodes, answer: BatchEpisodesAnswer },
  batchTurns: { summary: 'Take turns in many episodes', body: BatchTurns, answer: BatchTurnsAnswer },
};

/** The shapes that the document names, and refers to wherever they occur. */
export const schemas: Readonly<Record<string, Shape>> = {
  TerminalReason,
  Observation,
  SentCall,
  SentMessage,
  ToolCall,
  Message,
  ToolResult,
  EpisodeTool,
  RewardConfig,
  Refusal,
  PersonFault,
  ScoredNumbers,
  Reason,
  TurnUsage,
  EpisodeUsage,
  EpisodeTurn,
  EpisodeSummary,
  EpisodeExplanation,
  ExplanationAnswer,
  CreditAnswer,
  ResultAnswer,
  Verdict,
  KeyAnswer,
  CatalogAnswer,
  ScenarioAnswer,
  ScenarioToolsAnswer,
  CreateEpisode,
  EpisodeAnswer,
  ForkEpisode,
  ForkAnswer,
  SubmitTurn,
  TurnAnswer,
  PlayerCard,
  ExchangesAnswer,
  TurnListAnswer,
  StatGroup,
  RunSummary,
  ComparisonAnswer,
  FailuresAnswer,
  StatsAnswer,
  EpisodeListAnswer,
  EpisodeDetailAnswer,
  EndEpisodeAnswer,
  Evaluate,
  EvaluateAnswer,
  Compare,
  CompareAnswer,
  CreateRollout,
  Rollout,
  BatchEvaluate,
  BatchEvaluateAnswer,
  BatchEpisodes,
  BatchEpisodesAnswer,
  BatchTurns,
  BatchTurnsAnswer,
};

const names = new Map<JsonValue, string>(Object.entries(schemas).map(([name, shape]) => [shape, name]));

/** A shape as the document has it: those within that have a name are referred to by it. */
function written(shape: JsonValue): JsonValue {
  const name = names.get(shape);
  return name === undefined ? withNames(shape) : { $ref: `#/components/schemas/${name}` };
}

function withNames(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(written);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, written(member)]));
}

const statuses: Readonly<Record<string, string>> = {
  '400': 'Something in the request is wrong',
  '401': 'No API key, or an invalid one',
  '403': 'The key may not',
  '404': 'Not found',
  '409': 'The turn, the key or the episode is taken by another request',
  '413': 'The body is too large',
  '429': 'Over the rate limit, or too busy',
  '500': 'The server is broken',
  '503': 'The store is away, or the server is stopping',
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
      schemas: Object.fromEntries(Object.entries(schemas).map(([name, shape]) => [name, withNames(shape)])),
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
    ...Object.entries((note?.query?.['properties'] ?? {}) as JsonObject).map(([name, schema]) => ({
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
    note?.answer === undefined
      ? { 'text/event-stream': { schema: { type: 'string' } } }
      : { 'application/json': { schema: written(note.answer) } };
  return {
    operationId: operation,
    summary: note?.summary ?? operation,
    ...(parameters.length > 0 && { parameters }),
    ...(note?.body !== undefined && {
      requestBody: { required: true, content: { 'application/json': { schema: written(note.body) } } },
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
            content: { 'application/json': { schema: written(Refusal) } },
          },
        ]),
      ),
    },
  };
}
