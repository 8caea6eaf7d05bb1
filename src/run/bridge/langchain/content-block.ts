import type { JsonObject, JsonValue } from '../../../base/json/value.ts';
import type { AssistantPart, OtherPart, Source, UserPart } from '../../../base/message/part.ts';
import { filledText, objectOf, objectsOf, omitUndefined, textOf } from '../../../wire/json-fields.ts';
import { api } from './message-fields.ts';

/** The blocks of a content; a text is one block. */
export function blocksOf(content: JsonValue | undefined): readonly JsonObject[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  if (!Array.isArray(content)) return [];
  return content.flatMap((block) => (typeof block === 'string' ? blocksOf(block) : objectsOf([block])));
}

/** What a person or a tool gives: text, a picture, a file; any other block is kept as it is. */
export function readBlock(block: JsonObject): UserPart {
  switch (block['type']) {
    case 'text':
      return { type: 'text', text: textOf(block['text']) ?? '' };
    case 'text-plain':
      return { type: 'document', source: { kind: 'text', text: textOf(block['text']) ?? '' } };
    case 'image_url':
    case 'image': {
      const source = sourceOf(block, 'image/png');
      return source === undefined ? other(block) : { type: 'image', source };
    }
    case 'file': {
      const source = sourceOf(block, 'application/pdf');
      const { filename, name, title } = { ...block, ...objectOf(block['metadata']) };
      if (source === undefined) return other(block);
      const said = filledText(filename) ?? filledText(title) ?? filledText(name);
      return omitUndefined({ type: 'document' as const, source, title: said });
    }
    default:
      return other(block);
  }
}

/** What a model says. The block itself is kept where it holds more than its words: a signature, annotations. */
export function readSaidBlock(block: JsonObject): AssistantPart {
  const words = textOf(block['reasoning']) ?? textOf(block['thinking']);
  if ((block['type'] === 'reasoning' || block['type'] === 'thinking') && words !== undefined)
    return { type: 'reasoning', text: words, providerData: { [api]: { block } } };
  if (block['type'] === 'text' && Object.keys(block).length > 2)
    return { type: 'text', text: textOf(block['text']) ?? '', providerData: { [api]: { block } } };
  const part = readBlock(block);
  return part.type === 'document' ? other(block) : part;
}

function other(block: JsonObject): OtherPart {
  return { type: 'other', api, raw: block };
}

/** Three generations of blocks hold their bytes in three ways. */
function sourceOf(block: JsonObject, usual: string): Source | undefined {
  const held = block['image_url'];
  const url = textOf(held) ?? textOf(objectOf(held)['url']) ?? textOf(block['url']);
  const mediaType = filledText(block['mimeType']) ?? filledText(block['mime_type']);
  const within = /^data:([^;,]*);base64,(.*)$/s.exec(url ?? '');
  if (within !== null)
    return { kind: 'base64', data: within[2] ?? '', mediaType: within[1] || (mediaType ?? usual) };
  if (url !== undefined) return omitUndefined({ kind: 'url' as const, url, mediaType });
  const data = filledText(block['data']);
  return data === undefined ? undefined : { kind: 'base64', data, mediaType: mediaType ?? usual };
}

/** A part in the words that every integration of LangChain reads. */
export function writeBlock(part: UserPart): readonly JsonObject[] {
  switch (part.type) {
    case 'text':
      return [{ type: 'text', text: part.text }];
    case 'image':
      return [{ type: 'image_url', image_url: { url: addressOf(part.source) } }];
    case 'document':
      return part.source.kind === 'text'
        ? [{ type: 'text', text: part.source.text }]
        : [writeFile(part.source, part.title)];
    case 'other':
      return part.api === api ? [part.raw] : [];
  }
}

function addressOf(source: Source): string {
  return source.kind === 'url' ? source.url : `data:${source.mediaType};base64,${source.data}`;
}

function writeFile(source: Source, title: string | undefined): JsonObject {
  const mime_type = source.mediaType ?? 'application/pdf';
  const held =
    source.kind === 'url'
      ? { source_type: 'url', url: source.url }
      : { source_type: 'base64', data: source.data };
  return { type: 'file', mime_type, ...held, ...(title !== undefined && { metadata: { filename: title } }) };
}

/** One text stays a text: models that take nothing else exist. */
export function writeContent(parts: string | readonly UserPart[]): JsonValue {
  return typeof parts === 'string' ? parts : joined(parts.flatMap(writeBlock));
}

export function joined(blocks: readonly JsonObject[]): JsonValue {
  const [first] = blocks;
  if (first === undefined) return '';
  return blocks.length === 1 && first['type'] === 'text' && Object.keys(first).length === 2
    ? (first['text'] ?? '')
    : blocks;
}
