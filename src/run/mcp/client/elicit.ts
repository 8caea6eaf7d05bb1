import { isJsonObject } from '../../../base/json/value.ts';
import type { JsonObject, JsonValue } from '../../../base/json/value.ts';

/** What a server asks the person at this end (elicitation). */
export type McpQuestion =
  | {
      readonly mode: 'form';
      readonly server: string;
      readonly message: string;
      /** A flat object of strings, numbers, booleans and choices. */
      readonly schema: JsonObject;
    }
  /** To be opened by the person: what is entered there never passes through here. */
  | { readonly mode: 'url'; readonly server: string; readonly message: string; readonly url: string };

/** What the person says. `content` is for forms; what is left out takes the defaults of the schema. */
export type McpAnswer =
  | { readonly action: 'accept'; readonly content?: JsonObject }
  | { readonly action: 'decline' | 'cancel' };

/** Puts a server's question to a person. */
export type McpElicit = (question: McpQuestion) => McpAnswer | Promise<McpAnswer>;

/** Asks, and answers as the protocol wants it. A program that throws has not answered. */
export async function askPerson(elicit: McpElicit, server: string, params: JsonObject): Promise<JsonObject> {
  const { mode, message, url, requestedSchema } = params;
  const said = typeof message === 'string' ? message : '';
  const schema = isJsonObject(requestedSchema) ? requestedSchema : {};
  const answer = await elicit(
    mode === 'url'
      ? { mode, server, message: said, url: String(url) }
      : { mode: 'form', server, message: said, schema },
  );
  if (answer.action !== 'accept' || mode === 'url') return { action: answer.action };
  return { action: 'accept', content: { ...defaultsOf(schema), ...answer.content } };
}

function defaultsOf(schema: JsonObject): JsonObject {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const defaults: Record<string, JsonValue> = {};
  for (const [name, property] of Object.entries(properties)) {
    const value = isJsonObject(property) ? property['default'] : undefined;
    if (value !== undefined) defaults[name] = value;
  }
  return defaults;
}
