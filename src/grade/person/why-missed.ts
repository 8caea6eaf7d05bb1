import { matchPattern } from '../language/pattern.ts';
import { readingOf } from '../language/reading.ts';
import { sentenceAsWritten } from '../language/sentence.ts';
import type { Clause } from '../language/clause.ts';
import type { Token } from '../language/tokens.ts';
import { isExplained } from '../language/topic.ts';
import type { Task } from '../scenario/task.ts';
import { questionIndexOf } from './question-index.ts';

/** Why a question did not draw a fact out, and what its author can do about it. */
export function whyMissed(task: Task, missed: { readonly fact: string; readonly text: string }): string {
  const { topics, patterns, lexicon } = questionIndexOf(task);
  const place = topics.findIndex(
    ({ fact, act }) =>
      fact?.id === missed.fact || act?.does.some(({ reveals }) => reveals?.includes(missed.fact)),
  );
  const topic = patterns.topics[place];
  const clauses = [...readingOf(missed.text, lexicon).clauses].filter(({ asks }) => asks);
  if (!topic || clauses.length === 0) return 'It is not heard as a question. Put it as one.';
  const tokens = clauses.flatMap((clause) => clause.tokens);
  const barred = tokens.filter(({ keys }) => keys.some((key) => topic.bars.has(key)));
  if (barred.length > 0)
    return `Its "!" line speaks against ${quoted(barred)}. Take that off, bar a longer phrase, or write more questions with it.`;
  const telling = tokens.filter(({ weight }) => weight >= 0.35);
  const met = clauses.some((clause) =>
    topic.patterns.some((pattern) => matchPattern(pattern, clause.tokens)),
  );
  if (!met)
    return `None of its patterns is met. ${likeIt(missed.text, clauses)}${telling.length > 0 ? `, or write a pattern of ${quoted(telling)}` : ''}.`;
  const strange = tokens.filter((token) => !isExplained(topic, token, patterns));
  return strange.length > 0
    ? `Its patterns do not explain ${quoted(strange)}. ${likeIt(missed.text, clauses)}, or put that into its "?" line.`
    : `It is more like a near miss, or like a question for another fact, than like its own questions. ${likeIt(missed.text, clauses)}.`;
}

/** Whole questions, to be put beside the one that was missed: what asks the same in other words teaches more. */
function likeIt(text: string, clauses: readonly Clause[]): string {
  const { sentence } = clauses[0]!;
  const asked = (sentenceAsWritten(text, sentence) ?? sentence).trim().replace(/[?.!\s]*$/, '');
  const inside = /^I\b/.test(asked) ? asked : asked.charAt(0).toLowerCase() + asked.slice(1);
  return `Put "Could you tell me: ${inside}?" and "And ${inside}, please?" into its questions, or better two that ask the same in other words`;
}

function quoted(tokens: readonly Token[]): string {
  return [...new Set(tokens.map(({ word }) => `"${word}"`))].slice(0, 4).join(', ');
}
