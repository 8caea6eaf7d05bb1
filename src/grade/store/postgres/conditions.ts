import { newest, type RankName } from '../rank.ts';
import { filterColumns } from '../row.ts';
import type { EpisodeFilter, EpisodeQuery } from '../store.ts';
import { readSearch } from '../words.ts';

/** What must hold for the episodes that are asked for; the values of its placeholders are added to `values`. */
export function conditionsOf(filter: EpisodeFilter, values: unknown[]): string[] {
  const where = [`owner = $${values.push(filter.owner)}`];
  if (filter.status !== undefined) where.push(statuses[filter.status]);
  for (const name of filterColumns)
    if (name !== 'status' && filter[name] !== undefined)
      where.push(`"${name}" = $${values.push(filter[name])}`);
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

// Written out, since a plan that is made once for every value finds the indices of open or of ended episodes only so.
const statuses = { open: `status = 'open'`, complete: `status = 'complete'` } as const;

/** So many are on the longest page, and one behind it. */
const ofPage = 201;

/**
 * The list in its order, from the place on that is said. With fifteen months it takes ten times as long to plan as to
 * run, and Postgres keeps a plan for every value only where it sees that no value takes more than a page.
 */
export function listStatement({ limit, before, rank, ...filter }: EpisodeQuery, values: unknown[]): string {
  const { by, ascending, after } = rank ?? newest(before);
  const where = conditionsOf(filter, values);
  const ranked = rankColumns[by];
  if (by !== 'begun') where.push(`status = 'complete' AND ${ranked} IS NOT NULL`);
  if (after !== undefined)
    where.push(
      `(${ranked}, id) ${ascending ? '>' : '<'} ($${values.push(after.value)}, $${values.push(after.id)})`,
    );
  const order = ascending ? 'ASC' : 'DESC';
  return `SELECT * FROM (SELECT * FROM episode WHERE ${where.join(' AND ')}
    ORDER BY ${ranked} ${order}, id ${order} LIMIT ${Math.max(limit, ofPage)}) AS page LIMIT $${values.push(limit)}`;
}

const rankColumns: Readonly<Record<RankName, string>> = {
  begun: 'created_at',
  reward: 'reward',
  duration: '(updated_at - created_at)',
  tokens: `((total_usage::jsonb ->> 'inputTokens')::float8 + coalesce((total_usage::jsonb ->> 'outputTokens')::float8, 0))`,
};
