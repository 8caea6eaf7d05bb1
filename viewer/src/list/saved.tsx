import type { SavedPage } from '../../../src/serve/api/saved-page.ts';
import { Title } from '../frame/title.tsx';
import { EpisodeTable } from './episode-table.tsx';

/** What a saved page holds. */
export function Saved({ page }: { readonly page: SavedPage }) {
  return (
    <>
      <Title text={`${page.title} · Whetstone`} />
      <header class="head">
        <h1>{page.title}</h1>
        <p class="quiet">
          {page.episodes.length === 1 ? 'One episode' : `${page.episodes.length} episodes`}, saved in this
          file.
        </p>
      </header>
      <EpisodeTable episodes={page.episodes} />
    </>
  );
}
