import type { EpisodeDetail } from '../../../src/serve/api/episode.ts';
import type { SavedPage } from '../frame/server.ts';

/** Writes episodes and this page into one HTML file, which opens without a server. */
export async function saveEpisodes(title: string, episodes: readonly EpisodeDetail[]): Promise<void> {
  const script = await textOf(document.querySelector<HTMLScriptElement>('script[src]')?.src);
  const style = await textOf(document.querySelector<HTMLLinkElement>('link[rel=stylesheet]')?.href);
  const page: SavedPage = { title, episodes };
  const blob = new Blob([writePage(page, { script, style })], { type: 'text/html' });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = `${title.replaceAll(/[^\w-]+/g, '-').toLowerCase()}.html`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** What the page itself is made of; a saved page has both within it. */
async function textOf(url: string | undefined): Promise<string> {
  if (url !== undefined && url !== '') return (await fetch(url)).text();
  return '';
}

/** The page as text. Nothing that somebody said can end the element that it is in. */
function writePage(
  page: SavedPage,
  { script, style }: { readonly script: string; readonly style: string },
): string {
  const data = JSON.stringify(page).replaceAll('<', '\\u003c');
  const policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="content-security-policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark"><title>Whetstone</title>',
    `<style>${style}</style></head><body><div id="page"></div>`,
    `<script type="application/json" id="saved">${data}</script>`,
    `<script type="module">${script.replaceAll('</script', '<\\/script')}</script></body></html>`,
  ].join('\n');
}
