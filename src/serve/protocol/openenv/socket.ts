import { isWhetstoneError } from '../../../base/host/errors.ts';
import { isJsonObject, type JsonObject } from '../../../base/json/value.ts';
import { nameAt, objectAt } from '../../http/fields.ts';
import { ordinaryBody, readJsonText } from '../../http/middleware/json-body.ts';
import { refusalOf } from '../../http/refusal.ts';
import { answerRpc, rpcError } from './mcp.ts';
import type { OpenEnvSession } from './session.ts';

/** Reads a message as JSON; undefined when it is none, or more than a body may be. */
function readJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: readJsonText(text, ordinaryBody) };
  } catch {
    return undefined;
  }
}

interface Listeners {
  /** Lets a message in, or throws why not. */
  readonly admit: () => void;
  /** Hears what broke in the server: its client is told no more than that. */
  readonly onBroken: (error: unknown) => void;
}

/** Answers one message of `/ws`. */
export async function answerMessage(
  text: string,
  session: OpenEnvSession,
  { admit, onBroken }: Listeners,
): Promise<JsonObject | 'close'> {
  try {
    // What is not understood costs as much as everything else.
    admit();
    const read = readJson(text);
    if (read === undefined) return failure('INVALID_JSON', 'The message is not JSON.');
    const message = read.value;
    if (!isJsonObject(message)) return failure('VALIDATION_ERROR', 'The message must be an object.');
    const { type, data = {} } = message;
    switch (type) {
      case 'reset':
        return { type: 'observation', data: { ...(await session.reset(objectAt(data ?? {}, 'data'))) } };
      case 'step': {
        const { request_id: request } = message;
        const requestId =
          typeof request === 'string' && request !== '' ? nameAt(request, 'request_id') : undefined;
        return { type: 'observation', data: { ...(await session.step(data, requestId)) } };
      }
      case 'state':
        return { type: 'state', data: await session.state() };
      case 'mcp': {
        const answer = await answerRpc(data, () => session, { onBroken });
        return { type: 'mcp', data: answer ?? {} };
      }
      case 'close':
        await session.close();
        return 'close';
      default:
        return failure(
          'UNKNOWN_TYPE',
          `There is no message of the type ${JSON.stringify(type ?? null).slice(0, 100)}.`,
        );
    }
  } catch (error) {
    if (refusalOf(error).status >= 500) onBroken(error);
    return refused(error);
  }
}

/** Answers one message of the `/mcp` socket. */
export async function answerRpcText(
  text: string,
  session: OpenEnvSession,
  listeners: Listeners,
): Promise<JsonObject | undefined> {
  const read = readJson(text);
  if (read === undefined) return rpcError(null, -32700, 'The message is not JSON.');
  return answerRpc(read.value, () => session, listeners);
}

export function failure(code: string, message: string, more: JsonObject = {}): JsonObject {
  return { type: 'error', data: { message, code, ...more } };
}

function refused(error: unknown): JsonObject {
  const { status, message, retryAfter } = refusalOf(error);
  const path = isWhetstoneError(error) ? error.details['path'] : undefined;
  if (status === 400 || status === 404)
    return failure('VALIDATION_ERROR', message, {
      errors: [{ loc: [typeof path === 'string' ? path : 'data'], msg: message }],
    });
  return failure('EXECUTION_ERROR', message, retryAfter === undefined ? {} : { retry_after: retryAfter });
}
