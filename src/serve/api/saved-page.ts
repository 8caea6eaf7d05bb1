import type { EpisodeDetail } from './episode.ts';

/** Episodes that a saved page brings with it: it then asks no server. */
export interface SavedPage {
  readonly title: string;
  readonly episodes: readonly EpisodeDetail[];
}

/** What the page itself is made of. */
export interface PageParts {
  readonly script: string;
  readonly style: string;
}

/** Episodes and the page in one HTML file, which opens without a server. Nothing that somebody said can end the element that it is in. */
export async function writeSavedPage(page: SavedPage, { script, style }: PageParts): Promise<string> {
  const policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="content-security-policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark"><title>Whetstone</title>',
    `<style>${style}</style></head><body><div id="page"></div>`,
    `<script type="application/octet-stream" id="saved">${await pack(JSON.stringify(page))}</script>`,
    `<script type="module">${script.replaceAll('</script', '<\\/script')}</script></body></html>`,
  ].join('\n');
}

/** What `writeSavedPage` put into a page. */
export async function readSavedPage(packed: string): Promise<SavedPage> {
  const bytes = Uint8Array.from(atob(packed.trim()), (char) => char.charCodeAt(0));
  const text = await new Response(throughPipe(bytes, new DecompressionStream('gzip'))).text();
  return JSON.parse(text) as SavedPage;
}

/** Transcripts repeat themselves: packed, two hundred of them are still a file that can be sent to somebody. */
async function pack(text: string): Promise<string> {
  const stream = throughPipe(new TextEncoder().encode(text), new CompressionStream('gzip'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let packed = '';
  // Multiples of three, so that no piece but the last is padded.
  const step = 0x6000;
  for (let at = 0; at < bytes.length; at += step)
    packed += btoa(String.fromCharCode(...bytes.subarray(at, at + step)));
  return packed;
}

function throughPipe(
  bytes: Uint8Array<ArrayBuffer>,
  pipe: CompressionStream | DecompressionStream,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new Blob([bytes]).stream().pipeThrough(pipe);
}
