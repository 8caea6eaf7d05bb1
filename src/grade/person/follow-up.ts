import type { Clause } from '../language/clause.ts';
import { questionConcepts } from '../language/lexicon.ts';
import { matchPattern } from '../language/pattern.ts';
import type { Pattern } from '../language/pattern.ts';
import type { ReplyContext } from './reply-context.ts';
import type { Topic } from './question-index.ts';

/**
 * "When?", "And who?", right after something was told: finds the fact whose patterns ask that way. Of several it takes
 * the one that these words and those of the last topic ask for together, or the one asked that way by far the most. A
 * fact that is out already is not meant.
 */
export function followedUp(
  clause: Clause,
  { index, state }: ReplyContext,
  spoken: Clause['tokens'],
): Topic | undefined {
  if (state.last === '') return undefined;
  const asked = clause.tokens.flatMap(({ keys }) => keys.filter((key) => questionConcepts.has(key)));
  if (asked.length === 0) return undefined;
  const open = [...index.topics.entries()].filter(
    ([place, { fact }]) =>
      fact?.session === state.session &&
      !Object.hasOwn(state.revealed, fact.id) &&
      patternsOf(place).some(asksSo),
  );
  const tokens = [...clause.tokens, ...spoken];
  const together = open.filter(([place]) =>
    patternsOf(place).some((pattern) => {
      const met = matchPattern(pattern, tokens);
      return met?.used.some((at) => at < clause.tokens.length);
    }),
  );
  const [first, second] = (together.length > 0 ? together : open)
    .map(([place, topic]) => ({ topic, share: shareOf(place) }))
    .toSorted((one, other) => other.share - one.share);
  return first && (!second || first.share >= 2 * second.share) ? first.topic : undefined;

  function asksSo({ wanted }: Pattern): boolean {
    return wanted.some((keys) => keys.some((key) => asked.includes(key)));
  }

  /** How much of what asks for it asks so. */
  function shareOf(place: number): number {
    const patterns = patternsOf(place);
    return patterns.filter(asksSo).length / patterns.length;
  }

  function patternsOf(place: number): readonly Pattern[] {
    return index.patterns.topics[place]!.patterns.filter(({ aside, empty }) => !aside && !empty);
  }
}
