import { isJsonObject } from '../../../base/json/value.ts';
import type { JsonObject, JsonValue } from '../../../base/json/value.ts';
import { asksByForm, approvalForm } from '../server/ask-by-form.ts';
import { internalError, invalidParams, methodNotFound, RpcError } from '../rpc-error.ts';
import type { McpService } from '../server/service.ts';
import { writeMcpResult } from '../server/write-result.ts';
import { metaKey, readEnvelope, spokenVersions } from './envelope.ts';
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
    switch (message['method']) {
      case 'server/discover':
        return this.#discover();
      case 'tools/list':
        return { ...(await this.service.list(params['cursor'])), ttlMs: keepList, cacheScope: 'private' };
      case 'tools/call':
        return this.#call(message['id'] as string | number, params, envelope, answering);
      default: {
        const offered = await this.service.offer(message['method'], params);
        // A prompt is made anew for each request: nobody may keep it.
        if (offered !== undefined)
          return message['method'] === 'prompts/get'
            ? offered
            : {
                ...offered,
                ttlMs: message['method'] === 'resources/read' ? 0 : keepList,
                cacheScope: 'private',
              };
        throw new RpcError(methodNotFound, `There is no method ${JSON.stringify(message['method'])}.`, {
          status: 404,
        });
      }
    }
  }

  #discover(): JsonObject {
    const { instructions } = this.service.options;
    return {
      supportedVersions: spokenVersions,
      capabilities: this.service.capabilities as JsonObject,
      ...(instructions !== undefined && { instructions }),
      ttlMs: keepList,
      cacheScope: 'private',
    };
  }

  async #call(
    id: string | number,
    params: JsonObject,
    { capabilities, progressToken }: Envelope,
    { signal, notify }: Answering,
  ): Promise<JsonObject> {
    const { name, arguments: given = {} } = params;
    if (typeof name !== 'string')
      throw new RpcError(invalidParams, 'params.name must be the name of a tool.');
    if (!isJsonObject(given)) throw new RpcError(invalidParams, 'params.arguments must be an object.');
    const answered = await this.#questions.open(params['requestState'], params['inputResponses']);
    const record = await this.service.call({
      id,
      name,
      arguments: given,
      signal,
      // No decision: the call waits, and its question goes to the client.
      ...(asksByForm(capabilities['elicitation']) && { person: (request) => answered?.decide(request) }),
      ...(progressToken !== undefined && {
        onProgress: (progress) =>
          notify({
            jsonrpc: '2.0',
            method: 'notifications/progress',
            params: { progressToken, ...progress } as JsonObject,
          }),
      }),
    });
    if (answered?.refused !== undefined) throw answered.refused;
    if (record.waitsFor !== 'approval' || record.request === undefined) return writeMcpResult(record.result);
    return {
      resultType: 'input_required',
      inputRequests: { approval: { method: 'elicitation/create', params: approvalForm(record.request) } },
      requestState: await this.#questions.seal(record.request),
    };
  }
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
