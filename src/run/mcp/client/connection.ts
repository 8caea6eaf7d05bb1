import type { Clock } from '../../../base/host/clock.ts';
import type { WhetstoneError } from '../../../base/host/errors.ts';
import { platformFetch } from '../../../base/host/fetch.ts';
import type { Fetch } from '../../../base/host/fetch.ts';
import { isJsonObject } from '../../../base/json/value.ts';
import type { JsonObject } from '../../../base/json/value.ts';
import { Failure } from '../../tool/failure.ts';
import { failureOf, isLost, neverArrived } from './call-error.ts';
import { askPerson } from './elicit.ts';
import type { McpElicit } from './elicit.ts';
import { authorizedFetch } from '../oauth/authorizer.ts';
import { openPeer } from './open-peer.ts';
import type { Peer, PeerOptions } from './peer.ts';
import { Quiet } from './quiet.ts';
import { readMcpResult } from './read-result.ts';
import type { ClientSdk } from '../sdk.ts';
import type { HttpServer, McpServerSetting } from './server-setting.ts';
import { refusedAsk, unreachable } from './unreachable.ts';
import { TooLarge } from '../stateless/exchange.ts';
import { encodeHeader, parameterText } from '../stateless/headers.ts';
import { listTools } from './tool-list.ts';
import type { ListedTool, ToolList } from './tool-list.ts';

export interface ConnectionOptions {
  readonly sdk: ClientSdk;
  readonly clock: Clock;
  readonly fetch: Fetch | undefined;
  /** For starting or reaching a server, and for each page of its list. */
  readonly connectTimeout: number;
  /** Without a sign of life from a call. */
  readonly timeout: number;
  readonly maxMessageBytes: number;
  /** Puts a server's question to a person. */
  readonly elicit: McpElicit | undefined;
  /** A new list has come. */
  readonly onList: (connection: Connection) => void;
}

export interface CallOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: unknown) => void;
}

/** How long a server that could not be reached is left alone before `isAvailable` tries it again. */
const restAfterFailure = 5000;
const lastWords = 2000;

/**
 * One server, started or reached when it is needed. When it dies, the next call or the next step starts it again and
 * reads its list again.
 */
export class Connection {
  readonly name: string;
  readonly setting: McpServerSetting;
  readonly #options: ConnectionOptions;
  readonly #fetch: Fetch;
  #peer: Peer | undefined;
  #opening: Promise<Peer> | undefined;
  /** Calls that are under way: while a person is asked, their silence means nothing. */
  readonly #waiting = new Set<Quiet>();
  #listing: Promise<void> | undefined;
  #listAgain = false;
  #list: ToolList = { tools: [], problems: [] };
  #byName: ReadonlyMap<string, ListedTool> = new Map();
  #failedAt = -Infinity;
  #failure: WhetstoneError | undefined;
  #closed = false;
  /** It is being asked whether it is still there. */
  #looking = false;
  /** The end of what a started server wrote to stderr: where it says why it could not start. */
  #stderr = '';
  /** It was cut off because it sent more at once than it may. */
  #tooLarge = false;

  constructor(name: string, setting: McpServerSetting, options: ConnectionOptions) {
    this.name = name;
    this.setting = setting;
    this.#options = options;
    const { sdk, fetch = platformFetch } = options;
    const { url, auth } = setting as HttpServer;
    const whileAsking = <Value>(work: () => Promise<Value>): Promise<Value> => this.#whileAsking(work);
    this.#fetch =
      auth === undefined
        ? fetch
        : authorizedFetch({ sdk, server: name, url, fetch, setting: auth, whileAsking });
  }

  get list(): ToolList {
    return this.#list;
  }

  /** Why it is not there, where it is not. */
  get failure(): WhetstoneError | undefined {
    return this.#failure;
  }

  /** What the server says of itself, for a system prompt. */
  get instructions(): string | undefined {
    return this.#peer?.instructions;
  }

