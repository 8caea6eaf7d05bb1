import type { Call } from '../../base/message/call.ts';
import { mendHistory } from '../../base/message/check-history.ts';
import type { AssistantMessage, Message, ToolMessage } from '../../base/message/message.ts';
import type { AssistantPart } from '../../base/message/part.ts';
import { callIds } from '../../base/schema/name.ts';
import type { NameMap } from '../../base/schema/name.ts';
import type { RequestReport } from '../adapter.ts';
import { computerTranslation } from './computer-history.ts';
import type { ComputerSpeech } from './computer-history.ts';
import { tellForeign } from './foreign-part.ts';
import { fitMedia } from './media.ts';
import type { RefusePart } from './media.ts';
import { parallelRewrapper } from '../parallel.ts';
import { pictureCarrier } from './picture-carrier.ts';
import { toolRulesOf } from './tool-rules.ts';

export interface HistoryOptions {
  /** The same API is spoken by hosts whose ids this one refuses. */
  readonly checkOwnIds?: boolean;
  /** How this API says actions on a computer, where the request offers its tool for them. */
  readonly computer?: ComputerSpeech | undefined;
  readonly refusePart?: RefusePart | undefined;
}

export interface ReadyHistory {
  readonly messages: readonly Message[];
  readonly reports: readonly RequestReport[];
}

/**
 * A history that this API accepts: mended, and with what only another API could read told in words or left
 * out. Messages that need no change are the same objects.
 */
export function readyHistory(
  messages: readonly Message[],
  api: string,
  options: HistoryOptions = {},
): ReadyHistory {
  const mended = mendHistory(messages);
  const fitter = historyFitter(api, options);
  const ready = mended.messages.flatMap(fitter.next);
  return {
    messages: ready,
    reports: [
      ...mended.changes.map(({ problem }) => ({ field: 'messages', message: problem.text })),
      ...fitter.reports,
    ],
  };
}

/** Makes the messages of one history fit for an API, first to last: each knows the earlier ones. */
export interface HistoryFitter {
  readonly next: (message: Message) => readonly Message[];
  /** What could not be said, so far. */
  readonly reports: readonly RequestReport[];
}

export function historyFitter(api: string, options: HistoryOptions = {}): HistoryFitter {
  const { checkOwnIds, computer, refusePart } = options;
  const { names, userFirst } = toolRulesOf(api);
  const reports: RequestReport[] = [];
  const rewrapped = parallelRewrapper(api);
  const carried = pictureCarrier(api);
  const translation = computerTranslation(api, computer, reports);
  const ids = callIds(names);
  const used = new Set<string>();
  let changed: ChangedIds = new Map();
  let begun = false;
  const fitOne = (message: Message): Message => {
    if (message.role === 'tool') return withResultIds(message, changed);
    if (message.role !== 'assistant') return message;
    const own = message.from?.api === api;
    const keepsIds = own && !checkOwnIds;
    const whole = withoutCutHosted(message);
    const fit = keepsIds ? whole : fitAssistant(whole, api);
    const named = withCallIds(fit, (id) => freshId(id, keepsIds ? undefined : ids, used));
    changed = named.changed;
    return named.message;
  };
  const nextOf = (message: Message): readonly Message[] => {
    const known = tellForeign(translation.next(message), api);
    const fit = fitOne(fitMedia(known, api, refusePart, reports));
    const isEmpty = fit.role !== 'tool' && fit.content.length === 0;
    if (isEmpty && (fit.role === 'assistant' || fit !== message)) return [];
    const opens = !begun && fit.role === 'assistant' && userFirst;
    begun ||= fit.role !== 'system';
    return opens ? [opening, fit] : [fit];
  };
  return { next: (message) => rewrapped(message).flatMap(carried).flatMap(nextOf), reports };
}

/** Some providers refuse a conversation that the model begins. */
const opening: Message = { role: 'user', content: 'Begin.' };

