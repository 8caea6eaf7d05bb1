import { WhetstoneError } from '../../base/host/errors.ts';
import { platformFetch, type Fetch } from '../../base/host/fetch.ts';
import { checkHeaders } from '../../base/host/headers.ts';
import type { CatalogAnswer, ScenarioAnswer, ScenarioToolsAnswer } from '../api/catalog.ts';
import type {
  CreateEpisode,
  EndEpisodeAnswer,
  EpisodeAnswer,
  EpisodeDetailAnswer,
  EpisodeEvent,
  EpisodeListAnswer,
  EpisodeListQuery,
  EpisodeQuery,
  ForkAnswer,
  ForkEpisode,
  ServerWideEvent,
} from '../api/episode.ts';
import type {
  ExchangesAnswer,
  ResultAnswer,
  SubmitTurn,
  TurnAnswer,
  TurnListAnswer,
  TurnListQuery,
} from '../api/turn.ts';
import type { CreditAnswer, ExplanationAnswer } from '../api/explanation.ts';
import type {
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
} from '../api/evaluation.ts';
import type { ComparisonAnswer, FailuresAnswer } from '../api/comparison.ts';
import type { EpisodeFilter } from '../api/filter.ts';
import type { StatsAnswer, StatsQuery } from '../api/stats.ts';
import type { HealthAnswer } from '../api/health.ts';
import type { KeyAnswer } from '../api/key.ts';
import { readAnswer, refusalOf } from './read-answer.ts';
import { readEvents } from './read-events.ts';

export interface ClientOptions {
  /** The address of the server, such as `http://127.0.0.1:8080`; empty on a page that the server itself sent. */
  readonly url?: string;
  readonly key?: string;
  readonly fetch?: Fetch;
}

/** What may be said of a single request. */
export interface RequestOptions {
  readonly signal?: AbortSignal;
  /** A repeat with the same key is answered with what the first got, and runs nothing again. */
  readonly idempotencyKey?: string;
}

export interface Client {
  health(options?: RequestOptions): Promise<HealthAnswer>;
  key(options?: RequestOptions): Promise<KeyAnswer>;
  catalog(options?: RequestOptions): Promise<CatalogAnswer>;
  scenario(collection: string, scenario: string, options?: RequestOptions): Promise<ScenarioAnswer>;
  /** What each provider is sent of its tools, and what it does not learn. */
  scenarioTools(collection: string, scenario: string, options?: RequestOptions): Promise<ScenarioToolsAnswer>;
  createEpisode(body: CreateEpisode, options?: RequestOptions): Promise<EpisodeAnswer>;
  forkEpisode(episode: string, body: ForkEpisode, options?: RequestOptions): Promise<ForkAnswer>;
  submitTurn(episode: string, body: SubmitTurn, options?: RequestOptions): Promise<TurnAnswer>;
  episode(episode: string, options?: RequestOptions & EpisodeQuery): Promise<EpisodeDetailAnswer>;
  /** What explains an episode, however long it is. */
  explanation(episode: string, options?: RequestOptions): Promise<ExplanationAnswer>;
  /** What each call and the words of each turn were worth. */
  credit(episode: string, options?: RequestOptions): Promise<CreditAnswer>;
  episodes(query?: EpisodeListQuery, options?: RequestOptions): Promise<EpisodeListAnswer>;
  /** How episodes did, in groups. */
  stats(query?: StatsQuery, options?: RequestOptions): Promise<StatsAnswer>;
  /** Compares runs, each `STUDY/PLAYER`, with the first as the baseline. */
  compareRuns(runs: readonly string[], options?: RequestOptions): Promise<ComparisonAnswer>;
  /** What was missed, the costliest first. */
  failures(query?: EpisodeFilter, options?: RequestOptions): Promise<FailuresAnswer>;
  turns(episode: string, query?: TurnListQuery, options?: RequestOptions): Promise<TurnListAnswer>;
  /** What a turn exchanged with its provider, where its player kept it. */
  exchanges(episode: string, turn: number, options?: RequestOptions): Promise<ExchangesAnswer>;
  /** The whole of a result that a list of turns only begins: where its `full.href` says. */
  result(href: string, options?: RequestOptions): Promise<ResultAnswer>;
  endEpisode(episode: string, options?: RequestOptions): Promise<EndEpisodeAnswer>;
  /** Follows an episode to its end. `after` leaves out the turns up to that number. */
  events(
    episode: string,
    options?: RequestOptions & { readonly after?: number },
  ): AsyncIterable<EpisodeEvent>;
  /** Follows all episodes of the key. `after` is the time, in milliseconds, from which on; now when left out. */
  allEvents(options?: RequestOptions & { readonly after?: number }): AsyncIterable<ServerWideEvent>;
  evaluate(body: Evaluate, options?: RequestOptions): Promise<EvaluateAnswer>;
  compare(body: Compare, options?: RequestOptions): Promise<CompareAnswer>;
  batchEpisodes(body: BatchEpisodes, options?: RequestOptions): Promise<BatchEpisodesAnswer>;
  batchTurns(body: BatchTurns, options?: RequestOptions): Promise<BatchTurnsAnswer>;
  batchEvaluate(body: BatchEvaluate, options?: RequestOptions): Promise<BatchEvaluateAnswer>;
}

/**
 * A client of a Whetstone server, for Node and for pages.
 * @example
 * const client = connect({ url: 'http://127.0.0.1:8080' });
 * const { episode_id } = await client.createEpisode({ collection_slug: 'case-management', scenario_slug: 'lumbar-strain' });
 */
