import { extname } from 'node:path';

/** A document that is a picture, as an operator is shown it. */
export interface Picture {
  readonly title: string;
  /** Such as `image/png`. */
  readonly media_type: string;
  /** Its bytes as base64. */
  readonly data: string;
}

const mediaTypes: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
  '.gif': 'image/gif',
};

/** The media type of a file that is a picture, by its ending; undefined of any other file. */
export function pictureType(file: string): string | undefined {
  return mediaTypes[extname(file).toLowerCase()];
}
