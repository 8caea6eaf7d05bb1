import type { Clause } from '../language/clause.ts';
import { tokensOf } from '../language/tokens.ts';
import type { Token } from '../language/tokens.ts';
import { fitsOf } from '../language/topic.ts';
import type { PlayState } from '../scenario/play-state.ts';
import { nearness } from './nearness.ts';
import type { QuestionIndex, Topic } from './question-index.ts';

interface Now {
  readonly index: QuestionIndex;
  readonly state: PlayState;
}

/** "How bad is it?": what it is all about lends its words, or else what was spoken of last. */
export function lentBy(clause: Clause, now: Now): Topic | undefined {
  const { patterns } = now.index;
  // Each telling word must be met, so one that no pattern wants settles it.
  const isWanted = ({ keys }: Token) => keys.some((key) => patterns.wanted.has(key));
  if (!clause.tokens.every((token) => token.weight <= 0.5 || isWanted(token))) return undefined;
  return lent(clause, patterns.about, now) ?? lent(clause, wordsSpoken(now), now);
}

/** The words of what was spoken of last. */
export function wordsSpoken({ state, index }: Now): readonly Token[] {
  return spokenOf(state.last, index);
}

/** The clause with words that are lent to it: it must hold one of its own that counts, and none that does not. */
function lent({ tokens }: Clause, words: readonly Token[], { index, state }: Now): Topic | undefined {
  const own = tokens.length;
  const lean = (topic: number) => nearness(index.topics[topic]!, state);
  const best = fitsOf([...tokens, ...words], index.patterns, lean, own).find(({ sure }) => sure);
  if (!best?.used.some((at) => at < own)) return undefined;
  const left = tokens.some(({ weight }, at) => weight > 0.5 && !best.used.includes(at));
  return left ? undefined : index.topics[best.topic];
}

/** The words of what was spoken of: the first pattern of a topic, without its signs. */
function spokenOf(pattern: string, { lexicon, spoken }: QuestionIndex): readonly Token[] {
  let tokens = spoken.get(pattern);
  if (tokens === undefined) {
    tokens = tokensOf(pattern.replace(/[!?]\S+/g, ' ').replace(/[|=_]/g, ' '), lexicon);
    spoken.set(pattern, tokens);
  }
  return tokens;
}
