import type { Clock } from '../../../base/host/clock.ts';
import { WhetstoneError } from '../../../base/host/errors.ts';
import { platformFetch } from '../../../base/host/fetch.ts';
import type { Fetch } from '../../../base/host/fetch.ts';
import { version } from '../../../base/host/version.ts';
import type { JsonObject } from '../../../base/json/value.ts';
import { Failure } from '../../tool/failure.ts';
import { failureOf, isLost, neverArrived } from './call-error.ts';
import { readMcpResult } from './read-result.ts';
import type { Client, ClientSdk } from './sdk.ts';
import type { McpServerSetting } from './server-setting.ts';
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
 * One server, started or reached when it is needed. When it dies, the next call or the next step starts it anew and
 * reads its list again.
 */
export class Connection {
  readonly name: string;
  readonly setting: McpServerSetting;
  readonly #options: ConnectionOptions;
  #client: Client | undefined;
  #opening: Promise<Client> | undefined;
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
    return this.#client?.getInstructions();
  }

  /** Whether a tool is there now. A server that has died is given the chance to come back first. */
  async offers(tool: string): Promise<boolean> {
    if (this.#client === undefined) {
      const rested = this.#options.clock.monotonic() - this.#failedAt >= restAfterFailure;
      if (this.#closed || (this.#opening === undefined && !rested)) return false;
      await this.open().catch(() => undefined);
    }
    return this.#client !== undefined && this.#byName.has(tool);
  }

  /** The client, connected and with its list read. */
  open(): Promise<Client> {
    if (this.#client !== undefined) return Promise.resolve(this.#client);
    this.#opening ??= this.#connect().finally(() => (this.#opening = undefined));
    return this.#opening;
  }

  /** Never rejects: what went wrong is a failure that the model reads. */
  async call(tool: ListedTool, input: JsonObject, options: CallOptions): Promise<unknown> {
    const { sdk, timeout } = this.#options;
    for (let attempt = 1; ; attempt++) {
      let client: Client | undefined;
      try {
        client = await this.open();
        const request = { method: 'tools/call', params: { name: tool.name, arguments: input } } as const;
        const answer = await client.request(request, sdk.ResultSchema, {
          signal: options.signal,
          timeout,
          resetTimeoutOnProgress: true,
          onprogress: options.onProgress,
        });
        return readMcpResult(tool.name, answer as JsonObject);
      } catch (error) {
        if (options.signal.aborted) return new Failure('The call was cancelled.');
        const unsent = client !== undefined && neverArrived(error);
        const lost = unsent || isLost(error);
        if (client !== undefined && lost) await this.#drop(client);
        const tooLarge = lost && this.#tooLarge ? this.#options.maxMessageBytes : undefined;
        const again = unsent || (lost && tool.idempotent && tooLarge === undefined);
        if (attempt === 1 && !this.#closed && again) continue;
        return failureOf(error, { server: this.name, tool: tool.name, timeout, lost, tooLarge });
      }
    }
  }

  /** Reads the list anew; what is asked for meanwhile is answered by one more reading. */
  refresh(): Promise<void> {
    this.#listAgain = true;
    this.#listing ??= this.#readLists().finally(() => (this.#listing = undefined));
    return this.#listing;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#opening?.catch(() => undefined);
    const client = this.#client;
    if (client === undefined) return;
    this.#client = undefined;
    const { transport } = client;
    // A server that keeps sessions forgets ours at once. One that does not answer any more is left.
    if (transport !== undefined && 'terminateSession' in transport)
      await this.#briefly(
        (transport as { terminateSession(): Promise<void> }).terminateSession().catch(() => undefined),
      );
    // The SDK kills a process that does not end, and does not wait for its death.
    const gone = new Promise<void>((resolve) => {
      // oxlint-disable-next-line unicorn/prefer-add-event-listener -- The SDK's client is no EventTarget.
      client.onclose = resolve;
    });
    await client.close();
    await this.#briefly(gone);
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
      const client = await this.open();
      await this.#readList(client);
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

  async #readList(client: Client): Promise<void> {
    const { sdk, connectTimeout } = this.#options;
    if (client.getServerCapabilities()?.tools === undefined) return;
    const list = await listTools(this.name, async (cursor) => {
      const params = cursor === undefined ? {} : { params: { cursor } };
      const page = await client.request({ method: 'tools/list', ...params }, sdk.ResultSchema, {
        timeout: connectTimeout,
      });
      return page as JsonObject;
    });
    const only = this.setting.only;
    const tools = only === undefined ? list.tools : list.tools.filter(({ name }) => only.includes(name));
    this.#list = { tools, problems: list.problems };
    this.#byName = new Map(tools.map((tool) => [tool.name, tool]));
  }

  async #connect(): Promise<Client> {
    const { sdk, connectTimeout, clock } = this.#options;
    const client = new sdk.Client({ name: 'whetstone', version }, { capabilities: {} });
    this.#stderr = '';
    this.#tooLarge = false;
    let broke: Error | undefined;
    // oxlint-disable unicorn/prefer-add-event-listener -- The SDK's client is no EventTarget.
    client.onerror = (error) => {
      broke = error;
      if (error.message.includes('exceeded maximum size')) this.#tooLarge = true;
      if (this.setting.url !== undefined) void this.#lookAfter(client);
    };
    client.onclose = () => {
      if (this.#client === client) this.#client = undefined;
    };
    // oxlint-enable unicorn/prefer-add-event-listener
    client.setNotificationHandler(sdk.ToolListChangedNotificationSchema, () =>
      this.refresh().catch((error: unknown) => this.#keepList(error)),
    );
    try {
      if (this.#closed) throw new Error('its connection was closed');
      // The SDK's interfaces differ in optional members under exact types; they are its own classes.
      await client.connect(this.#transport() as never, { timeout: connectTimeout });
      await this.#readList(client);
      if (client.transport === undefined) throw broke ?? new Error('it ended at once');
    } catch (cause) {
      await client.close().catch(() => undefined);
      this.#failedAt = clock.monotonic();
      this.#failure = this.#unreachable(cause);
      throw this.#failure;
    }
    this.#client = client;
    this.#failure = undefined;
    this.#options.onList(this);
    return client;
  }

  #transport(): object {
    const { sdk, maxMessageBytes, fetch } = this.#options;
    const { setting } = this;
    if (setting.url !== undefined) {
      return new sdk.StreamableHTTPClientTransport(new URL(setting.url), {
        requestInit: { headers: { ...setting.headers } },
        fetch: fetch ?? platformFetch,
      });
    }
    const transport = new sdk.StdioClientTransport({
      command: setting.command,
      args: [...(setting.args ?? [])],
      env: { ...setting.env },
      stderr: 'pipe',
      maxBufferSize: maxMessageBytes,
      ...(setting.cwd !== undefined && { cwd: setting.cwd }),
    });
    transport.stderr?.on('data', (chunk: unknown) => {
      this.#stderr = (this.#stderr + String(chunk)).slice(-lastWords);
    });
    return transport;
  }

  /** A stream that breaks off may leave a call without an answer for ever; a server that is gone ends them all. */
  async #lookAfter(client: Client): Promise<void> {
    if (this.#looking || this.#client !== client) return;
    this.#looking = true;
    try {
      await client.ping({ timeout: this.#options.connectTimeout });
    } catch {
      await this.#drop(client);
    } finally {
      this.#looking = false;
    }
  }

  async #drop(client: Client): Promise<void> {
    if (this.#client === client) this.#client = undefined;
    await client.close().catch(() => undefined);
  }

  #unreachable(cause: unknown): WhetstoneError {
    const { setting } = this;
    const place = setting.url ?? [setting.command, ...(setting.args ?? [])].join(' ');
    const verb = setting.url === undefined ? 'could not be started with' : 'could not be reached at';
    const said = this.#stderr.trim() === '' ? '' : ` It wrote: ${this.#stderr.trim()}`;
    const why = cause instanceof Error ? cause.message : String(cause);
    const deeper = cause instanceof Error && cause.cause instanceof Error ? ` (${cause.cause.message})` : '';
    return new WhetstoneError(
      'mcp_unreachable',
      `The MCP server "${this.name}" ${verb} ${place}: ${why}${deeper}.${said}`,
      { details: { server: this.name }, cause },
    );
  }
}
