import type { EpisodeDetail } from '../../../src/serve/api/episode.ts';
import { connect, type Client } from '../../../src/serve/client/index.ts';

const keyName = 'whetstone-key';

/** The server that sent this page, asked with the key that the person gave (kept for this tab only). */
export function client(): Client {
  const key = sessionStorage.getItem(keyName);
  return connect(key === null ? { url: location.origin } : { url: location.origin, key });
}

export function keepKey(key: string): void {
  sessionStorage.setItem(keyName, key);
}

/** Episodes that a saved page brings with it: it then asks no server. */
export interface SavedPage {
  readonly title: string;
  readonly episodes: readonly EpisodeDetail[];
}

export const saved: SavedPage | undefined = readSaved();

function readSaved(): SavedPage | undefined {
  const text = document.getElementById('saved')?.textContent;
  return text === undefined || text === null ? undefined : (JSON.parse(text) as SavedPage);
}
