import { answered } from './envelope.ts';
import { filters } from './filter.ts';
import { EpisodeUsage } from './usage.ts';
import {
  answer,
  count,
  date,
  described,
  list,
  map,
  number,
  pair,
  request,
  type Shape,
  share,
  text,
  type TypeOf,
} from './shape.ts';

/** What episodes may be grouped by. */
export type StatDimension = 'player' | 'collection' | 'scenario' | 'version' | 'variant' | 'group' | 'study';

/** `GET /api/v1/stats?group_by=player,scenario` and the filters of episodes: summed up in the store. */
export const StatsQuery = request({
  'group_by?': described(
    text,
    'One dimension or several, separated by commas; all episodes together when left out.',
  ),
  ...filters,
});
export type StatsQuery = TypeOf<typeof StatsQuery>;

const StatMean = answer({
  mean: share,
  'interval?': described(pair(share), '95 %, by scenarios; absent with fewer than two.'),
});
export type StatMean = TypeOf<typeof StatMean>;

export const statFields = {
  episodes: count,
  complete: count,
  began_at: described(date, 'When the first of them began, ISO 8601.'),
  scenarios: described(
    count,
    'How many scenarios they come from: an interval does not count similar episodes twice.',
  ),
  'reward?': StatMean,
  'success?': StatMean,
  'progress?': share,
  'deviation?': described(number, 'The standard deviation of the rewards; 0 if all earned the same.'),
  gate_closed: described(count, 'In how many of them the gate was closed.'),
  histogram: described(list(count), 'How many rewards fall into each twentieth from 0 to 1.'),
  turns: count,
  usage: EpisodeUsage,
};

const common: Shape<string | number | null> = { type: ['string', 'integer', 'null'] };

/** How the episodes did that have something in common. Means are of those that are complete. */
export const StatGroup = answer({
  by: described(map(common), 'What they have in common, by dimension; null if it was not given.'),
  ...statFields,
});
export type StatGroup = TypeOf<typeof StatGroup>;

export const StatsAnswer = answer({ groups: list(StatGroup), ...answered });
export type StatsAnswer = TypeOf<typeof StatsAnswer>;
