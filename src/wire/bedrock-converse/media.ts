import type { DocumentPart, ImagePart } from '../../base/message/part.ts';
import { isJsonObject } from '../../base/json/value.ts';
import type { JsonObject } from '../../base/json/value.ts';
import { objectsOf } from '../json-fields.ts';
import type { Block } from './types.ts';

const imageTypes = { png: 'image/png', jpeg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp' };

const documentTypes = {
  pdf: 'application/pdf',
  csv: 'text/csv',
  html: 'text/html',
  txt: 'text/plain',
  md: 'text/markdown',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

type Format = keyof typeof imageTypes | keyof typeof documentTypes;

const mediaTypes: Readonly<Record<Format, string>> = { ...imageTypes, ...documentTypes };

/** The media type of a format as Converse names it. */
export function mediaTypeOf(format: string): string {
  return mediaTypes[format as Format] ?? 'application/octet-stream';
}

/** An image as a block. Converse takes bytes only: an address is told in words. */
export function writeImage(part: ImagePart): Block {
  const { source } = part;
  if (source.kind === 'url') return { text: `[image: ${source.url}]` };
  return { image: { format: formatOf(source.mediaType, 'png'), source: { bytes: source.data } } };
}

export function writeDocument(part: DocumentPart): Block {
  const { source } = part;
  if (source.kind === 'url') return { text: `[document: ${source.url}]` };
  const name = safeName(part.title ?? 'document');
  // Converse takes a text as such only where citations are asked for.
  const [format, bytes] =
    source.kind === 'text' ? ['txt', base64(source.text)] : [formatOf(source.mediaType, 'txt'), source.data];
  return { document: { format, name, source: { bytes } } };
}

function base64(text: string): string {
  return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''));
}

function formatOf(mediaType: string, fallback: Format): string {
  const found = Object.entries(mediaTypes).find(([, type]) => type === mediaType);
  return found?.[0] ?? fallback;
}

const longestName = 200;

/** The service takes letters, digits, single spaces, hyphens and brackets in a document's name, not too many. */
function safeName(title: string): string {
  const name = title
    .replace(/[^A-Za-z0-9 ()[\]-]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, longestName)
    .trimEnd();
  return name === '' ? 'document' : name;
}

/** Blocks in which each document has a name of its own, as the service wants it for the whole request. */
export function nameApart(blocks: readonly Block[], taken: Set<string>): readonly Block[] {
  return blocks.map((block: JsonObject) => {
    const { document, toolResult } = block;
    if (isJsonObject(toolResult)) {
      const content = nameApart(objectsOf(toolResult['content']), taken);
      return toolResult['content'] === undefined
        ? block
        : { ...block, toolResult: { ...toolResult, content } };
    }
    if (!isJsonObject(document) || typeof document['name'] !== 'string') return block;
    const name = freeName(document['name'], taken);
    taken.add(name.toLowerCase());
    return name === document['name'] ? block : { ...block, document: { ...document, name } };
  });
}

function freeName(wanted: string, taken: ReadonlySet<string>): string {
  let name = wanted;
  for (let count = 2; taken.has(name.toLowerCase()); count++)
    name = `${wanted.slice(0, longestName - `-${count}`.length)}-${count}`;
  return name;
}

export const documentFollows: { readonly text: string } = { text: '[a document follows]' };

/** What a user says with documents in it must hold words: where there are none, they tell of the documents. */
export function tellOfDocuments(blocks: readonly Block[]): readonly Block[] {
  const said = blocks.filter((block) => block !== documentFollows);
  const first = said.findIndex((block) => 'document' in block);
  if (first < 0 || said.some((block) => 'text' in block)) return said;
  return [...said.slice(0, first), documentFollows, ...said.slice(first)];
}
