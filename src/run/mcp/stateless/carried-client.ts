import type { JsonObject } from '../../../base/json/value.ts';
import { answersTo, clientOf } from '../server/mcp-client.ts';
import type { McpClient } from '../server/mcp-client.ts';

/** A client that is asked by the answer to its request, and answers by sending the request again. */
export interface CarriedClient {
  readonly client: McpClient;
  /** What it is to be asked, by key. */
  readonly questions: Map<string, JsonObject>;
  /** Aborted once something is to be asked: whatever works on the request is left behind. */
  readonly waits: AbortSignal;
}

/** `answers` is what it has answered until now. A question without an answer there stays without one here. */
export function carriedClient(capabilities: JsonObject, answers: JsonObject): CarriedClient {
  const questions = new Map<string, JsonObject>();
  const stop = new AbortController();
  const client = clientOf(capabilities, (key, method, params = {}) => {
    const answer = Object.hasOwn(answers, key) ? answers[key] : undefined;
    if (answersTo(method, params, answer)) return Promise.resolve(answer);
    questions.set(key, { method, params });
    // What is asked in the same breath is asked at once.
    setImmediate(() => stop.abort(new Error('The question goes to the client.')));
    return new Promise(() => undefined);
  });
  return { client, questions, waits: stop.signal };
}