export function connect(options: ClientOptions = {}): Client {
  const base = baseOf(options.url ?? '');
  if (base === '' && options.fetch === undefined && !('location' in globalThis))
    throw new WhetstoneError(
      'server_unreachable',
      'No address of a server was given: outside a page, connect({ url }) needs one.',
    );
  const fetch = options.fetch ?? platformFetch;

  async function send(
    method: string,
    path: string,
    body: unknown,
    request: RequestOptions,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    if (options.key !== undefined) headers['authorization'] = `Bearer ${options.key}`;
    if (body !== undefined) headers['content-type'] = 'application/json';
    if (request.idempotencyKey !== undefined) headers['idempotency-key'] = request.idempotencyKey;
    checkHeaders(headers, 'Look at the key and the idempotency key.');
    const init: RequestInit = { method, headers };
    if (body !== undefined) init.body = JSON.stringify(body);
    if (request.signal) init.signal = request.signal;
    let response: Response;
    try {
      response = await fetch(`${base}${path}`, init);
    } catch (cause) {
      if (request.signal?.aborted) throw cause;
      throw new WhetstoneError(
        'server_unreachable',
        `No answer from ${base}${path}: is the server running?`,
        {
          details: { method, path },
          cause,
        },
      );
    }
    if (!response.ok) throw await refusalOf({ method, path, place: `${base}${path}` }, response, request);
    return response;
  }

  async function ask<Answer>(
    method: string,
    path: string,
    body: unknown,
    request: RequestOptions = {},
  ): Promise<Answer> {
    const response = await send(method, path, body, request);
    return readAnswer<Answer>({ method, path, place: `${base}${path}` }, response, request);
  }

  async function* follow<Event extends EpisodeEvent | ServerWideEvent>(
    path: string,
    names: readonly Event['event'][],
    request: RequestOptions & { readonly after?: number } = {},
  ): AsyncGenerator<Event> {
    const headers: Record<string, string> = { accept: 'text/event-stream' };
    if (request.after !== undefined) headers['last-event-id'] = String(request.after);
    const response = await send('GET', path, undefined, request, headers);
    const asked = { method: 'GET', path, place: `${base}${path}` };
    for await (const { event, data } of readEvents(asked, response, request)) {
      const name = names.find((known) => known === event);
      // What our server sends under a name has that name's shape.
      if (name !== undefined) yield { event: name, data } as unknown as Event;
    }
  }

  const at = (episode: string, rest = ''): string => `/api/v1/episodes/${encodeURIComponent(episode)}${rest}`;

  const told = (collection: string, scenario: string): string =>
    `/api/v1/catalog/${encodeURIComponent(collection)}/${encodeURIComponent(scenario)}`;

  return {
    health: (request) => ask('GET', '/health', undefined, request),
    key: (request) => ask('GET', '/api/v1/key', undefined, request),
    catalog: (request) => ask('GET', '/api/v1/catalog', undefined, request),
    scenario: (collection, scenario, request) => ask('GET', told(collection, scenario), undefined, request),
    scenarioTools: (collection, scenario, request) =>
      ask('GET', `${told(collection, scenario)}/tools`, undefined, request),
    createEpisode: (body, request) => ask('POST', '/api/v1/episodes', body, request),
    forkEpisode: (episode, body, request) => ask('POST', at(episode, '/fork'), body, request),
    submitTurn: (episode, body, request) => ask('POST', at(episode, '/turns'), body, request),
    episode: (episode, { turns, ...request } = {}) =>
      ask('GET', at(episode, queryText({ turns })), undefined, request),
    explanation: (episode, request) => ask('GET', at(episode, '/explanation'), undefined, request),
    episodes: (query = {}, request) => ask('GET', `/api/v1/episodes${queryText(query)}`, undefined, request),
    stats: (query = {}, request) => ask('GET', `/api/v1/stats${queryText(query)}`, undefined, request),
    compareRuns: (runs, request) =>
      ask(
        'GET',
        `/api/v1/comparison?${new URLSearchParams(runs.map((run) => ['run', run]))}`,
        undefined,
        request,
      ),
    failures: (query = {}, request) => ask('GET', `/api/v1/failures${queryText(query)}`, undefined, request),
    turns: (episode, query = {}, request) =>
      ask('GET', at(episode, `/turns${queryText(query)}`), undefined, request),
    credit: (episode, request) => ask('GET', at(episode, '/credit'), undefined, request),
    exchanges: (episode, turn, request) =>
      ask('GET', at(episode, `/turns/${turn}/exchanges`), undefined, request),
    result: (href, request) => ask('GET', href, undefined, request),
    endEpisode: (episode, request) => ask('DELETE', at(episode), undefined, request),
    events: (episode, request) => follow<EpisodeEvent>(at(episode, '/events'), ['turn', 'complete'], request),
    allEvents: (request) => follow<ServerWideEvent>('/api/v1/events', ['begin', 'turn', 'complete'], request),
    evaluate: (body, request) => ask('POST', '/api/v1/evaluate', body, request),
    compare: (body, request) => ask('POST', '/api/v1/compare', body, request),
    batchEpisodes: (body, request) => ask('POST', '/api/v1/batch/episodes', body, request),
    batchTurns: (body, request) => ask('POST', '/api/v1/batch/turns', body, request),
    batchEvaluate: (body, request) => ask('POST', '/api/v1/batch/evaluate', body, request),
  };
}

/** The address of the server, also where somebody wrote that of its API. */
function baseOf(url: string): string {
  if (url !== '' && !/^https?:\/\/[^/]/.test(url))
    throw new WhetstoneError(
      'server_unreachable',
      `"${url}" is not the address of a server. Write it in full, as in http://127.0.0.1:8080.`,
      { details: { url } },
    );
  return url.replace(/\/+$/, '').replace(/\/api\/v1$/, '');
}

function queryText(query: object): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, String(value));
  }
  return search.size === 0 ? '' : `?${search}`;
}
