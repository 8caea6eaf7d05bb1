import { isJsonObject } from '../../../base/json/value.ts';
import type { JsonObject, JsonValue } from '../../../base/json/value.ts';
import type { ResultPart } from '../../../base/message/part.ts';
import { invalidParams, RpcError } from '../rpc-error.ts';
import type { McpClient } from '../server/mcp-client.ts';
import { writeBlock } from '../server/write-result.ts';
import type { Complete } from './completion.ts';

/** Words that a person at the client can choose, with gaps to fill in. */
export interface ServedPrompt {
  readonly name: string;
  readonly description?: string;
  readonly arguments?: readonly {
    readonly name: string;
    readonly description?: string;
    readonly required?: boolean;
    /** What may come there, from what has been written of it: `(begun) => cities.filter(…)`. */
    readonly complete?: Complete;
  }[];
  /** The words of a user, or a conversation. `client` can be asked for what is missing. */
  get(values: Readonly<Record<string, string>>, client: McpClient): PromptWords | Promise<PromptWords>;
}

export type PromptWords =
  | string
  | readonly { readonly role: 'user' | 'assistant'; readonly content: string | readonly ResultPart[] }[];

export function listPrompts(prompts: readonly ServedPrompt[]): JsonObject {
  return {
    prompts: prompts.map(({ name, description, arguments: gaps }) => ({
      name,
      ...(description !== undefined && { description }),
      ...(gaps !== undefined && { arguments: gaps.map(writeGap) }),
    })),
  };
}

function writeGap({
  name,
  description,
  required,
}: NonNullable<ServedPrompt['arguments']>[number]): JsonObject {
  return {
    name,
    ...(description !== undefined && { description }),
    ...(required !== undefined && { required }),
  };
}

/** One prompt with its gaps filled in. */
export async function getPrompt(
  prompts: readonly ServedPrompt[],
  params: JsonObject,
  client: McpClient,
): Promise<JsonObject> {
  const prompt = prompts.find(({ name }) => name === params['name']);
  if (prompt === undefined)
    throw new RpcError(invalidParams, `There is no prompt ${JSON.stringify(params['name'])}.`);
  const given = isJsonObject(params['arguments']) ? params['arguments'] : {};
  const values: Record<string, string> = {};
  for (const { name, required } of prompt.arguments ?? []) {
    const value = given[name];
    if (typeof value === 'string') values[name] = value;
    else if (required === true || value !== undefined)
      throw new RpcError(invalidParams, `The prompt "${prompt.name}" needs a text for "${name}".`);
  }
  const words = await prompt.get(values, client);
  const said = typeof words === 'string' ? [{ role: 'user', content: words }] : words;
  const messages: JsonValue[] = said.flatMap(({ role, content }) => {
    const parts: readonly ResultPart[] =
      typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    // MCP has one block a message.
    return parts.flatMap((part, index) => writeBlock(part, index).map((block) => ({ role, content: block })));
  });
  const { description } = prompt;
  return { ...(description !== undefined && { description }), messages };
}
