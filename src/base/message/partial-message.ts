import { WhetstoneError } from '../host/errors.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import type { Call } from './call.ts';
import { LiveArguments } from './live-arguments.ts';
import type { AssistantMessage } from './message.ts';
import type { HostedResultPart, ImagePart, OtherPart, ProviderData } from './part.ts';
import { expectList, expectObject, expectObjects, expectText } from './expect.ts';

/** A part of which more may come. Everything is optional: it may begin as nothing. */
export type PartialPart = PartialText | PartialCall | WholePart;

interface HalfBase {
  /** Where the provider keeps this part (its index in the reply): what tells two parts apart. */
  readonly slot?: number;
  readonly providerData?: ProviderData;
}

export interface PartialText extends HalfBase {
  readonly type: 'text' | 'reasoning' | 'refusal';
  readonly text: string;
  readonly redacted?: boolean;
}

export interface PartialCall extends HalfBase {
  readonly type: 'call';
  readonly id?: string;
  readonly name?: string;
  /** What has come of the arguments. */
  readonly argumentsText: string;
  /** The arguments at once, where a provider gives an object. */
  readonly argumentsObject?: JsonObject;
  readonly kind?: Call['kind'];
  readonly requiresLocalExecution?: boolean;
  readonly couldBeStructuredOutput?: boolean;
  readonly actions?: NonNullable<Call['actions']>;
  readonly safetyChecks?: NonNullable<Call['safetyChecks']>;
  /** The provider has said that nothing more comes. */
  readonly ended?: boolean;
}

/** What never comes in pieces. */
export type WholePart = (ImagePart | HostedResultPart | OtherPart) & { readonly slot?: number };

export interface PartialMessage {
  readonly role: 'assistant';
  readonly content: readonly PartialPart[];
  readonly from?: NonNullable<AssistantMessage['from']>;
  readonly providerData?: ProviderData;
}

/** Text, reasoning or a refusal of which more may come. */
export function partialText(text = '', fields: Partial<Omit<PartialText, 'text'>> = {}): PartialText {
  return { type: 'text', ...fields, text };
}

/** A call of which more may come. */
export function partialCall(fields: Partial<Omit<PartialCall, 'type'>> = {}): PartialCall {
  return { type: 'call', argumentsText: '', ...fields };
}

/**
 * A message of which more may come.
 * @example partialMessage([partialText('Let me')])
 */
export function partialMessage(
  content: readonly PartialPart[] = [],
  fields: Partial<Omit<PartialMessage, 'role' | 'content'>> = {},
): PartialMessage {
  return { role: 'assistant', content, ...fields };
}

/**
 * What came and what came after it, as one. Continuations join, distinct parts stay separate; merging with nothing
 * gives the other side. Neither side is changed. Costs what the later side costs, however much has come before.
 */
export function mergePartials<Half extends PartialMessage | PartialCall | PartialText>(
  before: Half | undefined,
  after: Half | undefined,
): Half;
export function mergePartials(
  before: PartialMessage | PartialCall | PartialText | undefined,
  after: PartialMessage | PartialCall | PartialText | undefined,
): unknown {
  for (const half of [before, after]) if (half !== undefined) expectObject(half, 'half');
  if (before === undefined || after === undefined) return before ?? after ?? partialMessage();
  if ('role' in before && 'role' in after) return mergeAllPartials([before, after]);
  if ('role' in before || 'role' in after || !continues(before, after)) {
    throw new WhetstoneError(
      'halves_apart',
      `These are two things, not one and its continuation: ${nameOf(before)} and ${nameOf(after)}. Merge the messages that hold them.`,
      { details: { before, after } },
    );
  }
  return mergePart(before, after);
}

/** All partial messages, in order, as one. */
export function mergeAllPartials(halves: Iterable<PartialMessage>): PartialMessage {
  if (typeof halves?.[Symbol.iterator] !== 'function') expectList(halves, 'halves');
  let whole: PartialMessage | undefined;
  let content: PartialPart[] = [];
  for (const half of halves) {
    expectObject(half, 'half');
    expectObjects(half.content, 'half.content');
    const from = half.from ?? whole?.from;
    const data = mergeData(whole?.providerData, half.providerData);
    if (whole === undefined) content = [...half.content];
    else for (const part of half.content) add(content, part);
    whole = {
      role: 'assistant',
      content,
      ...(from === undefined ? undefined : { from }),
      ...(data === undefined ? undefined : { providerData: data }),
    };
  }
  return whole ?? partialMessage();
}

