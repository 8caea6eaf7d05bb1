import { isJsonObject } from '../../../base/json/value.ts';
import type { JsonObject, JsonValue } from '../../../base/json/value.ts';
import { assistantMessage, userMessage } from '../../../base/message/message.ts';
import type { Message } from '../../../base/message/message.ts';
import type { ResultPart } from '../../../base/message/part.ts';
import { readMcpBlock } from '../client/read-result.ts';

/** What a server offers to be read. */
export interface McpResource {
  readonly server: string;
  readonly uri: string;
  readonly name: string;
  readonly description?: string;
  readonly mimeType?: string;
}

/** Words of a server that a person can choose, with gaps to fill in. */
export interface McpPrompt {
  readonly server: string;
  readonly name: string;
  readonly description?: string;
  readonly arguments: readonly {
    readonly name: string;
    readonly description?: string;
    readonly required: boolean;
  }[];
}

/** Asks one server. */
export type Ask = (method: string, params: JsonObject) => Promise<JsonObject>;

/** More pages than this are a server that has lost count. */
const mostPages = 100;

/** Everything that a server lists of one kind, page by page. */
async function all(ask: Ask, method: string, member: string): Promise<readonly JsonObject[]> {
  const listed: JsonObject[] = [];
  const cursors = new Set<JsonValue>();
  let params: JsonObject = {};
  for (;;) {
    const page = await ask(method, params);
    const entries = page[member];
    if (Array.isArray(entries)) listed.push(...entries.filter(isJsonObject));
    const cursor = page['nextCursor'];
    if (typeof cursor !== 'string' || cursors.has(cursor) || cursors.size === mostPages) return listed;
    cursors.add(cursor);
    params = { cursor };
  }
}

export async function listMcpResources(server: string, ask: Ask): Promise<readonly McpResource[]> {
  return (await all(ask, 'resources/list', 'resources')).flatMap(({ uri, name, description, mimeType }) =>
    typeof uri === 'string'
      ? [{ server, uri, name: textOr(name, uri), ...texts({ description, mimeType }) }]
      : [],
  );
}

/** A resource as parts of a message: text, pictures, documents. */
export async function readMcpResource(ask: Ask, uri: string): Promise<readonly ResultPart[]> {
  const { contents } = await ask('resources/read', { uri });
  const read = Array.isArray(contents) ? contents : [];
  return read.flatMap((resource) => readMcpBlock({ type: 'resource', resource }));
}

export async function listMcpPrompts(server: string, ask: Ask): Promise<readonly McpPrompt[]> {
  return (await all(ask, 'prompts/list', 'prompts')).flatMap(({ name, description, arguments: gaps }) =>
    typeof name === 'string'
      ? [
          {
            server,
            name,
            ...texts({ description }),
            arguments: (Array.isArray(gaps) ? gaps : []).flatMap(readGap),
          },
        ]
      : [],
  );
}

function readGap(gap: JsonValue): McpPrompt['arguments'] {
  if (!isJsonObject(gap) || typeof gap['name'] !== 'string') return [];
  const { name, description, required } = gap;
  return [{ name, ...texts({ description }), required: required === true }];
}

/** A prompt as messages, ready for a run. */
export async function getMcpPrompt(
  ask: Ask,
  name: string,
  values: Readonly<Record<string, string>>,
): Promise<readonly Message[]> {
  const { messages } = await ask('prompts/get', { name, arguments: { ...values } });
  return (Array.isArray(messages) ? messages : []).flatMap((message): Message[] => {
    if (!isJsonObject(message)) return [];
    const parts = readMcpBlock(message['content'] ?? null);
    if (message['role'] !== 'assistant') return [userMessage(parts)];
    // Nothing that a model says holds a document.
    return [assistantMessage(parts.filter((part) => part.type !== 'document'))];
  });
}

function textOr(value: JsonValue | undefined, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}

function texts<Name extends string>(
  values: Readonly<Record<Name, JsonValue | undefined>>,
): Readonly<Partial<Record<Name, string>>> {
  const found = Object.entries(values).filter(([, value]) => typeof value === 'string');
  return Object.fromEntries(found) as Readonly<Partial<Record<Name, string>>>;
}
