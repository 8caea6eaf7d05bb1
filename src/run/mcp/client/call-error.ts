import { Failure } from '../../tool/failure.ts';
import { requestTimeout } from './quiet.ts';
import { connectionClosed } from '../stateless/exchange.ts';

/**
 * The request did not reach the server, or was refused before anything ran: a session it no longer knows, a connection
 * refused. Such a call may simply be sent again.
 */
export function neverArrived(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.message === 'Not connected') return true;
  if (error.name === 'StreamableHTTPError' || 'code' in error) {
    const { code } = error as { readonly code?: unknown };
    if (code === 404 || code === 400) return true;
  }
  return codeOf(error.cause) === 'ECONNREFUSED';
}

/** The connection broke while the call was under way: whether it ran is not known. */
export function isLost(error: unknown): boolean {
  if (codeOf(error) === connectionClosed) return true;
  // What `fetch` throws for a broken connection, in every runtime.
  return error instanceof TypeError && error.cause !== undefined;
}

export interface FailedCall {
  readonly server: string;
  readonly tool: string;
  readonly timeout: number;
  readonly lost: boolean;
  /** The bytes that an answer may have, where it had more. */
  readonly tooLarge: number | undefined;
}

/** What the model reads of a call that brought no result. */
export function failureOf(error: unknown, call: FailedCall): Failure {
  const { server, tool } = call;
  if (codeOf(error) === requestTimeout)
    return new Failure(
      `"${tool}" of the MCP server "${server}" gave no sign of life for ${call.timeout} ms and was cancelled. What it did until then is not known.`,
      'timeout',
    );
  if (call.tooLarge !== undefined)
    return new Failure(
      `The answer of "${tool}" of the MCP server "${server}" was larger than ${call.tooLarge} bytes and could not be read. Ask it for less.`,
    );
  if (call.lost)
    return new Failure(
      `The MCP server "${server}" went away while "${tool}" ran. What it did until then is not known. The next call starts it again or connects to it again.`,
    );
  return new Failure(error instanceof Error ? error.message : String(error));
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