  /** Whether a tool is there now. A server that has died is given the chance to come back first. */
  async offers(tool: string): Promise<boolean> {
    if (this.#peer === undefined) {
      const rested = this.#options.clock.monotonic() - this.#failedAt >= restAfterFailure;
      if (this.#closed || (this.#opening === undefined && !rested)) return false;
      await this.open().catch(() => undefined);
    }
    return this.#peer !== undefined && this.#byName.has(tool);
  }

  /** The server, reached and with its list read. */
  open(): Promise<Peer> {
    if (this.#peer !== undefined) return Promise.resolve(this.#peer);
    this.#opening ??= this.#connect().finally(() => (this.#opening = undefined));
    return this.#opening;
  }

  /** Never rejects: what went wrong is a failure that the model reads. */
  async call(tool: ListedTool, input: JsonObject, options: CallOptions): Promise<unknown> {
    const { timeout, maxMessageBytes } = this.#options;
    for (let attempt = 1; ; attempt++) {
      let peer: Peer | undefined;
      try {
        peer = await this.open();
        return readMcpResult(tool.name, await this.#send(peer, tool, input, options));
      } catch (error) {
        if (options.signal.aborted) return new Failure('The call was cancelled.');
        const unsent = peer !== undefined && neverArrived(error);
        const lost = unsent || isLost(error);
        if (peer !== undefined && lost) await this.#drop(peer);
        const cut = error instanceof TooLarge || (lost && this.#tooLarge);
        const tooLarge = cut ? maxMessageBytes : undefined;
        const again = unsent || (lost && tool.idempotent && !cut);
        if (attempt === 1 && !this.#closed && again) continue;
        return failureOf(error, { server: this.name, tool: tool.name, timeout, lost, tooLarge });
      }
    }
  }

  async #send(peer: Peer, tool: ListedTool, input: JsonObject, options: CallOptions): Promise<JsonObject> {
    const quiet = this.#wait(this.#options.timeout, options.signal);
    const headers = tool.headers.flatMap((parameter) => {
      const text = parameterText(input, parameter);
      return text === undefined ? [] : [[parameter.header, encodeHeader(text)] as const];
    });
    try {
      return await peer.request(
        'tools/call',
        { name: tool.name, arguments: input },
        {
          signal: quiet.signal,
          headers: Object.fromEntries(headers),
          onProgress: (progress) => {
            quiet.heard();
            options.onProgress(progress);
          },
        },
      );
    } finally {
      quiet.end();
    }
  }

  #wait(ms: number, signal?: AbortSignal): Quiet {
    const among = this.#waiting;
    return new Quiet(this.#options.clock, ms, { among, ...(signal !== undefined && { signal }) });
  }

  /** A person may take long: what waits for the server meanwhile is not too late. */
  async #whileAsking<Value>(work: () => Promise<Value>): Promise<Value> {
    const waiting = [...this.#waiting];
    for (const each of waiting) each.pause();
    try {
      return await work();
    } finally {
      for (const each of waiting) each.resume();
    }
  }

  /** Asks the server for something other than its tools; throws what went wrong. */
  async ask(method: string, params: JsonObject): Promise<JsonObject> {
    const peer = await this.open();
    const quiet = this.#wait(this.#options.timeout);
    try {
      return await peer.request(method, params, { signal: quiet.signal });
    } catch (error) {
      if (isLost(error)) await this.#drop(peer);
      throw refusedAsk(error, { server: this.name, method });
    } finally {
      quiet.end();
    }
  }

  /** Whether the server says that it has something of a kind. */
  async has(kind: 'resources' | 'prompts'): Promise<boolean> {
    return isJsonObject((await this.open()).capabilities[kind]);
  }

  /** Reads the list again; requests that come meanwhile are answered by one more reading. */
  refresh(): Promise<void> {
    this.#listAgain = true;
    this.#listing ??= this.#readLists().finally(() => (this.#listing = undefined));
    return this.#listing;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#opening?.catch(() => undefined);
    const peer = this.#peer;
    this.#peer = undefined;
    await peer?.close();
  }

  /** For a second at most; a timer that is left would hold up the end of the process. */
  async #briefly(work: Promise<unknown>): Promise<void> {
    const { promise: enough, resolve } = Promise.withResolvers<void>();
    const cancel = this.#options.clock.after(1000, resolve, { keepAlive: true });
    await Promise.race([work, enough]);
    cancel();
  }

  async #readLists(): Promise<void> {
    while (this.#listAgain) {
      this.#listAgain = false;
      await this.#readList(await this.open());
      this.#options.onList(this);
    }
  }

  /** A changed list that cannot be read leaves the one before, and is told. */
  #keepList(error: unknown): void {
    const why = error instanceof Error ? error.message : String(error);
    const message = `The MCP server "${this.name}" changed its list of tools, and the new one could not be read: ${why}`;
    const problems = [...this.#list.problems, { server: this.name, code: 'list_unread', message }];
    this.#list = { ...this.#list, problems };
    this.#options.onList(this);
  }

  async #readList(peer: Peer): Promise<void> {
    if (!isJsonObject(peer.capabilities['tools'])) return;
    const ask = async (cursor: string | undefined): Promise<JsonObject> => {
      const quiet = this.#wait(this.#options.connectTimeout);
      try {
        const params = cursor === undefined ? {} : { cursor };
        return await peer.request('tools/list', params, { signal: quiet.signal });
      } finally {
        quiet.end();
      }
    };
    const list = await listTools(this.name, ask, { stateless: peer.stateless });
    const only = this.setting.only;
    const tools = only === undefined ? list.tools : list.tools.filter(({ name }) => only.includes(name));
    this.#list = { tools, problems: list.problems };
    this.#byName = new Map(tools.map((tool) => [tool.name, tool]));
  }

  async #connect(): Promise<Peer> {
    const { connectTimeout, clock } = this.#options;
    this.#stderr = '';
    this.#tooLarge = false;
    let peer: Peer | undefined;
    let broke: Error | undefined;
    try {
      if (this.#closed) throw new Error('its connection was closed');
      const options = this.#peerOptions({
        onError: (error) => {
          broke = error;
          if (error.message.includes('exceeded maximum size')) this.#tooLarge = true;
          if (this.setting.url !== undefined && peer !== undefined) void this.#lookAfter(peer);
        },
        onClose: () => {
          if (this.#peer === peer) this.#peer = undefined;
        },
      });
      peer = await openPeer(options, (ms) => this.#wait(ms), connectTimeout);
      await this.#readList(peer);
      if (peer.isGone()) throw broke ?? new Error('it ended at once');
    } catch (cause) {
      await peer?.close().catch(() => undefined);
      this.#failedAt = clock.monotonic();
      this.#failure = unreachable(cause, { server: this.name, setting: this.setting, stderr: this.#stderr });
      throw this.#failure;
    }
    this.#peer = peer;
    this.#failure = undefined;
    this.#options.onList(this);
    return peer;
  }

  #peerOptions(hear: Pick<PeerOptions, 'onError' | 'onClose'>): PeerOptions {
    const { sdk, maxMessageBytes, elicit } = this.#options;
    return {
      ...hear,
      sdk,
      setting: this.setting,
      fetch: this.#fetch,
      maxMessageBytes,
      ask:
        elicit === undefined
          ? undefined
          : (question) => this.#whileAsking(() => askPerson(elicit, this.name, question)),
      briefly: (work) => this.#briefly(work),
      onListChanged: () => void this.refresh().catch((error: unknown) => this.#keepList(error)),
      onStderr: (text) => (this.#stderr = (this.#stderr + text).slice(-lastWords)),
    };
  }

  /** A stream that breaks off may leave a call without an answer for ever; a server that is gone ends them all. */
  async #lookAfter(peer: Peer): Promise<void> {
    if (this.#looking || this.#peer !== peer) return;
    this.#looking = true;
    const quiet = this.#wait(this.#options.connectTimeout);
    try {
      await peer.ping(quiet.signal);
    } catch {
      await this.#drop(peer);
    } finally {
      quiet.end();
      this.#looking = false;
    }
  }

  async #drop(peer: Peer): Promise<void> {
    if (this.#peer === peer) this.#peer = undefined;
    await peer.close().catch(() => undefined);
  }
}
