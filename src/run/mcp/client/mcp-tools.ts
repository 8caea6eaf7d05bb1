import { systemClock } from '../../../base/host/clock.ts';
import type { Clock } from '../../../base/host/clock.ts';
import { WhetstoneError } from '../../../base/host/errors.ts';
import type { Fetch } from '../../../base/host/fetch.ts';
import { canonicalJson } from '../../../base/json/canonical.ts';
import { loadChecker } from '../../../base/schema/check/check.ts';
import type { Message } from '../../../base/message/message.ts';
import type { ResultPart } from '../../../base/message/part.ts';
import type { AnyTool } from '../../tool/contract.ts';
import { toolbox } from '../../tool/toolbox.ts';
import type { Toolbox } from '../../tool/toolbox.ts';
import { asTool } from './as-tool.ts';
import type { McpToolSettings } from './as-tool.ts';
import { Connection } from './connection.ts';
import type { McpElicit } from './elicit.ts';
import { getMcpPrompt, listMcpPrompts, listMcpResources, readMcpResource } from '../offer/read-offer.ts';
import type { Ask, McpPrompt, McpResource } from '../offer/read-offer.ts';
import { loadClientSdk } from '../sdk.ts';
import { checkServer } from './server-setting.ts';
import type { McpServerSetting } from './server-setting.ts';
import { ToolNames } from './tool-names.ts';
import type { ListedTool, McpProblem } from './tool-list.ts';

export interface McpOptions {
  /** Milliseconds that a call may give no sign of life; progress restarts the count. 60,000 by default. */
  readonly timeout?: number;
  /** Milliseconds for starting or reaching a server, and for each page of its list. 20,000 by default. */
  readonly connectTimeout?: number;
  /** How single tools want to be run, by their names here: `{ files_write_file: { approval: 'always' } }`. */
  readonly settings?: Readonly<Record<string, McpToolSettings>>;
  /** The largest message of a started server, in bytes. 16 MB by default. */
  readonly maxMessageBytes?: number;
  /** Hears what is left out, also later, when a server changes its list. */
  readonly onProblem?: (problem: McpProblem) => void;
  /** Hears that `tools` is another box than before. */
  readonly onChange?: (tools: Toolbox) => void;
  /** Puts a server's question to a person. Without it, servers are told that nobody can be asked. */
  readonly elicit?: McpElicit;
  readonly fetch?: Fetch;
  readonly clock?: Clock;
}

/** Tools of MCP servers, for as long as they are needed. */
export interface McpTools extends AsyncDisposable {
  /** What the servers offer now; another box after they changed it. */
  readonly tools: Toolbox;
  /** What is left out, and why. */
  readonly problems: readonly McpProblem[];
  /** What each server says of how to use it, where it says something. */
  readonly instructions: Readonly<Record<string, string>>;
  /** What the servers offer to be read. */
  resources(): Promise<readonly McpResource[]>;
  /** One of them, as parts of a message. */
  readResource(server: string, uri: string): Promise<readonly ResultPart[]>;
  /** Words of the servers that a person can choose. */
  prompts(): Promise<readonly McpPrompt[]>;
  /** One of them with its gaps filled in, as messages for a run. */
  getPrompt(
    server: string,
    name: string,
    values?: Readonly<Record<string, string>>,
  ): Promise<readonly Message[]>;
  /** Asks every server for its list again. */
  refresh(): Promise<void>;
  /** Ends every server that was started, and every session. */
  close(): Promise<void>;
}

/**
 * Starts or reaches MCP servers and makes their tools ours, called `<server>_<tool>`.
 * @example
 * await using mcp = await mcpTools({ files: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '.'] } });
 * const { text } = await run({ model, tools: mcp.tools, prompt: 'What is in this folder?' });
 */
export async function mcpTools(
  servers: Readonly<Record<string, McpServerSetting>>,
  options: McpOptions = {},
): Promise<McpTools> {
  for (const [name, setting] of Object.entries(servers)) checkServer(name, setting);
  const [sdk] = await Promise.all([loadClientSdk(), loadChecker()]);
  const gathered = new Gathered(options);
  gathered.connections = Object.entries(servers).map(
    ([name, setting]) =>
      new Connection(name, setting, {
        sdk,
        clock: options.clock ?? systemClock,
        fetch: options.fetch,
        elicit: options.elicit,
        connectTimeout: options.connectTimeout ?? 20_000,
        timeout: options.timeout ?? 60_000,
        maxMessageBytes: options.maxMessageBytes ?? 16 * 1024 * 1024,
        onList: () => gathered.gather(),
      }),
  );
  const opened = await Promise.allSettled(gathered.connections.map((connection) => connection.open()));
  const failed = opened.find(
    (outcome, index) =>
      outcome.status === 'rejected' && gathered.connections[index]?.setting.optional !== true,
  );
  if (failed?.status === 'rejected') {
    await gathered.close();
    throw failed.reason;
  }
  gathered.begin();
  return gathered;
}

