import type { Clause } from '../language/clause.ts';
import { matchPattern } from '../language/pattern.ts';
import { fitsOf } from '../language/topic.ts';
import { evidenceFrom } from '../scenario/examples.ts';
import type { PlayState } from '../scenario/play-state.ts';
import type { Task } from '../scenario/task.ts';
import type { ReplyContext } from './reply-context.ts';
import { match } from './match.ts';
import { parse } from './parse.ts';
import { questionIndexOf, type Topic } from './question-index.ts';
import { whyMissed } from './why-missed.ts';

/** What the person made of a message, clause by clause, for the author of its patterns and questions. */
export function whyAnswered(task: Task, state: PlayState, message: string): readonly string[] {
  const index = questionIndexOf(task);
  const examples = task.examples();
  const evidence = examples && evidenceFrom(examples);
  const now: ReplyContext = { index, state, evidence, unseen: undefined };
  const heard = parse(message, index);
  const lines = [...heard.clauses].map((one) => {
    const { wanted, confirmed, asked } = match({ ...heard, clauses: [one] }, now);
    const said = `"${one.clause.text.slice(0, 120)}"`;
    if (one.readAloud && wanted.length === 0)
      return `${said} is read from the briefing, and asks for nothing.`;
    const [topic] = wanted;
    if (topic)
      return `${said} asks for ${nameOf(topic)}${wanted.length > 1 ? ` and ${wanted.length - 1} more` : ''}, ${byWhat(topic, one.clause, now)}.`;
    if (confirmed[0]) return `${said} reads back ${nameOf(confirmed[0])}.`;
    if (asked === 0) return `${said} asks for nothing.`;
    const near = nearest(one.clause, now);
    if (near?.fact === undefined) return `${said} is a question, and no fact has anything to do with it.`;
    return `${said} is a question that is not understood. Nearest is ${nameOf(near)}: ${whyMissed(task, { fact: near.fact.id, text: one.clause.text })}`;
  });
  const { courtesies } = heard;
  return courtesies.length > 0 ? [...lines, `Courtesies: ${courtesies.join(', ')}.`] : lines;
}

function nameOf({ fact, act, says }: Topic): string {
  return fact ? `the fact "${fact.id}"` : act ? `the act "${act.id}"` : `talk ("${says.slice(0, 60)}")`;
}

function byWhat(topic: Topic, clause: Clause, { index, evidence }: ReplyContext): string {
  const weights = evidence?.weigh(clause, undefined);
  const { fact } = topic;
  if (fact && weights?.written === fact.id) return 'since that very question was written for it';
  const { patterns } = index.patterns.topics[index.topics.indexOf(topic)]!;
  const met = patterns
    .flatMap((pattern) => {
      const found = matchPattern(pattern, clause.tokens);
      return found ? [{ pattern, score: found.score }] : [];
    })
    .toSorted((one, other) => other.score - one.score)[0];
  if (met) return `by its pattern "${met.pattern.source.slice(0, 80)}"`;
  const place = fact && weights?.places.get(fact.id);
  if (place !== undefined && weights!.sums[place]! > 0) return 'by what its written questions have in common';
  return 'guessed by words that are near its own';
}

/** What a question that was not understood comes nearest to: by patterns, or by what was written. */
function nearest(clause: Clause, { index, state, evidence }: ReplyContext): Topic | undefined {
  const [fit] = fitsOf(clause.tokens, index.patterns, () => 0);
  if (fit && index.topics[fit.topic]!.fact) return index.topics[fit.topic];
  const weights = evidence?.weigh(clause, undefined);
  if (!weights) return undefined;
  let most = -3;
  let found: Topic | undefined;
  for (const topic of index.topics) {
    const place = topic.fact?.session === state.session ? weights.places.get(topic.fact.id) : undefined;
    if (place === undefined || weights.sums[place]! <= most) continue;
    most = weights.sums[place]!;
    found = topic;
  }
  return found;
}
