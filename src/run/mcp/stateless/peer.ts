import { systemClock } from '../../../base/host/clock.ts';
import { version } from '../../../base/host/version.ts';
import { isJsonObject } from '../../../base/json/value.ts';
import type { JsonObject, JsonValue } from '../../../base/json/value.ts';
import { capabilitiesOf } from '../client/peer.ts';
import type { Peer, PeerOptions, PeerRequest } from '../client/peer.ts';
import { RpcError } from '../rpc-error.ts';
import { stdioTransport } from '../stdio-transport.ts';
import { metaKey, statelessVersion, unsupportedVersion } from './envelope.ts';
import type { Exchange } from './exchange.ts';
import { httpExchange } from './http-exchange.ts';
import { pipeExchange } from './pipe-exchange.ts';
import type { Pipe } from './pipe-exchange.ts';

/** A server that asks more often than this for one request asks for ever. */
const mostRounds = 10;
/** Milliseconds before a stream of changes that broke off is asked for again. */
const rest = 5000;

/** Reaches a server in the protocol of 2026-07-28; rejects where it does not speak it. */
export async function openStateless(options: PeerOptions, signal: AbortSignal): Promise<Peer> {
  const { setting, fetch, maxMessageBytes } = options;
  const exchange =
    setting.url === undefined
      ? await pipeExchange(stdioTransport(options) as unknown as Pipe, options)
      : httpExchange({ url: setting.url, headers: setting.headers ?? {}, fetch, maxMessageBytes });
  const peer = new StatelessPeer(exchange, options);
  try {
    await peer.discover(signal);
    return peer;
  } catch (error) {
    await exchange.close().catch(() => undefined);
    throw error;
  }
}

class StatelessPeer implements Peer {
  readonly stateless = true;
  capabilities: JsonObject = {};
  instructions: string | undefined;
  readonly #exchange: Exchange;
  readonly #options: PeerOptions;
  readonly #closing = new AbortController();
  #lastId = 0;

  constructor(exchange: Exchange, options: PeerOptions) {
    this.#exchange = exchange;
    this.#options = options;
  }

  async discover(signal: AbortSignal): Promise<void> {
    const ask = (): Promise<JsonObject> => this.#send('server/discover', {}, { signal });
    // A server may refuse a version once and name it among those that it speaks all the same.
    const found = await ask().catch((error: unknown) => {
      if (speaksOurs(error)) return ask();
      throw error;
    });
    const { supportedVersions, capabilities, instructions } = found;
    if (!Array.isArray(supportedVersions) || !supportedVersions.includes(statelessVersion))
      throw new RpcError(unsupportedVersion, `The server does not speak MCP ${statelessVersion}.`);
    if (isJsonObject(capabilities)) this.capabilities = capabilities;
    if (typeof instructions === 'string') this.instructions = instructions;
    const { tools } = this.capabilities;
    if (isJsonObject(tools) && tools['listChanged'] === true) void this.#listen();
  }

  async request(method: string, params: JsonObject, options: PeerRequest): Promise<JsonObject> {
    let more: JsonObject = {};
    for (let round = 0; round < mostRounds; round++) {
      const result = await this.#send(method, { ...params, ...more }, options);
      if (result['resultType'] !== 'input_required') return result;
      const { inputRequests, requestState } = result;
      more = {
        inputResponses: await this.#answerAll(isJsonObject(inputRequests) ? inputRequests : {}),
        ...(requestState !== undefined && { requestState }),
      };
    }
    throw new Error(`The server asked more than ${mostRounds} times before it answered.`);
  }

  async ping(signal: AbortSignal): Promise<void> {
    await this.#send('server/discover', {}, { signal });
  }

  isGone(): boolean {
    return this.#exchange.isGone();
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('The connection was closed.'));
    await this.#exchange.close();
  }

  #send(
    method: string,
    params: JsonObject,
    options: PeerRequest,
    hear?: (said: JsonObject) => void,
  ): Promise<JsonObject> {
    const id = (this.#lastId += 1);
    const meta = {
      [metaKey.version]: statelessVersion,
      [metaKey.clientInfo]: { name: 'whetstone', version },
      [metaKey.capabilities]: capabilitiesOf(this.#options),
      ...(options.onProgress !== undefined && { progressToken: id }),
    };
    const onNotification = (notification: JsonObject): void => {
      const said = isJsonObject(notification['params']) ? notification['params'] : {};
      if (notification['method'] === 'notifications/progress' && said['progressToken'] === id)
        options.onProgress?.(said);
      hear?.(notification);
    };
    return this.#exchange.send(
      { jsonrpc: '2.0', id, method, params: { ...params, _meta: meta } },
      { signal: options.signal, headers: options.headers, onNotification },
    );
  }

  async #answerAll(requests: JsonObject): Promise<JsonObject> {
    const { ask } = this.#options;
    const answers: Record<string, JsonValue> = {};
    for (const [key, request] of Object.entries(requests)) {
      const { method, params }: JsonObject = isJsonObject(request) ? request : {};
      if (method !== 'elicitation/create' || ask === undefined)
        throw new Error(`The server asks for ${JSON.stringify(method)}, which this client was not given.`);
      answers[key] = await ask(isJsonObject(params) ? params : {});
    }
    return answers;
  }

  /** Hears of changed lists for as long as the connection is open. */
  async #listen(): Promise<void> {
    const { signal } = this.#closing;
    const wanted = { notifications: { toolsListChanged: true } };
    const hear = ({ method }: JsonObject): void => {
      if (method === 'notifications/tools/list_changed') this.#options.onListChanged();
    };
    await this.#send('subscriptions/listen', wanted, { signal }, hear).catch(() => undefined);
    if (!signal.aborted && !this.isGone()) systemClock.after(rest, () => void this.#listen());
  }
}

function speaksOurs(error: unknown): boolean {
  if (!(error instanceof RpcError) || error.code !== unsupportedVersion) return false;
  const supported = error.data?.['supported'];
  return Array.isArray(supported) && supported.includes(statelessVersion);
}
