import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** One file of the page, in the encodings that were asked for so far. */
export class PageFile {
  readonly #encoded = new Map<Encoding, Uint8Array<ArrayBuffer>>();
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly type: string;
  /** Its name changes with its content. */
  readonly lasting: boolean;

  constructor(bytes: Uint8Array<ArrayBuffer>, type: string, lasting: boolean) {
    this.bytes = bytes;
    this.type = type;
    this.lasting = lasting;
  }

  get isCompressed(): boolean {
    return /^image\/(?!svg)|^font\//.test(this.type);
  }

  /** Made once, by the first who asks. */
  as(encoding: Encoding): Uint8Array<ArrayBuffer> {
    const made = this.#encoded.get(encoding) ?? encode[encoding](this.bytes);
    this.#encoded.set(encoding, made);
    return made;
  }
}

const encode = {
  br: (bytes: Uint8Array) =>
    new Uint8Array(
      brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
    ),
  gzip: (bytes: Uint8Array) => new Uint8Array(gzipSync(bytes, { level: 9 })),
};
type Encoding = keyof typeof encode;

/** Nearly as small as the best, in a tenth of its time. */
const brotliQuality = 9;

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.map': 'application/json',
};

const policy =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'";

/** The files of the built page, read once: a path that is not one of them can reach nothing. */
export function readPageFiles(folder: string): ReadonlyMap<string, PageFile> {
  const files = new Map<string, PageFile>();
  const names = statSync(folder, { throwIfNoEntry: false })?.isDirectory()
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
    : [];
  for (const entry of names) {
    const type = types[extname(entry.name)];
    if (!entry.isFile() || type === undefined || entry.name.startsWith('.')) continue;
    const file = join(entry.parentPath, entry.name);
    const path = `/${relative(folder, file).split(sep).join('/')}`;
    const bytes = new Uint8Array(readFileSync(file));
    // Vite names what is in assets/ by its content.
    files.set(path, new PageFile(bytes, type, path.startsWith('/assets/')));
  }
  const index = files.get('/index.html');
  if (index !== undefined) files.set('/', index);
  return files;
}

/** A file as a client takes it: smaller where it can read that. */
export function answerFile(file: PageFile, accepted: string | undefined): Response {
  const encoding = file.isCompressed ? undefined : encodingOf(accepted ?? '');
  return new Response(encoding === undefined ? file.bytes : file.as(encoding), {
    headers: {
      'content-type': file.type,
      'cache-control': file.lasting ? 'public, max-age=31536000, immutable' : 'no-cache',
      ...(encoding !== undefined && { 'content-encoding': encoding }),
      ...(!file.isCompressed && { vary: 'Accept-Encoding' }),
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
    },
  });
}

/** The first of ours that a client names and does not refuse (`gzip;q=0`). */
function encodingOf(accepted: string): Encoding | undefined {
  const named = accepted
    .toLowerCase()
    .split(',')
    .map((part) => part.split(';'));
  const taken = named
    .filter(([, quality = '']) => !/^\s*q=0(?:\.0*)?\s*$/.test(quality))
    .map(([name = '']) => name.trim());
  return (['br', 'gzip'] as const).find((encoding) => taken.includes(encoding));
}
