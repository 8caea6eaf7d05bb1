import { textOf } from '../../../base/message/message.ts';
import type { Message } from '../../../base/message/message.ts';
import type { Model } from '../../../base/message/model.ts';
import type { PrepareStep } from './prepare-step.ts';

/** How a long history is made short. */
export interface CompactOptions {
  /** How many of the newest messages stay as they are; a call never loses its result by it. 10 by default. */
  readonly keep?: number;
  /** Tells what the older messages hold: a model that is asked, or a function. */
  readonly summarise:
    | Model
    | ((messages: readonly Message[], signal: AbortSignal) => string | Promise<string>);
  /** From this many input tokens, older messages are summarised. Absent: only when a model says there are too many. */
  readonly above?: number;
}

/**
 * Sends the older messages of a long history as a summary: for `prepareStep`. Each summary is kept with the messages it
 * is of, and made again only when many more have come. The run's own history stays whole.
 * @example run({ model, tools, prompt, prepareStep: compact({ summarise: small, above: 100_000 }) })
 */
export function compact({
  keep = 10,
  summarise,
  above = Number.POSITIVE_INFINITY,
}: CompactOptions): PrepareStep {
  /** By the last message that a summary covers. */
  const summaries = new WeakMap<Message, string>();
  const summaryOf = typeof summarise === 'function' ? summarise : byModel(summarise);
  return async ({ messages, usage, tooLong, signal }) => {
    const head = messages[0]?.role === 'system' ? 1 : 0;
    let covered = messages.findLastIndex((message) => summaries.has(message)) + 1;
    const isDue = tooLong !== undefined || (usage?.input ?? 0) > above;
    const end = isDue
      ? boundary(messages, messages.length - (tooLong === undefined ? keep : least(messages, keep, covered)))
      : 0;
    // A summary costs a request, and everything after it is read again: a few more messages are no reason for one.
    const isWorth = tooLong !== undefined || end - covered >= Math.min(keep, 10);
    if (isWorth && end > Math.max(covered, head)) {
      const known = covered === 0 ? [] : [summaryMessage(summaries.get(messages[covered - 1]!) ?? '')];
      const told = await summaryOf([...known, ...messages.slice(Math.max(covered, head), end)], signal);
      summaries.set(messages[end - 1]!, told);
      covered = end;
    }
    if (covered === 0) return undefined;
    const summary = summaryMessage(summaries.get(messages[covered - 1]!) ?? '');
    return { messages: [...messages.slice(0, head), summary, ...messages.slice(covered)] };
  };
}

/** Where even what was to stay is too much, half of it goes. */
function least(messages: readonly Message[], keep: number, covered: number): number {
  return messages.length - covered > keep ? keep : Math.floor((messages.length - covered) / 2);
}

/** The nearest place at or before `at` where no call is parted from its results. */
function boundary(messages: readonly Message[], at: number): number {
  let end = Math.max(0, at);
  while (end > 0 && messages[end]?.role === 'tool') end--;
  return end;
}

function summaryMessage(summary: string): Message {
  return { role: 'user', content: `[A summary of what was said and done before]\n${summary}` };
}

function byModel(model: Model): (messages: readonly Message[], signal: AbortSignal) => Promise<string> {
  return async (messages, signal) => {
    const reply = await model.generate(
      { messages: [...asTold(messages), { role: 'user', content: request }] },
      { signal },
    );
    if (reply.error !== undefined)
      throw new Error(`The history could not be summarised: ${reply.error.message}`);
    return textOf(reply.message);
  };
}

const request =
  'Tell in short what was said and done above, for someone who goes on with it: what was asked, what is known and from where, what was decided, what is still to do. Keep names, numbers and ids as they are.';

/** As words, so that no tool has to be offered for calls that are only told of. */
function asTold(messages: readonly Message[]): readonly Message[] {
  const lines = messages.map((message) => {
    const calls = message.role === 'assistant' ? message.content.filter((part) => part.type === 'call') : [];
    const called = calls.map(
      ({ name, arguments: given }) =>
        `[calls ${name} with ${typeof given === 'string' ? given : JSON.stringify(given)}]`,
    );
    return [`${message.role}:`, textOf(message), ...called].filter((each) => each !== '').join(' ');
  });
  return [{ role: 'user', content: lines.join('\n') }];
}
