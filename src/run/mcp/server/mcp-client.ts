import { WhetstoneError } from '../../../base/host/errors.ts';
import { isJsonObject } from '../../../base/json/value.ts';
import type { JsonObject } from '../../../base/json/value.ts';
import { holds, loadChecker } from '../../../base/schema/check/check.ts';
import type { Context } from '../../tool/contract.ts';
import type { McpAnswer } from '../client/elicit.ts';
import { asksByForm } from './ask-by-form.ts';

/** What a client can be asked, as the protocol calls it. */
export type McpAsked = 'elicitation/create' | 'sampling/createMessage' | 'roots/list';

/**
 * The client that sent a call, or asked for a prompt, and may be asked something in turn. Each question has a key of
 * its own: without sessions the answer comes with the call sent again, and the tool runs again from its beginning.
 */
export interface McpClient {
  /** What it says that it can be asked. */
  readonly capabilities: JsonObject;
  /** Puts a form to the person at the client; `schema` is a flat object of strings, numbers, booleans and choices. */
  elicit(key: string, form: { readonly message: string; readonly schema: JsonObject }): Promise<McpAnswer>;
  /** Asks anything that the protocol knows, in its own words. Rejects where the client cannot be asked that. */
  ask(key: string, method: McpAsked, params?: JsonObject): Promise<JsonObject>;
}

/** Where tools find it; no string, so that no argument can be filled with it. */
const place = Symbol('the MCP client');

/**
 * The client of MCP that sent the call; undefined where the tool runs for anybody else.
 * @example const { action, content } = await mcpClient(context)!.elicit('size', { message: 'Which size?', schema })
 */
export function mcpClient({ injected }: Pick<Context, 'injected'>): McpClient | undefined {
  return (injected as { readonly [place]?: McpClient })[place];
}

/** What tools are given, with the client. */
export function withClient(
  injected: Readonly<Record<string, unknown>>,
  client: McpClient,
): Readonly<Record<string, unknown>> {
  return { ...injected, [place]: client };
}

/** A client, by the way in which it is asked. */
export function clientOf(capabilities: JsonObject, ask: McpClient['ask']): McpClient {
  const asked: McpClient['ask'] = async (key, method, params = {}) => {
    const lacking = lackingFor(method, capabilities);
    if (lacking !== undefined)
      throw new WhetstoneError(
        'mcp_cannot_ask',
        `The client cannot be asked "${method}": it did not declare the capability "${lacking}".`,
        { details: { capability: lacking } },
      );
    await loadChecker();
    const answer = await ask(key, method, params);
    if (answersTo(method, params, answer)) return answer;
    throw new WhetstoneError('mcp_cannot_ask', `The client's answer to "${key}" does not fit the question.`);
  };
  return {
    capabilities,
    ask: asked,
    elicit: async (key, { message, schema }) =>
      (await asked(key, 'elicitation/create', {
        mode: 'form',
        message,
        requestedSchema: schema,
      })) as McpAnswer,
  };
}

/** The capability that an error is about, where a client was asked what it had not declared. */
export function capabilityOf(error: unknown): string | undefined {
  const { capability } = error instanceof WhetstoneError ? error.details : {};
  return typeof capability === 'string' ? capability : undefined;
}

/** Whether an answer is one to the question: what fills in a form fits it. The checker must have been loaded. */
export function answersTo(method: McpAsked, params: JsonObject, answer: unknown): answer is JsonObject {
  if (!isJsonObject(answer)) return false;
  const { action, content, roots } = answer;
  switch (method) {
    case 'roots/list':
      return Array.isArray(roots);
    case 'sampling/createMessage':
      return typeof content === 'object' && content !== null;
    case 'elicitation/create':
      if (action === 'decline' || action === 'cancel') return true;
      return action === 'accept' && holds(params['requestedSchema'] as JsonObject, content ?? {});
  }
}

function lackingFor(method: McpAsked, { elicitation, sampling, roots }: JsonObject): string | undefined {
  switch (method) {
    case 'elicitation/create':
      return asksByForm(elicitation) ? undefined : 'elicitation';
    case 'sampling/createMessage':
      return isJsonObject(sampling) ? undefined : 'sampling';
    case 'roots/list':
      return isJsonObject(roots) ? undefined : 'roots';
  }
}
