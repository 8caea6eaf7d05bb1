import type { EpisodeDetail } from '../../../src/serve/api/episode.ts';
import { writeSavedPage } from '../../../src/serve/api/saved-page.ts';

/** Writes episodes and this page into one HTML file, which opens without a server. */
export async function saveEpisodes(title: string, episodes: readonly EpisodeDetail[]): Promise<void> {
  const textOf = async (url: string): Promise<string> => (await fetch(url)).text();
  const script = await textOf('saved/page.js');
  const style = await textOf(document.querySelector<HTMLLinkElement>('link[rel=stylesheet]')!.href);
  const html = await writeSavedPage({ title, episodes }, { script, style });
  const blob = new Blob([html], { type: 'text/html' });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = `${title.replaceAll(/[^\w-]+/g, '-').toLowerCase()}.html`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
