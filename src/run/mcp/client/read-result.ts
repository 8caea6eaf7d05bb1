import { jsonEqual } from '../../../base/json/equal.ts';
import { isJsonObject } from '../../../base/json/value.ts';
import type { JsonObject, JsonValue } from '../../../base/json/value.ts';
import type { ResultPart } from '../../../base/message/part.ts';
import { Failure } from '../../tool/failure.ts';
import { toolOutput } from '../../tool/output.ts';
import type { ToolOutput } from '../../tool/output.ts';

/**
 * What a server answered to a call: its blocks as parts, in order; `structuredContent` as the artifact, and as text too
 * unless the text says the same already, so that it is neither lost on a model nor told twice.
 */
export function readMcpResult(name: string, answer: JsonObject): ToolOutput | Failure | undefined {
  const structured = answer['structuredContent'] ?? answer['toolResult'];
  const parts = listOf(answer['content']).flatMap(readMcpBlock);
  if (structured !== undefined && !parts.some((part) => says(part, structured)))
    parts.push({ type: 'text', text: JSON.stringify(structured) });
  if (answer['isError'] === true) {
    const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
    return new Failure(text === '' ? `${name} failed and did not say why.` : text);
  }
  if (parts.length === 0) return undefined;
  return toolOutput(parts, structured === undefined ? {} : { artifact: structured });
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function says(part: ResultPart, value: JsonValue): boolean {
  if (part.type !== 'text') return false;
  try {
    return jsonEqual(JSON.parse(part.text) as JsonValue, value);
  } catch {
    return false;
  }
}

/** One block of a server as parts of a message. */
export function readMcpBlock(block: JsonValue): ResultPart[] {
  if (!isJsonObject(block)) return [];
  const { type, text, data, mimeType, resource } = block;
  if (type === 'text' && typeof text === 'string') return text === '' ? [] : [{ type: 'text', text }];
  if (type === 'image' && typeof data === 'string') return [media(data, typeText(mimeType, 'image/png'))];
  if (type === 'resource' && isJsonObject(resource)) return [resourcePart(resource, block)].flat();
  if (type === 'resource_link') return [{ type: 'text', text: linkText(block) }];
  return unseen(block, `${String(type)}${typeof mimeType === 'string' ? ` of type ${mimeType}` : ''}`);
}

function resourcePart(resource: JsonObject, block: JsonObject): ResultPart | ResultPart[] {
  const { uri, text, blob } = resource;
  const mimeType = typeText(resource['mimeType'], '');
  const title = String(uri);
  if (typeof text === 'string') return resourceText(title, mimeType, text);
  if (typeof blob === 'string' && (mimeType.startsWith('image/') || mimeType === 'application/pdf'))
    return media(blob, mimeType, title);
  const decoded = typeof blob === 'string' && isTextual(mimeType) ? decode(blob) : undefined;
  if (decoded !== undefined) return resourceText(title, mimeType, decoded);
  return unseen(block, `resource ${title}${mimeType === '' ? '' : ` of type ${mimeType}`}`);
}

function resourceText(title: string, mimeType: string, text: string): ResultPart {
  return { type: 'text', text: `Resource ${title}${mimeType === '' ? '' : ` (${mimeType})`}:\n${text}` };
}

function isTextual(mimeType: string): boolean {
  return /^text\/|^application\/(.*\+)?(json|xml|yaml)\b/.test(mimeType);
}

/** Base64 as text; undefined where it is not UTF-8 after all. */
function decode(blob: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(blob), (character) => character.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function media(data: string, mediaType: string, title?: string): ResultPart {
  const source = { kind: 'base64', data, mediaType } as const;
  if (mediaType.startsWith('image/')) return { type: 'image', source };
  return { type: 'document', source, ...(title !== undefined && { title }) };
}

function typeText(value: JsonValue | undefined, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}

/** A link is told, not followed: whether it may be read is for another call. */
function linkText(block: JsonObject): string {
  const { name, title, uri, mimeType, description } = block;
  const about = [uri, mimeType].filter((value) => typeof value === 'string').join(', ');
  const what = typeof description === 'string' && description !== '' ? `: ${description}` : '';
  return `Resource link ${String(title ?? name ?? '')} (${about})${what}`;
}

/** What no part can say stays in the history as it came, and the model is told that it is there. */
function unseen(block: JsonObject, what: string): ResultPart[] {
  return [
    { type: 'text', text: `[The tool also gave: ${what}. It cannot be shown here.]` },
    { type: 'other', api: 'mcp', raw: block },
  ];
}
