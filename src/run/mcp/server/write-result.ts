import type { JsonObject, JsonValue } from '../../../base/json/value.ts';
import type { ResultPart } from '../../../base/message/part.ts';
import type { Result } from '../../../base/message/result.ts';

/** A result as MCP says it. The artifact stays here: it is not for models, and what a host does with it is unknown. */
export function writeMcpResult({ content, isError }: Result): JsonObject {
  return { content: content.flatMap(writeBlock), ...(isError === true && { isError: true }) };
}

/** A part as the blocks of MCP; none where MCP has no word for it. */
export function writeBlock(part: ResultPart, index: number): JsonValue[] {
  switch (part.type) {
    case 'text':
      return [{ type: 'text', text: part.text }];
    case 'image': {
      const { source } = part;
      if (source.kind === 'url') return [link(source.url, `image ${index + 1}`, source.mediaType)];
      return [{ type: 'image', data: source.data, mimeType: source.mediaType }];
    }
    case 'document': {
      const { source, title = `document ${index + 1}` } = part;
      if (source.kind === 'url') return [link(source.url, title, source.mediaType)];
      const uri = URL.canParse(title) ? title : `document:${encodeURIComponent(title)}`;
      const body =
        source.kind === 'text'
          ? { text: source.text, mimeType: 'text/plain' }
          : { blob: source.data, mimeType: source.mediaType };
      return [{ type: 'resource', resource: { uri, ...body } }];
    }
    case 'other':
      return part.api === 'mcp' ? [part.raw] : [];
  }
}

function link(uri: string, name: string, mimeType: string | undefined): JsonObject {
  return { type: 'resource_link', uri, name, ...(mimeType !== undefined && { mimeType }) };
}
