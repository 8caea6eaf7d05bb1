import { isWhetstoneError } from '../../../base/host/errors.ts';
import { isJsonObject } from '../../../base/json/value.ts';
import type { JsonObject, JsonValue } from '../../../base/json/value.ts';
import { checkValue } from '../../../base/schema/check/check.ts';
import { readSchema } from '../../../base/schema/read-schema.ts';
import { headerParameters } from '../stateless/headers.ts';
import type { HeaderParameter } from '../stateless/headers.ts';

/** A tool as a server lists it, read leniently: only its name and its schema must be right. */
export interface ListedTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: JsonObject;
  /** The server says that a second call with the same arguments does no more than the first. */
  readonly idempotent: boolean;
  /** Arguments that a server without sessions wants as headers too. */
  readonly headers: readonly HeaderParameter[];
}

/** Why a tool, or a whole server, is not there. */
export interface McpProblem {
  readonly server: string;
  readonly tool?: string;
  readonly code: string;
  readonly message: string;
}

export interface ToolList {
  readonly tools: readonly ListedTool[];
  readonly problems: readonly McpProblem[];
}

/** More pages than this are a server that has lost count. */
const mostPages = 1000;

/**
 * All tools of a server, page by page. Needs the schema checker to be loaded: a schema that cannot be compiled is
 * found here, is reported by name, and costs only its own tool.
 */
export async function listTools(
  server: string,
  ask: (cursor: string | undefined) => Promise<JsonObject>,
  { stateless = false }: { readonly stateless?: boolean } = {},
): Promise<ToolList> {
  const tools = new Map<string, ListedTool>();
  const problems: McpProblem[] = [];
  const cursors = new Set<string>();
  for (let cursor: string | undefined; ;) {
    const page = await ask(cursor);
    const entries = Array.isArray(page['tools']) ? page['tools'] : [];
    for (const entry of entries) {
      const read = readTool(entry, stateless);
      const twice = 'tool' in read && tools.has(read.tool.name);
      if ('tool' in read && !twice) tools.set(read.tool.name, read.tool);
      else if ('tool' in read)
        problems.push(problem(server, read.tool.name, 'tool_duplicate', 'is listed twice'));
      else problems.push(problem(server, read.name, read.code, read.what));
    }
    const next: JsonValue | undefined = page['nextCursor'];
    if (typeof next !== 'string') return { tools: [...tools.values()], problems };
    if (cursors.has(next) || cursors.size === mostPages) {
      const message = `The MCP server "${server}" gave the cursor ${JSON.stringify(next)} for a second time, or more than ${mostPages}; the list ends there.`;
      return {
        tools: [...tools.values()],
        problems: [...problems, { server, code: 'cursor_repeats', message }],
      };
    }
    cursors.add(next);
    cursor = next;
  }
}

type ReadTool =
  | { readonly tool: ListedTool }
  | { readonly name?: string; readonly code: string; readonly what: string };

function readTool(entry: JsonValue, stateless: boolean): ReadTool {
  if (!isJsonObject(entry) || typeof entry['name'] !== 'string' || entry['name'] === '')
    return { code: 'tool_name_invalid', what: 'has no name' };
  const { name, title, description, annotations, execution } = entry;
  if (isJsonObject(execution) && execution['taskSupport'] === 'required')
    return {
      name,
      code: 'tool_needs_tasks',
      what: 'can only be run as a task, which this client does not support',
    };
  const inputSchema = entry['inputSchema'] ?? { type: 'object' };
  try {
    if (!isJsonObject(inputSchema)) throw new TypeError(`its schema is ${JSON.stringify(inputSchema)}`);
    if (entry['inputSchema'] === null) throw new TypeError('its schema is null');
    readSchema(inputSchema);
    checkValue(inputSchema, {});
    const hints = isJsonObject(annotations) ? annotations : {};
    const shownTitle = typeof title === 'string' ? title : hints['title'];
    return {
      tool: {
        name,
        inputSchema,
        ...(typeof shownTitle === 'string' && shownTitle !== '' && { title: shownTitle }),
        ...(typeof description === 'string' && { description }),
        headers: stateless ? headerParameters(inputSchema) : [],
        idempotent: hints['idempotentHint'] === true || hints['readOnlyHint'] === true,
      },
    };
  } catch (error) {
    const code = isWhetstoneError(error) ? error.code : 'schema_invalid';
    return { name, code, what: `is left out: ${error instanceof Error ? error.message : String(error)}` };
  }
}

function problem(server: string, tool: string | undefined, code: string, what: string): McpProblem {
  const named = tool === undefined ? 'A tool' : `The tool "${tool}"`;
  return {
    server,
    ...(tool !== undefined && { tool }),
    code,
    message: `${named} of the MCP server "${server}" ${what}`,
  };
}