/** A tool, and what the server said of it when it was made. */
interface Made {
  readonly said: string;
  readonly tool: AnyTool;
}

class Gathered implements McpTools {
  connections: readonly Connection[] = [];
  readonly #options: McpOptions;
  readonly #names = new ToolNames();
  /** A tool that is still the same keeps its object, and with it all that was prepared for it. */
  #made = new Map<string, Made>();
  #box: Toolbox = toolbox();
  #problems: readonly McpProblem[] = [];
  #told = new Set<string>();
  #begun = false;

  constructor(options: McpOptions) {
    this.#options = options;
  }

  get tools(): Toolbox {
    return this.#box;
  }

  get problems(): readonly McpProblem[] {
    return this.#problems;
  }

  get instructions(): Readonly<Record<string, string>> {
    const said = this.connections.map(({ name, instructions }) => [name, instructions] as const);
    return Object.fromEntries(said.filter((entry): entry is [string, string] => entry[1] !== undefined));
  }

  /** All servers have been asked; from now on every change is told. */
  begin(): void {
    this.#begun = true;
    this.gather();
  }

  gather(): void {
    // Until all are there, names would depend on which server is the quickest.
    if (!this.#begun) return;
    const made: Map<string, Made> = new Map();
    const problems: McpProblem[] = [];
    for (const connection of this.connections) {
      const { failure } = connection;
      if (failure !== undefined)
        problems.push({ server: connection.name, code: failure.code, message: failure.message });
      problems.push(...connection.list.problems);
      for (const listed of connection.list.tools) {
        const name = this.#names.nameOf(connection.name, listed.name);
        made.set(name, this.#toolFor(connection, listed, name));
      }
    }
    const before = this.#made;
    this.#made = made;
    this.#problems = problems;
    this.#tell(problems);
    const same = made.size === before.size && [...made].every(([name, each]) => before.get(name) === each);
    if (same) return;
    this.#box = toolbox([...made.values()].map(({ tool }) => tool));
    this.#options.onChange?.(this.#box);
  }

  async refresh(): Promise<void> {
    await Promise.allSettled(this.connections.map((connection) => connection.refresh()));
    this.gather();
  }

  resources(): Promise<readonly McpResource[]> {
    return this.#fromAll('resources', listMcpResources);
  }

  async readResource(server: string, uri: string): Promise<readonly ResultPart[]> {
    return readMcpResource(this.#askOf(server), uri);
  }

  prompts(): Promise<readonly McpPrompt[]> {
    return this.#fromAll('prompts', listMcpPrompts);
  }

  async getPrompt(
    server: string,
    name: string,
    values: Readonly<Record<string, string>> = {},
  ): Promise<readonly Message[]> {
    return getMcpPrompt(this.#askOf(server), name, values);
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.connections.map((connection) => connection.close()));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** A server that is not there offers nothing. */
  async #fromAll<Offer>(
    kind: 'resources' | 'prompts',
    list: (server: string, ask: Ask) => Promise<readonly Offer[]>,
  ): Promise<readonly Offer[]> {
    const offers = this.connections.map(async (connection) => {
      const there = await connection.has(kind).catch(() => false);
      return there ? list(connection.name, this.#askOf(connection.name)) : [];
    });
    return (await Promise.all(offers)).flat();
  }

  #askOf(server: string): Ask {
    const connection = this.connections.find(({ name }) => name === server);
    if (connection !== undefined) return (method, params) => connection.ask(method, params);
    const known = this.connections.map(({ name }) => name).join(', ');
    throw new WhetstoneError('mcp_refused', `There is no MCP server "${server}" here. Known: ${known}.`, {
      details: { server },
    });
  }

  #toolFor(connection: Connection, listed: ListedTool, name: string): Made {
    const said = canonicalJson(listed as never);
    const known = this.#made.get(name);
    if (known?.said === said) return known;
    return { said, tool: asTool(connection, listed, name, this.#options.settings?.[name]) };
  }

  #tell(problems: readonly McpProblem[]): void {
    for (const problem of problems) {
      if (this.#told.has(problem.message)) continue;
      this.#told.add(problem.message);
      this.#options.onProblem?.(problem);
    }
  }
}
