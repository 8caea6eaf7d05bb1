import type { PlayState } from '../scenario/play-state.ts';
import type { Topic } from './question-index.ts';

/** Of two facts that fit a question alike, the one that is not out yet is meant, and the one of this session. */
export function salience({ fact }: Topic, { revealed, session }: PlayState): number {
  if (!fact) return 0;
  return (Object.hasOwn(revealed, fact.id) ? 0 : 0.1) - (fact.session === session ? 0 : 0.2);
}
