import type { Clause } from '../language/clause.ts';
import { tokensOf } from '../language/tokens.ts';
import type { Token } from '../language/tokens.ts';
import { fitsOf } from '../language/topic.ts';
import type { PlayState } from '../scenario/play-state.ts';
import { salience } from './salience.ts';
import type { QuestionIndex, Topic } from './question-index.ts';

interface Now {
  readonly index: QuestionIndex;
  readonly state: PlayState;
}

/** "How bad is it?" leaves out what it asks about: the words of the whole conversation's topic complete it, or else those of the last topic. */
export function topicOfEllipsis(clause: Clause, now: Now): Topic | undefined {
  const { patterns } = now.index;
  // Each word that counts must be met, so one that no pattern wants settles it.
  const isWanted = ({ keys }: Token) => keys.some((key) => patterns.wanted.has(key));
  if (!clause.tokens.every((token) => token.weight <= 0.5 || isWanted(token))) return undefined;
  return completed(clause, patterns.about, now) ?? completed(clause, lastTopicWords(now), now);
}

/** The words of what was spoken of last. */
export function lastTopicWords({ state, index }: Now): readonly Token[] {
  return patternWords(state.last, index);
}

/** The topic of a clause with the words that it leaves out: it must hold one of its own that counts, and none that does not. */
function completed({ tokens }: Clause, words: readonly Token[], { index, state }: Now): Topic | undefined {
  const own = tokens.length;
  const lean = (topic: number) => salience(index.topics[topic]!, state);
  const best = fitsOf([...tokens, ...words], index.patterns, lean, own).find(({ sure }) => sure);
  if (!best?.used.some((at) => at < own)) return undefined;
  const left = tokens.some(({ weight }, at) => weight > 0.5 && !best.used.includes(at));
  return left ? undefined : index.topics[best.topic];
}

/** The words of what was spoken of: the first pattern of a topic, without its signs. */
function patternWords(pattern: string, { lexicon, spoken }: QuestionIndex): readonly Token[] {
  let tokens = spoken.get(pattern);
  if (tokens === undefined) {
    tokens = tokensOf(pattern.replace(/[!?]\S+/g, ' ').replace(/[|=_]/g, ' '), lexicon);
    spoken.set(pattern, tokens);
  }
  return tokens;
}