/**
 * The arguments as far as they have come: a live view, valid until the next merge of this call, not to be changed.
 * Undefined before the first character, and the last good value once the text stops being JSON.
 */
export function argumentsSoFar(half: PartialCall): JsonValue | undefined {
  expectObject(half, 'half');
  expectText(half.argumentsText, 'half.argumentsText');
  if (half.argumentsText === '' && half.argumentsObject !== undefined) return half.argumentsObject;
  if (half.kind === 'custom') return { input: half.argumentsText };
  let live = readers.get(half);
  if (live === undefined || live.length !== half.argumentsText.length) {
    live = new LiveArguments();
    live.push(half.argumentsText);
    readers.set(half, live);
  }
  return live.current;
}

/**
 * A reader goes with the newest half of its call. Where one half is continued twice the second finds that the reader
 * has gone on (the lengths differ), and reads again.
 */
const readers = new WeakMap<PartialCall, LiveArguments>();

/** Puts a part where it belongs: to what it continues, or at the end. */
function add(content: PartialPart[], part: PartialPart): void {
  const index = placeOf(content, part);
  const before = content[index];
  if (before !== undefined && continues(before, part)) content[index] = mergePart(before, part);
  else content.push(part);
}

/** Where the part that this one may continue is: by slot, else by id, else the last. */
function placeOf(content: readonly PartialPart[], part: PartialPart): number {
  if (part.slot !== undefined) {
    const { slot, type } = part;
    const same = content.findLastIndex((before) => before.slot === slot && before.type === type);
    if (same !== -1) return same;
  }
  if (part.type === 'call' && part.id) {
    const { id } = part;
    const same = content.findLastIndex((before) => before.type === 'call' && before.id === id);
    if (same !== -1) return same;
  }
  return content.length - 1;
}

/** Whether `after` is more of `before`, for two parts that are next to each other or share a slot or an id. */
function continues(before: PartialPart, after: PartialPart): boolean {
  if (before.type !== after.type || isWhole(before) || isWhole(after)) return false;
  const slots = before.slot !== undefined && after.slot !== undefined;
  if (slots && before.slot !== after.slot) return false;
  if (before.type !== 'call' || after.type !== 'call') return true;
  const named = Boolean(after.name);
  // Arguments of nobody end the call before them; who then comes with id and name is the next one.
  if (!before.id && !before.name && after.id && named) return before.argumentsText === '' && !before.ended;
  // In one slot a new id alone is a server that makes one up for each chunk; with a name it is a new call.
  if (before.id && after.id && before.id !== after.id) return slots && !named;
  if (before.id && before.id === after.id) return !named || !before.name || before.name === after.name;
  return slots || !named || !before.name;
}

function mergePart(before: PartialPart, after: PartialPart): PartialPart {
  const data = mergeData(before.providerData, after.providerData);
  const providerData = data === undefined ? undefined : { providerData: data };
  if (before.type === 'call' && after.type === 'call') {
    for (const half of [before, after]) expectText(half.argumentsText, 'half.argumentsText');
    // The first name and id that are not empty count; everything else is as told last.
    const merged: PartialCall = {
      ...before,
      ...after,
      ...(before.id ? { id: before.id } : undefined),
      ...(before.name ? { name: before.name } : undefined),
      ...(before.slot === undefined ? undefined : { slot: before.slot }),
      argumentsText: before.argumentsText + after.argumentsText,
      ...providerData,
    };
    const live = readers.get(before);
    if (live !== undefined && live.length === before.argumentsText.length) {
      live.push(after.argumentsText);
      readers.set(merged, live);
    }
    return merged;
  }
  const texts = { before: before as PartialText, after: after as PartialText };
  for (const half of [texts.before, texts.after]) expectText(half.text, 'half.text');
  return { ...texts.before, ...texts.after, text: texts.before.text + texts.after.text, ...providerData };
}

function mergeData(
  before: ProviderData | undefined,
  after: ProviderData | undefined,
): ProviderData | undefined {
  if (before === undefined || after === undefined) return before ?? after;
  const merged: Record<string, JsonObject> = { ...before };
  for (const [api, data] of Object.entries(after)) merged[api] = { ...merged[api], ...data };
  return merged;
}

/** Parts that never come in pieces. */
export function isWhole(part: PartialPart): part is WholePart {
  return part.type === 'image' || part.type === 'hosted-result' || part.type === 'other';
}

function nameOf(half: PartialMessage | PartialCall | PartialText): string {
  if ('role' in half) return 'a message';
  return half.type === 'call' ? `a call of ${JSON.stringify(half.name ?? '')}` : `a ${half.type}`;
}
