import { systemClock } from '../../../base/host/clock.ts';
import { version } from '../../../base/host/version.ts';
import type { Approver } from '../../tool/call/ask-approval.ts';
import { ToolUse } from '../../tool/lifecycle.ts';
import { toolbox } from '../../tool/toolbox.ts';
import type { Toolbox, ToolSource } from '../../tool/toolbox.ts';
import { openHttpDoor } from './http-door.ts';
import type { ServedPrompt } from '../offer/prompt.ts';
import type { ServedResource } from '../offer/resource.ts';
import { takeStdout } from './own-stdout.ts';
import type { OwnStdout } from './own-stdout.ts';
import { loadServerSdk } from '../sdk.ts';
import type { ServerSdk, Transport } from '../sdk.ts';
import { McpService } from './service.ts';
import { mcpSession } from './session.ts';
import { StatelessServer } from '../stateless/answer.ts';
import { bothEras } from '../stateless/both-eras.ts';

export interface ServeMcpOptions {
  /** Standard input and output (the default), streamable HTTP on this machine, or a transport of the SDK. */
  readonly transport?: 'stdio' | 'http' | Transport;
  /** For `http`. 0, the default, takes a free one. */
  readonly port?: number;
  /** What clients are told of this server. */
  readonly name?: string;
  readonly version?: string;
  readonly instructions?: string;
  /**
   * Decides on calls that need a person. Where it answers nothing, or is not given, the person at the client is asked,
   * if the client can ask (elicitation); otherwise the answer is no.
   */
  readonly approve?: Approver;
  /** What tools get as `context.injected`. */
  readonly injected?: Readonly<Record<string, unknown>>;
  /** Milliseconds for tools that set no time of their own; `false` for none. Ten minutes by default. */
  readonly toolTimeout?: number | false;
  /** What clients may read, in addition to calling tools. */
  readonly resources?: readonly ServedResource[];
  /** Words that a person at the client can choose. */
  readonly prompts?: readonly ServedPrompt[];
  /** Tools on one page of the list. 100 by default. */
  readonly pageSize?: number;
}

/** A toolbox that is being served. */
export interface McpServing extends AsyncDisposable {
  /** Where it is reached, with `http`. */
  readonly url?: string;
  /** The tools that are served: those that run here. */
  readonly tools: Toolbox;
  /** Resolves when the client of `stdio` has gone, or after `close`. */
  readonly done: Promise<void>;
  close(): Promise<void>;
}

/**
 * Serves tools to MCP clients. Calls are checked, kept to their deadlines and reported as in a run. Over stdio,
 * whatever else the process prints goes to standard error; tools given as a function are loaded after that.
 * @example await using serving = await serveMcp(toolbox(weather), { transport: 'http', port: 3000 });
 */
export async function serveMcp(
  tools: ToolSource | (() => Promise<ToolSource>),
  options: ServeMcpOptions = {},
): Promise<McpServing> {
  const sdk = await loadServerSdk();
  const { transport = 'stdio' } = options;
  const stdout = transport === 'stdio' ? takeStdout() : undefined;
  try {
    const box = toolbox(typeof tools === 'function' ? await tools() : tools);
    const here = [...box].filter(({ runs }) => runs === 'here').map(({ name }) => name);
    return await serve(box.only(...here), sdk, options, stdout);
  } catch (error) {
    stdout?.release();
    throw error;
  }
}

async function serve(
  tools: Toolbox,
  sdk: ServerSdk,
  options: ServeMcpOptions,
  stdout: OwnStdout | undefined,
): Promise<McpServing> {
  const use = new ToolUse();
  const service = new McpService({
    tools,
    use,
    name: options.name ?? 'whetstone',
    version: options.version ?? version,
    instructions: options.instructions,
    pageSize: options.pageSize ?? 100,
    approve: options.approve,
    resources: options.resources ?? [],
    prompts: options.prompts ?? [],
    injected: options.injected ?? {},
    toolTimeout: options.toolTimeout,
  });
  const { promise: done, resolve: finish } = Promise.withResolvers<void>();
  const onEnd = (soon: boolean): void => void (soon ? finishThen(service, close) : close());
  const door = await openDoor(sdk, service, options, stdout, onEnd);
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= (async () => {
      await door.close();
      stdout?.release();
      await use.release();
    })().finally(finish);
    return closing;
  };
  return {
    ...(door.url !== undefined && { url: door.url }),
    tools,
    done,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Who sends a few requests and closes the pipe still wants their answers; who has gone away is not waited for long. */
async function finishThen({ requests }: McpService, close: () => Promise<void>): Promise<void> {
  await new Promise(setImmediate);
  const answered = Promise.allSettled(requests);
  await Promise.race([
    answered,
    new Promise<void>((resolve) => void systemClock.after(longestGoodbye, resolve)),
  ]);
  await new Promise(setImmediate);
  await close();
}

const longestGoodbye = 5000;

async function openDoor(
  sdk: ServerSdk,
  service: McpService,
  { transport, port = 0 }: ServeMcpOptions,
  stdout: OwnStdout | undefined,
  onEnd: (soon: boolean) => void,
): Promise<{ readonly url?: string; close(): Promise<void> }> {
  const stateless = new StatelessServer(service);
  if (transport === 'http') return openHttpDoor(port, sdk, stateless);
  const server = mcpSession(sdk, service, () => onEnd(false));
  if (typeof transport === 'object') await server.connect(bothEras(transport, stateless));
  else {
    // The SDK does not notice the end of its input: a client that goes away would leave this process behind.
    process.stdin.once('end', () => onEnd(true)).once('close', () => onEnd(true));
    const stdio = new sdk.StdioServerTransport(process.stdin, stdout?.stream);
    await server.connect(bothEras(stdio as Transport, stateless));
  }
  return { close: () => server.close() };
}
