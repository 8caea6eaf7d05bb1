import { isJsonObject } from '../../../base/json/value.ts';
import type { JsonObject, JsonValue } from '../../../base/json/value.ts';
import { hashJson } from '../../../base/json/sha256.ts';
import { capabilityOf } from '../server/mcp-client.ts';
import type { McpClient } from '../server/mcp-client.ts';
import { internalError, invalidParams, methodNotFound, RpcError } from '../rpc-error.ts';
import type { McpService } from '../server/service.ts';
import { writeMcpResult } from '../server/write-result.ts';
import { carriedClient } from './carried-client.ts';
import { metaKey, missingCapability, readEnvelope, spokenVersions } from './envelope.ts';
import type { Envelope } from './envelope.ts';
import { SealedQuestions } from './sealed-questions.ts';

/** What a request may do while it is answered. */
export interface Answering {
  readonly signal: AbortSignal;
  readonly notify: (notification: JsonObject) => void;
}

/** Milliseconds that a client may keep a list before it asks again. */
const keepList = 60_000;

/** Answers requests of the protocol without sessions. */
export class StatelessServer {
  readonly service: McpService;
  readonly #questions = new SealedQuestions();

  constructor(service: McpService) {
    this.service = service;
  }

  /** The whole answer, and its status over HTTP. Never rejects. */
  async answer(message: JsonObject, answering: Answering): Promise<{ status: number; body: JsonObject }> {
    const head = { jsonrpc: '2.0', id: message['id'] ?? null };
    try {
      const result = await this.service.track(this.#result(message, answering));
      const { name, version } = this.service.options;
      const meta = { [metaKey.serverInfo]: { name, version } };
      return { status: 200, body: { ...head, result: { resultType: 'complete', ...result, _meta: meta } } };
    } catch (error) {
      return refusal(head.id, error);
    }
  }

  async #result(message: JsonObject, answering: Answering): Promise<JsonObject> {
    const envelope = readEnvelope(message);
    const params = isJsonObject(message['params']) ? message['params'] : {};
    const { method } = message;
    switch (method) {
      case 'server/discover':
        return { ...this.#discover(), ...kept(keepList) };
      case 'tools/list':
        return { ...(await this.service.list(params['cursor'])), ...kept(keepList) };
      case 'tools/call':
        return this.#mayAsk(method, params, envelope, (client, waits) =>
          this.#call(message['id'] as string | number, params, { envelope, answering, client, waits }),
        );
      default:
        return this.#mayAsk(String(method), params, envelope, (client) =>
          this.#offer(method, params, client),
        );
    }
  }

  /** Does what may ask the client something; where that is not answered yet, the question is the result. */
  async #mayAsk(
    method: string,
    params: JsonObject,
    { capabilities }: Envelope,
    work: (client: McpClient, waits: AbortSignal) => Promise<JsonObject>,
  ): Promise<JsonObject> {
    const { requestState, inputResponses, _meta, ...request } = params;
    const about = hashJson([method, request]);
    const answers = this.#questions.open(about, requestState, inputResponses);
    const { client, questions, waits } = carriedClient(capabilities, answers);
    const asked = new Promise<JsonObject>((resolve) => {
      waits.addEventListener('abort', () => {
        const inputRequests = Object.fromEntries(questions);
        const state = this.#questions.seal({ about, answers, keys: [...questions.keys()] });
        resolve({ resultType: 'input_required', inputRequests, requestState: state });
      });
    });
    return Promise.race([asked, work(client, waits)]).catch((error: unknown) => {
      const capability = capabilityOf(error);
      if (capability === undefined) throw error;
      throw new RpcError(missingCapability, (error as Error).message, {
        status: 400,
        data: { requiredCapabilities: { [capability]: {} } },
      });
    });
  }

  async #offer(method: JsonValue | undefined, params: JsonObject, client: McpClient): Promise<JsonObject> {
    const offered = await this.service.offer(method, params, client);
    if (offered === undefined)
      throw new RpcError(methodNotFound, `There is no method ${JSON.stringify(method)}.`, { status: 404 });
    // Nobody may cache what is made again for each request.
    if (method === 'prompts/get' || method === 'completion/complete') return offered;
    return { ...offered, ...kept(method === 'resources/read' ? 0 : keepList) };
  }

  #discover(): JsonObject {
    const { instructions } = this.service.options;
    return {
      supportedVersions: spokenVersions,
      capabilities: this.service.capabilities,
      ...(instructions !== undefined && { instructions }),
    };
  }

  async #call(
    id: string | number,
    params: JsonObject,
    { envelope, answering, client, waits }: Calling,
  ): Promise<JsonObject> {
    const { name, arguments: given = {} } = params;
    if (typeof name !== 'string')
      throw new RpcError(invalidParams, 'params.name must be the name of a tool.');
    if (!isJsonObject(given)) throw new RpcError(invalidParams, 'params.arguments must be an object.');
    const { progressToken, logLevel } = envelope;
    const record = await this.service.call({
      id,
      name,
      arguments: given,
      signal: AbortSignal.any([answering.signal, waits]),
      client,
      listener: {
        progressToken,
        logLevel,
        send: (method, said) => answering.notify({ jsonrpc: '2.0', method, params: said }),
      },
    });
    if (capabilityOf(record.cause) !== undefined) throw record.cause;
    return writeMcpResult(record.result);
  }
}

interface Calling {
  readonly envelope: Envelope;
  readonly answering: Answering;
  readonly client: McpClient;
  readonly waits: AbortSignal;
}

/** How long a client may keep a result, and that nobody else may. */
function kept(ttlMs: number): JsonObject {
  return { ttlMs, cacheScope: 'private' };
}

/** An error as the answer to a request. */
export function refusal(id: JsonValue, error: unknown): { status: number; body: JsonObject } {
  const { code, message, status, data } =
    error instanceof RpcError
      ? error
      : { code: internalError, message: error instanceof Error ? error.message : String(error), status: 500 };
  return {
    status,
    body: { jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } },
  };
}
