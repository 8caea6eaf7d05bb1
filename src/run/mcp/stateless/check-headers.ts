import type { IncomingHttpHeaders } from 'node:http';

import { isJsonObject } from '../../../base/json/value.ts';
import type { JsonObject, JsonValue } from '../../../base/json/value.ts';
import type { Toolbox } from '../../tool/toolbox.ts';
import { RpcError } from '../rpc-error.ts';
import { writeMcpTool } from '../server/write-tool.ts';
import { headerMismatch, metaKey, metaOf } from './envelope.ts';
import { decodeHeader, headerParameters, namedBy, parameterText } from './headers.ts';

/** Refuses a request whose headers do not say what its body says: what is between may have decided by them. */
export function checkStandardHeaders(message: JsonObject, headers: IncomingHttpHeaders): void {
  const { method, params } = message;
  compare(headers, 'MCP-Protocol-Version', metaOf(message)[metaKey.version]);
  compare(headers, 'Mcp-Method', method);
  const member = namedBy[String(method)];
  if (member !== undefined && isJsonObject(params)) compare(headers, 'Mcp-Name', params[member]);
}

/** The same for the arguments that the called tool's schema wants as headers. */
export function checkParameterHeaders(
  message: JsonObject,
  headers: IncomingHttpHeaders,
  tools: Toolbox,
): void {
  const { method, params } = message;
  if (method !== 'tools/call' || !isJsonObject(params)) return;
  const tool = tools.find(String(params['name']));
  if (tool === undefined) return;
  for (const parameter of parametersOf(writeMcpTool(tool)['inputSchema'])) {
    const text = parameterText(params['arguments'] ?? {}, parameter);
    if (text !== undefined) compare(headers, parameter.header, text);
  }
}

/** A tool of ours that asks for headers in a wrong way asks for none. */
function parametersOf(schema: JsonValue | undefined): ReturnType<typeof headerParameters> {
  try {
    return isJsonObject(schema) ? headerParameters(schema) : [];
  } catch {
    return [];
  }
}

function compare(headers: IncomingHttpHeaders, name: string, body: JsonValue | undefined): void {
  const value = headers[name.toLowerCase()];
  const said = typeof value === 'string' ? decodeHeader(value) : undefined;
  if (typeof body !== 'string' || said === body) return;
  const what =
    value === undefined ? 'is missing' : said === undefined ? 'is malformed' : `is ${JSON.stringify(said)}`;
  throw new RpcError(headerMismatch, `The header ${name} ${what}; the body says ${JSON.stringify(body)}.`, {
    status: 400,
  });
}
