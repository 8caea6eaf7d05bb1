import type { EpisodeDimension } from '../../../grade/store/store.ts';
import type { ServerContext } from '../../http/context.ts';
import { invalid } from '../../http/refusal.ts';
import { answerJson, type Endpoint } from './endpoint.ts';
import { beReadyFor, readFilter } from './read-filter.ts';
import { writeGroup } from './write-group.ts';

const dimensions: readonly EpisodeDimension[] = [
  'player',
  'collection',
  'scenario',
  'version',
  'variant',
  'group',
  'study',
];

/** How many episodes did how well, summed up in the store. */
export function statsEndpoints({ engine }: ServerContext): readonly Endpoint[] {
  return [
    {
      method: 'GET',
      path: '/stats',
      operation: 'getStats',
      answer: async (c) => {
        const groupBy = readDimensions(c.req.query('group_by'));
        const filter = readFilter(c);
        await beReadyFor(engine.store, filter);
        const sums = await engine.store.sums.read(filter, groupBy);
        const groups = Map.groupBy(sums, ({ by }) => JSON.stringify(Object.values(by)));
        return answerJson(c, { groups: [...groups.values()].map(writeGroup) });
      },
    },
  ];
}

function readDimensions(text = ''): readonly EpisodeDimension[] {
  const names = [...new Set(text.split(',').filter((name) => name !== ''))];
  return names.map((name) => {
    const known = dimensions.find((dimension) => dimension === name);
    if (known === undefined)
      throw invalid('group_by', `has "${name.slice(0, 80)}", but may only have ${dimensions.join(', ')}.`);
    return known;
  });
}
