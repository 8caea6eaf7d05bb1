import { newest, type RankName } from '../rank.ts';
import { filterColumns } from '../row.ts';
import type { EpisodeFilter, EpisodeQuery } from '../store.ts';
import { readSearch } from '../words.ts';
import type { Value } from './settled-reads.ts';

/** What must hold for the episodes that are asked for; the values of its placeholders are added to `values`. */
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

/** The list in its order, from the place on that is said. */
export function listStatement({ limit, before, rank, ...filter }: EpisodeQuery, values: Value[]): string {
  const { by, ascending, after } = rank ?? newest(before);
  const where = conditionsOf(filter, values);
  const ranked = rankColumns[by];
  // What an ended episode is, is all in its row, where the indices are.
  if (by !== 'begun') where.push(`status = 'complete' AND ${ranked} IS NOT NULL`);
  if (after !== undefined) {
    where.push(`(${ranked}, id) ${ascending ? '>' : '<'} (?, ?)`);
    values.push(after.value, after.id);
  }
  values.push(limit);
  const order = ascending ? 'ASC' : 'DESC';
  return `SELECT * FROM ${by === 'begun' ? 'episode_now' : 'episode'}
    WHERE ${where.join(' AND ')} ORDER BY ${ranked} ${order}, id ${order} LIMIT ?`;
}

const rankColumns: Readonly<Record<RankName, string>> = {
  begun: 'created_at',
  reward: 'reward',
  duration: '(updated_at - created_at)',
  tokens: `(json_extract(total_usage, '$.inputTokens') + coalesce(json_extract(total_usage, '$.outputTokens'), 0))`,
};
