import { isWhetstoneError, WhetstoneError } from '../../../base/host/errors.ts';
import type { McpServerSetting } from './server-setting.ts';

/** Why a server could not be reached, in words that name its place, and its own last ones. */
export function unreachable(
  cause: unknown,
  {
    server,
    setting,
    stderr,
  }: { readonly server: string; readonly setting: McpServerSetting; readonly stderr: string },
): WhetstoneError {
  if (isWhetstoneError(cause)) return cause;
  if (setting.url !== undefined && cause instanceof Error && 'code' in cause && cause.code === 401)
    return new WhetstoneError(
      'mcp_unauthorized',
      `The MCP server "${server}" at ${setting.url} wants an authorization. Give it \`auth\`, or the header \`authorization\`.`,
      { details: { server }, cause },
    );
  const place = setting.url ?? [setting.command, ...(setting.args ?? [])].join(' ');
  const verb = setting.url === undefined ? 'could not be started with' : 'could not be reached at';
  const said = stderr.trim() === '' ? '' : ` It wrote: ${stderr.trim()}`;
  const why = cause instanceof Error ? cause.message : String(cause);
  const deeper = cause instanceof Error && cause.cause instanceof Error ? ` (${cause.cause.message})` : '';
  return new WhetstoneError(
    'mcp_unreachable',
    `The MCP server "${server}" ${verb} ${place}: ${why}${deeper}.${said}`,
    { details: { server }, cause },
  );
}

/** Why a server did not give what it was asked for. */
export function refusedAsk(
  cause: unknown,
  { server, method }: { readonly server: string; readonly method: string },
): WhetstoneError {
  if (isWhetstoneError(cause)) return cause;
  const why = cause instanceof Error ? cause.message : String(cause);
  return new WhetstoneError('mcp_refused', `The MCP server "${server}" did not answer ${method}: ${why}`, {
    details: { server, method },
    cause,
  });
}