function fitAssistant(message: AssistantMessage, api: string): AssistantMessage {
  if (message.from?.api === api) return message;
  const nobodys = message.from === undefined;
  if (nobodys && !message.content.some((part) => isHosted(part, api))) return message;
  const fit = (part: AssistantPart): readonly AssistantPart[] =>
    nobodys && !isHosted(part, api) ? [part] : translatePart(part, api);
  return { ...message, content: message.content.flatMap(fit) };
}

/** A call that its provider was to run, and that broke off: nobody can answer it, and it would be asked for an answer. */
function withoutCutHosted(message: AssistantMessage): AssistantMessage {
  const isCut = (part: AssistantPart): boolean =>
    part.type === 'call' && !part.requiresLocalExecution && part.invalid?.reason === 'truncated';
  return message.content.some(isCut)
    ? { ...message, content: message.content.filter((part) => !isCut(part)) }
    : message;
}

/** What some provider ran itself, of which this API has no form of its own: no message says whose it was. */
function isHosted(part: AssistantPart, api: string): boolean {
  const hosted = part.type === 'hosted-result' || (part.type === 'call' && !part.requiresLocalExecution);
  return hosted && part.providerData?.[api] === undefined;
}

/** A part that another API wrote, as any API can read it. */
function translatePart(part: AssistantPart, api: string): readonly AssistantPart[] {
  switch (part.type) {
    case 'reasoning':
    case 'other':
      return [];
    case 'call':
      if (part.requiresLocalExecution) return [withoutWireForm(part, api)];
      return [{ type: 'text', text: `[${part.name} was called: ${argumentsText(part.arguments)}]` }];
    case 'hosted-result':
      return [{ type: 'text', text: `[${part.name} answered: ${JSON.stringify(part.content)}]` }];
    default:
      return [part];
  }
}

/** The other provider was shown another schema, and gave fields of its own. */
function withoutWireForm(call: Call, api: string): Call {
  if (call.wireArguments === undefined && call.providerData === undefined) return call;
  const { wireArguments: _wireArguments, providerData, ...rest } = call;
  const own = providerData?.[api];
  return own === undefined ? rest : { ...rest, providerData: { [api]: own } };
}

/** An id that this API takes, and that no earlier call has: some hosts begin at `call_0` in every reply. */
function freshId(id: string, ids: NameMap | undefined, used: Set<string>): string {
  const written = (name: string) => ids?.toWire(name) ?? name;
  let fresh = written(id);
  for (let again = 2; used.has(fresh); again++) fresh = written(`${id}_${again}`);
  used.add(fresh);
  return fresh;
}

/** What became of each id of a reply, call by call: two calls may have one, and their results come in call order. */
type ChangedIds = ReadonlyMap<string, string[]>;

/** The message with ids that can be sent, and which became which: its results follow it and need the same. */
function withCallIds(
  message: AssistantMessage,
  idOf: (id: string) => string,
): { readonly message: AssistantMessage; readonly changed: ChangedIds } {
  const became = new Map<string, string[]>();
  let isChanged = false;
  const content = message.content.map((part) => {
    if (part.type !== 'call' || !part.requiresLocalExecution) return part;
    const id = idOf(part.id);
    const before = became.get(part.id);
    if (before === undefined) became.set(part.id, [id]);
    else before.push(id);
    if (id === part.id) return part;
    isChanged = true;
    return { ...part, id };
  });
  return isChanged ? { message: { ...message, content }, changed: became } : { message, changed: new Map() };
}

function withResultIds(message: ToolMessage, changed: ChangedIds): ToolMessage {
  if (!message.results.some(({ callId }) => changed.has(callId))) return message;
  const results = message.results.map((result) => ({
    ...result,
    callId: changed.get(result.callId)?.shift() ?? result.callId,
  }));
  return { ...message, results };
}

function argumentsText(given: unknown): string {
  return typeof given === 'string' ? given : JSON.stringify(given);
}
