import type { EpisodeFilter } from '../../../grade/store/store.ts';
import { countAt, nameAt, optionAt } from '../fields.ts';
import type { RestContext } from './endpoint.ts';

/** Which of its episodes a caller asks for, as the address says. */
export function readFilter(c: RestContext): EpisodeFilter {
  const name = (field: 'collection' | 'scenario' | 'version' | 'group' | 'player') => {
    const value = nameAt(c.req.query(field), field);
    return value === undefined ? {} : { [field]: value };
  };
  const status = optionAt(c.req.query('status'), 'status', ['open', 'complete']);
  const variant = countAt(c.req.query('variant'), 'variant');
  return {
    owner: c.var.identity.caller.id,
    ...(status && { status }),
    ...name('collection'),
    ...name('scenario'),
    ...name('version'),
    ...(variant !== undefined && { variant }),
    ...name('group'),
    ...name('player'),
  };
}
