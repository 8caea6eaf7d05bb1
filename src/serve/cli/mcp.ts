import { Command } from 'commander';

import { WhetstoneError } from '../../base/host/errors.ts';
import { serveMcp } from '../../run/mcp/server/serve-mcp.ts';
import { leaveWhenPrinted } from '../terminal/leave.ts';
import { loadTools } from '../terminal/load-tools.ts';
import { port } from '../terminal/option/option.ts';
import { stopSignal } from '../terminal/stop-signal.ts';

interface McpCommandOptions {
  readonly http?: boolean;
  readonly port?: number;
  readonly name: string;
  readonly yes?: boolean;
}

export function command(): Command {
  return new Command('mcp')
    .summary('serve tools to MCP clients')
    .description(
      'Serves tools to MCP clients: over standard input and output, for a client that starts this command, or with --http over streamable HTTP on this machine.\nWhat tools print goes to standard error. Calls that need approval ask the person at the client if the client can show a form, and are refused otherwise; --yes approves them all.',
    )
    .argument(
      '[place]',
      'a module that exports tools, or a folder with spec.json (default: ./tools.ts, ./tools)',
    )
    .option('--http', 'speak streamable HTTP instead of standard input and output')
    .option('--port <number>', 'with --http: port to listen on; 0 takes a free one (default: 3000)', port)
    .option('--name <name>', 'the name that clients are told', 'whetstone')
    .option('--yes', 'approve every call that needs a person')
    .action(serve);
}

async function serve(place: string | undefined, options: McpCommandOptions): Promise<void> {
  if (options.port !== undefined && options.http !== true)
    throw new WhetstoneError('usage', '--port is for --http: give both.');
  const stopped = stopSignal(); // Heard from now on, so that nothing printed below comes too early.
  await using serving = await serveMcp(() => loadTools(place), {
    transport: options.http === true ? 'http' : 'stdio',
    port: options.port ?? 3000,
    name: options.name,
    ...(options.yes === true && { approve: () => true }),
  });
  const count = `${serving.tools.size} tool${serving.tools.size === 1 ? '' : 's'}`;
  if (serving.url !== undefined) console.error(`whet: ${count} at ${serving.url}`);
  await Promise.race([stopped, serving.done]);
  await serving.close();
  leaveWhenPrinted();
}
