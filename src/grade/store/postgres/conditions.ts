import { filterColumns } from '../row.ts';
import type { EpisodeFilter } from '../store.ts';
import { readSearch } from '../words.ts';

/** What holds of the episodes that are asked for; the values of its places are added to `values`. */
export function conditionsOf(filter: EpisodeFilter, values: unknown[]): string[] {
  const where = [`owner = $${values.push(filter.owner)}`];
  for (const name of filterColumns)
    if (filter[name] !== undefined) where.push(`"${name}" = $${values.push(filter[name])}`);
  if (filter.words !== undefined) {
    const terms = readSearch(filter.words);
    const query = terms.map(({ words, goesOn }) => `${words.join(' <-> ')}${goesOn ? ':*' : ''}`).join(' & ');
    where.push(
      terms.length === 0
        ? 'false'
        : `id IN (SELECT episode FROM episode_words WHERE words @@ to_tsquery('simple', $${values.push(query)}))`,
    );
  }
  return where;
}
