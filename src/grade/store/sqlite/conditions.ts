import { filterColumns } from '../row.ts';
import type { EpisodeFilter } from '../store.ts';
import { readSearch } from '../words.ts';
import type { Value } from './settled-reads.ts';

/** What holds of the episodes that are asked for; the values of its places are added to `values`. */
export function conditionsOf(filter: EpisodeFilter, values: Value[]): string[] {
  const where = ['owner = ?'];
  values.push(filter.owner);
  for (const name of filterColumns) {
    const value = filter[name];
    if (value === undefined) continue;
    where.push(`"${name}" = ?`);
    values.push(value);
  }
  if (filter.words !== undefined) {
    const terms = readSearch(filter.words);
    const found = `SELECT w.episode FROM word_search JOIN episode_words AS w ON w.number = word_search.rowid
      WHERE word_search MATCH ?`;
    where.push(terms.length === 0 ? 'false' : `id IN (${found})`);
    if (terms.length > 0)
      values.push(
        terms.map(({ words, goesOn }) => `"${words.join(' ')}"${goesOn ? ' *' : ''}`).join(' AND '),
      );
  }
  return where;
}
