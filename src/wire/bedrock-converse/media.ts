import type { DocumentPart, ImagePart } from '../../base/message/part.ts';
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
  if (source.kind === 'text') return { document: { format: 'txt', name, source: { text: source.text } } };
  return { document: { format: formatOf(source.mediaType, 'txt'), name, source: { bytes: source.data } } };
}

function formatOf(mediaType: string, fallback: Format): string {
  const found = Object.entries(mediaTypes).find(([, type]) => type === mediaType);
  return found?.[0] ?? fallback;
}

/** The service takes letters, digits, single spaces, hyphens and brackets in a document's name. */
function safeName(title: string): string {
  const name = title
    .replace(/[^A-Za-z0-9 ()[\]-]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return name === '' ? 'document' : name;
}
