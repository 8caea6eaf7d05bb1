import { readSavedPage, type SavedPage } from '../../../src/serve/api/saved-page.ts';
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

/** The episodes of a saved page, which asks no server. */
export const saved: SavedPage | undefined = await readSaved();

/** What is shown, where the server only shows logs (`whet view`). */
export const view: string | undefined = document.documentElement.dataset['view'];

async function readSaved(): Promise<SavedPage | undefined> {
  const text = document.getElementById('saved')?.textContent;
  return text === undefined || text === null ? undefined : readSavedPage(text);
}
