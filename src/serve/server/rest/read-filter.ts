import type { EpisodeFilter, Store } from '../../../grade/store/store.ts';
import { countAt, nameAt, optionAt } from '../../http/fields.ts';
import type { RestContext } from './endpoint.ts';

/** Which of its episodes a caller asks for, as the address says. */
export function readFilter(c: RestContext): EpisodeFilter {
  const name = (field: 'collection' | 'scenario' | 'version' | 'group' | 'study' | 'player') => {
    const value = nameAt(c.req.query(field), field);
    return value === undefined ? {} : { [field]: value };
  };
  const status = optionAt(c.req.query('status'), 'status', ['open', 'complete']);
  const variant = countAt(c.req.query('variant'), 'variant');
  const words = nameAt(c.req.query('q'), 'q');
  return {
    owner: c.var.identity.caller.id,
    ...(status && { status }),
    ...name('collection'),
    ...name('scenario'),
    ...name('version'),
    ...(variant !== undefined && { variant }),
    ...name('group'),
    ...name('study'),
    ...name('player'),
    ...(words !== undefined && { words }),
  };
}

/** How many episodes' words are read before other requests get their turn. */
export const wordsAtOnce = 200;

/** Before a search the words of those that ended a moment ago are read, unless very many did. */
export async function beReadyFor(store: Store, { words }: EpisodeFilter): Promise<void> {
  if (words !== undefined) await store.readWords(wordsAtOnce);
}
