import type { EpisodeDetail } from '../../../src/serve/api/episode.ts';
import { writeSavedPage } from '../../../src/serve/api/saved-page.ts';

/** Writes episodes and this page into one HTML file, which opens without a server. */
export async function saveEpisodes(title: string, episodes: readonly EpisodeDetail[]): Promise<void> {
  const script = await textOf(document.querySelector<HTMLScriptElement>('script[src]')?.src);
  const style = await textOf(document.querySelector<HTMLLinkElement>('link[rel=stylesheet]')?.href);
  const html = await writeSavedPage({ title, episodes }, { script, style });
  const blob = new Blob([html], { type: 'text/html' });
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
