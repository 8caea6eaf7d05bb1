import { isJsonObject } from '../../../base/json/value.ts';
import type { JsonObject, JsonValue } from '../../../base/json/value.ts';

/** An argument that is also sent as a header, `Mcp-Param-<name>`, for those between client and server. */
export interface HeaderParameter {
  readonly path: readonly string[];
  readonly header: string;
}

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** The parameters that a tool's schema wants as headers; throws a sentence where the schema asks in a wrong way. */
export function headerParameters(schema: JsonObject): readonly HeaderParameter[] {
  const found: HeaderParameter[] = [];
  const taken = new Set<string>();
  const visit = (node: JsonValue, path: readonly string[], reachable: boolean): void => {
    if (Array.isArray(node)) for (const each of node) visit(each, path, false);
    if (!isJsonObject(node)) return;
    const name = node['x-mcp-header'];
    if (name !== undefined) {
      const at = path.join('.');
      if (!reachable || path.length === 0)
        throw new TypeError(`x-mcp-header at "${at}" is not on a property that is always there`);
      if (typeof name !== 'string' || !token.test(name))
        throw new TypeError(`x-mcp-header at "${at}" is ${JSON.stringify(name)}, which cannot be a header`);
      if (!['string', 'integer', 'boolean'].includes(String(node['type'])))
        throw new TypeError(`x-mcp-header at "${at}" is not on a string, an integer or a boolean`);
      if (taken.has(name.toLowerCase())) throw new TypeError(`x-mcp-header "${name}" is asked for twice`);
      taken.add(name.toLowerCase());
      found.push({ path, header: `Mcp-Param-${name}` });
    }
    for (const [key, value] of Object.entries(node)) {
      if (key === 'properties' && isJsonObject(value))
        for (const [property, child] of Object.entries(value)) visit(child, [...path, property], reachable);
      // Values, not schemas: what is there means nothing.
      else if (!['const', 'default', 'enum', 'examples', 'x-mcp-header'].includes(key))
        visitOther(value, path, key);
    }
  };
  const visitOther = (value: JsonValue, path: readonly string[], key: string): void => {
    const named = ['$defs', 'definitions', 'patternProperties', 'dependentSchemas'].includes(key);
    for (const child of named && isJsonObject(value) ? Object.values(value) : [value])
      visit(child, path, false);
  };
  visit(schema, [], true);
  return found;
}

/** The value of an argument as text; undefined where it is absent, null, or has no text of its own. */
export function parameterText(given: JsonValue, { path }: HeaderParameter): string | undefined {
  let value: JsonValue | undefined = given;
  for (const key of path) value = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  if (typeof value === 'string' || typeof value === 'boolean') return String(value);
  return Number.isSafeInteger(value) ? String(value) : undefined;
}

const wrapped = /^=\?base64\?(.*)\?=$/s;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Text as a header takes it: as it is where that is plain ASCII without blanks around it, else in base64. */
export function encodeHeader(text: string): string {
  if (/^(?:[!-~](?:[ -~]*[!-~])?)?$/.test(text) && !wrapped.test(text)) return text;
  const bytes = new TextEncoder().encode(text);
  return `=?base64?${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}?=`;
}

/** What a header says; undefined where its base64 is broken. Half a wrapper is text like any other. */
export function decodeHeader(value: string): string | undefined {
  const text = value.replace(/^[ \t]+|[ \t]+$/g, '');
  const inner = wrapped.exec(text)?.[1];
  if (inner === undefined) return text;
  if (!base64.test(inner)) return undefined;
  try {
    const bytes = Uint8Array.from(atob(inner), (character) => character.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The member of `params` that `Mcp-Name` repeats, by method. */
export const namedBy: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};
