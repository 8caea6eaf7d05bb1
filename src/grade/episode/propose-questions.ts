import { isJsonObject, type JsonObject } from '../../base/json/value.ts';
import { systemMessage, userMessage } from '../../base/message/message.ts';
import type { Model } from '../../base/message/model.ts';
import { askModel } from './voice/ask-model.ts';
import { askableFacts } from '../check/check-facts.ts';
import { openState } from '../check/measure-person.ts';
import { reply } from '../person/reply.ts';
import { textsIn } from '../scenario/json-list.ts';
import type { Fact, Task } from '../scenario/task.ts';

/** A sentence for `questions.yaml`, with what the person makes of it today. */
export interface ProposedSentence {
  readonly text: string;
  /** It draws the fact out, without having been written down. */
  readonly drawsOut: boolean;
}

export interface ProposedQuestions {
  readonly fact: string;
  readonly asked: readonly ProposedSentence[];
  readonly not: readonly ProposedSentence[];
  /** Why there are none, or fewer. */
  readonly fault?: string;
}

/**
 * Questions and near misses for each fact that is told when asked, for somebody to look through: a model writes them, from
 * what the fact says and never from its patterns, or else the patterns give a few.
 */
export async function proposeQuestions(
  task: Task,
  { model, count, signal }: { readonly model?: Model; readonly count: number; readonly signal: AbortSignal },
): Promise<readonly ProposedQuestions[]> {
  const proposed: ProposedQuestions[] = [];
  const known = new Set(task.examples()?.examples.map(({ text }) => text));
  const facts = task.facts.filter(({ id }) => askableFacts(task).includes(id));
  for (const fact of facts) {
    const written = model
      ? await askFor(task, fact, { model, count, signal })
      : { asked: byPatterns(fact).slice(0, count), not: nearMisses(fact, facts).slice(0, count) };
    const state = openState(task, fact.id);
    const sentences = (texts: readonly string[]): readonly ProposedSentence[] =>
      [...new Set(texts)]
        .filter((text) => !known.has(text))
        .map((text) => ({ text, drawsOut: reply(task, state, text).told.includes(fact.id) }));
    proposed.push({
      fact: fact.id,
      asked: sentences(written.asked),
      not: sentences(written.not),
      ...('fault' in written && { fault: written.fault }),
    });
  }
  return proposed;
}

interface Written {
  readonly asked: readonly string[];
  readonly not: readonly string[];
  readonly fault?: string;
}

async function askFor(
  task: Task,
  fact: Fact,
  { model, count, signal }: { readonly model: Model; readonly count: number; readonly signal: AbortSignal },
): Promise<Written> {
  const words = await askModel(
    model,
    {
      messages: [
        systemMessage(
          'You write sentences by which a conversation is tested. Answer with JSON and nothing else: {"asked": ["…"], "not": ["…"]}.',
        ),
        userMessage(
          [
            `An operator talks to ${task.person.name || 'a person'}. The operator has read: ${JSON.stringify(task.briefing)}`,
            `The person knows: ${JSON.stringify(fact.is)}, and says of it: ${JSON.stringify(fact.says)}`,
            `"asked": ${count} ways in which different people would ask for just this, short and long, without naming the answer.`,
            `"not": ${count} questions that lie near it, with some of its words, to which this would be no answer.`,
          ].join('\n'),
        ),
      ],
    },
    signal,
  );
  if (words.text === undefined) return { asked: [], not: [], fault: words.fault };
  const read = readObject(words.text);
  return read
    ? { asked: textsIn(read['asked']).slice(0, count), not: textsIn(read['not']).slice(0, count) }
    : { asked: [], not: [], fault: `${model.name} did not answer with JSON: ${words.text.slice(0, 80)}` };
}

function readObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
    return isJsonObject(value as JsonObject) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

/** The words of each pattern in a frame that any question may have. */
function byPatterns({ ask }: Fact): readonly string[] {
  return ask
    .filter((pattern) => !/^[?!]/.test(pattern))
    .map((pattern, at) => frames[at % frames.length]!(plainWords(pattern)));
}

const frames: readonly ((words: string) => string)[] = [
  (words) => `Could you tell me: ${words}?`,
  (words) => `What about ${words}?`,
  (words) => `I need to know something else: ${words}?`,
];

/** What asks for another fact asks for none of this. */
function nearMisses(fact: Fact, facts: readonly Fact[]): readonly string[] {
  return facts.filter((other) => other !== fact).flatMap((other) => byPatterns(other).slice(0, 1));
}

function plainWords(pattern: string): string {
  return pattern
    .replaceAll(/ ?[!?]\S+/g, '')
    .replaceAll(/\|\S+/g, '')
    .replaceAll(/[=_]/g, ' ')
    .replaceAll(/ +/g, ' ')
    .trim();
}
