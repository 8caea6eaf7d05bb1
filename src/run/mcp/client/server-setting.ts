import { WhetstoneError } from '../../../base/host/errors.ts';
import { checkHeaders } from '../../../base/host/headers.ts';
import type { McpAuthorization } from '../oauth/setting.ts';
import type { AnyTool } from '../../tool/contract.ts';

/** What holds for a server however it is reached. */
interface AnyServer {
  /** Only these of its tools, by the server's names. */
  readonly only?: readonly string[];
  /** For all its tools: whether a person must agree before a call. `settings` can say otherwise for one. */
  readonly approval?: AnyTool['approval'];
  /** Go on without it when it cannot be reached; it is tried again later. Otherwise `mcpTools` throws. */
  readonly optional?: boolean;
  /**
   * The protocol: of 2026-07-28, without sessions, or those up to 2025-11-25. `auto` asks the server; it is the default
   * over HTTP. A server that is started here is spoken to as in 2025, since some never answer what they do not know.
   */
  readonly protocol?: 'auto' | '2026-07-28' | '2025-11-25';
}

/** A server that is started here and speaks over its standard input and output. */
export interface StdioServer extends AnyServer {
  readonly command: string;
  readonly args?: readonly string[];
  /** Added to the few variables that every program needs; nothing else of this process's environment reaches it. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly url?: never;
}

/** A server that is reached by streamable HTTP. */
export interface HttpServer extends AnyServer {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** How this program is authorized, where the server wants it (OAuth). */
  readonly auth?: McpAuthorization;
  readonly command?: never;
}

export type McpServerSetting = StdioServer | HttpServer;

const protocols: ReadonlySet<unknown> = new Set(['auto', '2026-07-28', '2025-11-25']);

/** Refuses a setting that says neither how to start a server nor where it is, or both. */
export function checkServer(name: string, setting: McpServerSetting): void {
  const { command, url, headers, protocol, auth } = setting as {
    readonly protocol?: unknown;
    readonly auth?: McpAuthorization;
    readonly command?: unknown;
    readonly url?: unknown;
    readonly headers?: HttpServer['headers'];
  };
  const wrong = (what: string): never => {
    throw new WhetstoneError('mcp_server_invalid', `The MCP server "${name}" ${what}.`, {
      details: { server: name },
    });
  };
  if (name === '') wrong('has no name: its tools are named after it');
  if ((command === undefined) === (url === undefined))
    wrong(
      'needs either `command` (with `args` and `env`), to be started here, or `url` (with `headers`), to be reached by HTTP',
    );
  if (command !== undefined && (typeof command !== 'string' || command === ''))
    wrong('has a `command` that is not a program');
  if (url !== undefined && !/^https?:$/.test(URL.parse(String(url))?.protocol ?? ''))
    wrong(`has the \`url\` ${JSON.stringify(url)}, which is not an http or https address`);
  if (auth !== undefined && url === undefined) wrong('has `auth`, which is for servers with a `url`');
  if (auth !== undefined && auth.open === undefined && auth.clientSecret === undefined)
    wrong('has an `auth` that needs `open`, to ask a person, or `clientId` and `clientSecret`');
  if (protocol !== undefined && !protocols.has(protocol))
    wrong(`has the \`protocol\` ${JSON.stringify(protocol)}; it may be ${[...protocols].join(', ')}`);
  checkHeaders(headers ?? {}, `Look at the headers of the MCP server "${name}".`);
}
