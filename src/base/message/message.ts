import { asCall } from './call.ts';
import type { Call, CallOrAction } from './call.ts';
import type { AssistantPart, ProviderData, SystemPart, TextPart, UserPart } from './part.ts';
import type { Result } from './result.ts';
import { expectList, expectObject, expectObjects } from './expect.ts';

export interface SystemMessage {
  readonly role: 'system';
  readonly content: string | readonly SystemPart[];
  readonly providerData?: ProviderData;
}

export interface UserMessage {
  readonly role: 'user';
  readonly content: string | readonly UserPart[];
  readonly providerData?: ProviderData;
}

/** One reply of a model, its parts in the order in which they came. */
export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: readonly AssistantPart[];
  /** Who wrote it: decides whether opaque parts may be sent back. */
  readonly from?: { readonly api: string; readonly model: string };
  readonly providerData?: ProviderData;
}

/** The results of one step, in call order. */
export interface ToolMessage {
  readonly role: 'tool';
  readonly results: readonly Result[];
}

export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

/** What the model is told before the conversation. */
export function systemMessage(content: string | readonly TextPart[]): SystemMessage {
  return { role: 'system', content };
}

/** What a person says: text, or parts. */
export function userMessage(content: string | readonly UserPart[]): UserMessage {
  return { role: 'user', content };
}

/** A reply: its text, or its parts in order. A bare action may be where a call is. */
export function assistantMessage(
  content: string | readonly (AssistantPart | CallOrAction)[],
  from?: AssistantMessage['from'],
): AssistantMessage {
  if (typeof content !== 'string') expectList(content, 'content');
  const parts =
    typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content.map(asPart);
  return from === undefined
    ? { role: 'assistant', content: parts }
    : { role: 'assistant', content: parts, from };
}

/** The results of the calls of one reply, in call order. */
export function toolMessage(results: readonly Result[]): ToolMessage {
  return { role: 'tool', results };
}

/** Every call of a message, in order; none where the message is not the model's. */
export function callsOf(message: Message): readonly Call[] {
  expectMessage(message);
  return message.role === 'assistant' ? message.content.filter((part) => part.type === 'call') : [];
}

/** The calls that must be answered: those that the provider does not run itself. */
export function localCallsOf(message: Message): readonly Call[] {
  expectMessage(message);
  return message.role === 'assistant'
    ? message.content.filter((part): part is Call => part.type === 'call' && part.requiresLocalExecution)
    : [];
}

/** All text of a message, of its results too, joined by newlines; what the model only thought is left out. */
export function textOf(message: Message): string {
  expectMessage(message);
  if (message.role === 'tool') {
    for (const { content } of message.results) expectObjects(content, 'result.content');
    return message.results.map((result) => joinText(result.content)).join('\n');
  }
  return typeof message.content === 'string' ? message.content : joinText(message.content);
}

/** What the model thought, where its provider shows it. */
export function reasoningOf(message: AssistantMessage): string {
  expectReply(message);
  return message.content.map((part) => (part.type === 'reasoning' ? part.text : '')).join('');
}

/** Why the model declined; undefined where it did not. */
export function refusalOf(message: AssistantMessage): string | undefined {
  expectReply(message);
  const refusals = message.content.filter((part) => part.type === 'refusal');
  return refusals.length === 0 ? undefined : refusals.map((part) => part.text).join('');
}

function expectMessage(message: Message): void {
  expectObject(message, 'message');
  if (message.role === 'tool') expectObjects(message.results, 'message.results');
  else if (message.role === 'assistant' || typeof message.content !== 'string') expectReply(message);
}

function expectReply(message: Message): void {
  expectObject(message, 'message');
  expectObjects((message as AssistantMessage).content, 'message.content');
}

function joinText(parts: readonly { readonly type: string }[]): string {
  const texts = parts.filter((part): part is TextPart => part.type === 'text');
  return texts.map((part) => part.text).join('\n');
}

const partTypes: ReadonlySet<string> = new Set<AssistantPart['type']>([
  'text',
  'image',
  'reasoning',
  'refusal',
  'call',
  'hosted-result',
]);

function asPart(part: AssistantPart | CallOrAction, index: number): AssistantPart {
  expectObject(part, `content[${index}]`);
  const isPart = partTypes.has(part.type) || (part.type === 'other' && 'api' in part);
  return isPart ? (part as AssistantPart) : asCall(part as CallOrAction, `call_${index}`);
}
