import type { Source } from '../base/message/part.ts';

/** The bytes that a `data:` URL holds; undefined for any other address. */
export function dataUrlSource(url: string): Extract<Source, { kind: 'base64' }> | undefined {
  const found = /^data:([^;,]+);base64,(.*)$/s.exec(url);
  return found ? { kind: 'base64', mediaType: found[1]!, data: found[2]! } : undefined;
}

/** The address of a file: its own, or one that holds its bytes. */
export function urlOf(source: Source): string {
  return source.kind === 'url' ? source.url : `data:${source.mediaType};base64,${source.data}`;
}
