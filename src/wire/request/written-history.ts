import { mendHistory } from '../../base/message/check-history.ts';
import type { Message } from '../../base/message/message.ts';
import type { RequestReport } from '../adapter.ts';
import { tellText } from './body-text.ts';
import { historyFitter } from './ready-history.ts';
import type { HistoryFitter, HistoryOptions } from './ready-history.ts';

/** How an API writes a history: message by message, knowing of the earlier ones what is in `state`. */
export interface HistoryWriting<Item, State> extends HistoryOptions {
  readonly api: string;
  /** What else the writing depends on, apart from the messages: if one of these changes, all is written again. */
  readonly by: readonly unknown[];
  begin(): State;
  write(message: Message, state: State, items: Items<Item>): void;
}

export interface WrittenHistory<Item, State> {
  readonly items: readonly Item[];
  /** It goes on changing with the conversation: what is taken from it must be copied. */
  readonly state: Readonly<State>;
  readonly reports: readonly RequestReport[];
}

/**
 * A history as its API takes it. What was written of a conversation is kept with its last message, so that a request
 * that goes on from there writes only what is new. It is handed on, not shared: where a conversation branches, one
 * branch continues it and the others are written again, each as if it were the only one.
 */
export function writeHistory<Item extends object, State>(
  messages: readonly Message[],
  writing: HistoryWriting<Item, State>,
): WrittenHistory<Item, State> {
  const conversation = takeKnown(messages, writing) ?? newConversation(messages, writing);
  keep(conversation, writing.api);
  const { items, state, mended, fitter } = conversation;
  return { items: items.now(), state, reports: [...mended, ...fitter.reports] };
}

/** The items of a history as they are written; the last may still be replaced, by one that says more. */
export class Items<Item> {
  readonly #items: Item[] = [];
  /** The text of all items but the last, as far as it was asked for. */
  #text = '';
  #told = 0;
  #version = 0;

  get last(): Item | undefined {
    return this.#items.at(-1);
  }

  push(...items: readonly Item[]): void {
    this.#version++;
    for (const item of items) this.#items.push(item);
  }

  replaceLast(item: Item): void {
    this.#version++;
    this.#items[this.#items.length - 1] = item;
  }

  /** The list as it is now, for one request. */
  now(): readonly Item[] {
    const version = this.#version;
    return tellText([...this.#items], () => (version === this.#version ? this.#listText() : undefined));
  }

  #listText(): string {
    const end = this.#items.length - 1;
    for (; this.#told < end; this.#told++) this.#text += `${JSON.stringify(this.#items[this.#told])},`;
    return end < 0 ? '[]' : `[${this.#text}${JSON.stringify(this.#items[end])}]`;
  }
}

interface Conversation<Item, State> {
  readonly messages: Message[];
  readonly by: readonly unknown[];
  readonly fitter: HistoryFitter;
  readonly items: Items<Item>;
  readonly state: State;
  /** What had to be mended before anything was written. */
  readonly mended: readonly RequestReport[];
}

/** By last message and by API. */
const kept = new WeakMap<Message, Map<string, Conversation<unknown, unknown>>>();

function keep(conversation: Conversation<unknown, unknown>, api: string): void {
  const last = conversation.messages.at(-1);
  // What was mended may be mended otherwise once more is known.
  if (last === undefined || conversation.mended.length > 0) return;
  const known = kept.get(last);
  if (known === undefined) kept.set(last, new Map([[api, conversation]]));
  else known.set(api, conversation);
}

/** The conversation that these messages continue, brought up to them and no longer kept where it was. */
function takeKnown<Item, State>(
  messages: readonly Message[],
  writing: HistoryWriting<Item, State>,
): Conversation<Item, State> | undefined {
  const { api, by } = writing;
  for (let end = messages.length; end > 0; end--) {
    const found = kept.get(messages[end - 1]!);
    const known = found?.get(api);
    if (found === undefined || known === undefined) continue;
    if (known.messages.length !== end || !begins(messages, known.messages) || !same(by, known.by)) continue;
    const more = messages.slice(end);
    // A result may belong to a call of before, and so may whatever else must be mended.
    if (more[0]?.role === 'tool' || mendHistory(more).changes.length > 0) return undefined;
    found.delete(api);
    known.messages.push(...more);
    const conversation = known as Conversation<Item, State>;
    writeMore(more, conversation, writing);
    return conversation;
  }
  return undefined;
}

function newConversation<Item, State>(
  messages: readonly Message[],
  writing: HistoryWriting<Item, State>,
): Conversation<Item, State> {
  const mended = mendHistory(messages);
  const conversation = {
    messages: [...messages],
    by: writing.by,
    fitter: historyFitter(writing.api, writing),
    items: new Items<Item>(),
    state: writing.begin(),
    mended: mended.changes.map(({ problem }) => ({ field: 'messages', message: problem.text })),
  };
  writeMore(mended.messages, conversation, writing);
  return conversation;
}

function writeMore<Item, State>(
  messages: readonly Message[],
  { fitter, items, state }: Conversation<Item, State>,
  writing: HistoryWriting<Item, State>,
): void {
  for (const message of joinResults(messages))
    for (const ready of fitter.next(message)) writing.write(ready, state, items);
}

/** Results that are in several messages are one step: what else is told comes after them all. */
function joinResults(messages: readonly Message[]): readonly Message[] {
  const joined: Message[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (message.role === 'tool' && last?.role === 'tool')
      joined[joined.length - 1] = { role: 'tool', results: [...last.results, ...message.results] };
    else joined.push(message);
  }
  return joined;
}

function begins(messages: readonly Message[], start: readonly Message[]): boolean {
  for (let index = start.length - 1; index >= 0; index--) if (messages[index] !== start[index]) return false;
  return true;
}

function same(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((each, index) => each === right[index]);
}
