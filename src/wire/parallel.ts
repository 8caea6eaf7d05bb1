import { isJsonObject } from '../base/json/value.ts';
import type { JsonObject, JsonValue } from '../base/json/value.ts';
import { readArguments } from '../base/message/arguments.ts';
import type { Call } from '../base/message/call.ts';
import type { AssistantMessage, Message, ToolMessage } from '../base/message/message.ts';
import type { ResultPart } from '../base/message/part.ts';
import type { Result } from '../base/message/result.ts';
import { raiseCall } from './request/bind-tools.ts';
import type { ToolBinding } from './request/bind-tools.ts';
import { filledText, listOf, objectOf, textOf } from './json-fields.ts';
import { resultText } from './request/result-text.ts';

// Some models write several calls as one of a tool that they were trained with and that nobody offered:
// parallel({"tool_uses": [{"recipient_name": "functions.look", "parameters": {…}}]}).

const wrapperName = /^(?:functions\.)?(?:multi_tool_use[._-])?parallel$/;

/** Whether a call of this name is such a wrapper: never where a tool of the request has the name. */
export function isWrapper(name: string, tools: ToolBinding | undefined): boolean {
  return tools !== undefined && wrapperName.test(name) && tools.ours(name) === undefined;
}

/** The calls inside; undefined where there are none to be read. Their ids count up from the wrapper's. */
export function unwrapParallel(wrapper: Call, api: string, tools: ToolBinding): readonly Call[] | undefined {
  const reading = wrapper.invalid === undefined ? readArguments(wrapper) : undefined;
  const listed = reading?.ok === true ? listOf(reading.value['tool_uses']) : [];
  const uses = listed.filter(isUse);
  if (uses.length === 0 || uses.length < listed.length) return undefined;
  const { id, name, arguments: written, wireId, idMadeUp } = wrapper;
  return uses.map((use, index): Call => {
    const inner = String(use['recipient_name']).replace(/^functions\./, '');
    const call: Call = {
      ...wrapper,
      id: `${id}_${index + 1}`,
      name: tools.ours(inner)?.name ?? inner,
      arguments: objectOf(use['parameters']),
      providerData: {
        [api]: {
          ...wrapper.providerData?.[api],
          wrapper: { id, name, arguments: written, ...(wireId && { wireId }), ...(idMadeUp && { idMadeUp }) },
        },
      },
    };
    return asText(raiseCall(call, tools), tools);
  });
}

/** A free-text tool takes its text as a member here, whether or not the API has such tools. */
function asText(call: Call, tools: ToolBinding): Call {
  const isFreeText = tools.bound(call.name)?.spec.kind === 'custom';
  if (!isFreeText || typeof call.arguments === 'string') return call;
  const text = textOf(call.arguments['input']) ?? JSON.stringify(call.arguments);
  return { ...call, kind: 'custom', arguments: text };
}

function isUse(value: JsonValue): value is JsonObject {
  return isJsonObject(value) && filledText(value['recipient_name']) !== undefined;
}

/** For the API whose model wrote the wrapper: the one call that it was, and one result for it. First to last. */
export function parallelRewrapper(api: string): (message: Message) => readonly Message[] {
  let wrappers: Wrappers = new Map();
  return (message) => {
    if (message.role === 'tool') return wrappers.size === 0 ? [message] : withOneResult(message, wrappers);
    if (wrappers.size > 0) wrappers = new Map();
    const isWritten = message.role === 'assistant' && message.content.some((part) => wrapperOf(part, api));
    return isWritten ? [withOneCall(message, api, wrappers)] : [message];
  };
}

/** By the id of each call inside. */
type Wrappers = Map<string, { readonly id: string; readonly name: string; answered: boolean }>;

function wrapperOf(part: AssistantMessage['content'][number], api: string): JsonObject | undefined {
  const wrapper = part.type === 'call' ? part.providerData?.[api]?.['wrapper'] : undefined;
  return isJsonObject(wrapper) ? wrapper : undefined;
}

function withOneCall(message: AssistantMessage, api: string, wrappers: Wrappers): AssistantMessage {
  const begun = new Set<string>();
  const content = message.content.flatMap((part) => {
    const wrapper = wrapperOf(part, api);
    if (part.type !== 'call' || wrapper === undefined) return [part];
    const id = String(wrapper['id']);
    wrappers.set(part.id, { id, name: legalName(wrapper), answered: false });
    if (begun.has(id)) return [];
    begun.add(id);
    const { wrapper: _wrapper, ...data } = part.providerData?.[api] ?? {};
    const { wireArguments: _wire, providerData: _data, ...call } = part;
    const whole = {
      ...call,
      ...wrapper,
      name: legalName(wrapper),
      kind: 'function' as const,
      ...(Object.keys(data).length > 0 && { providerData: { [api]: data } }),
    };
    return [whole as Call];
  });
  return { ...message, content };
}

/** Its name holds a dot, which no API takes back. */
function legalName(wrapper: JsonObject): string {
  return String(wrapper['name']).replace(/[^\w-]/g, '_');
}

function withOneResult(message: ToolMessage, wrappers: Wrappers): readonly Message[] {
  const results: Result[] = [];
  const late: ResultPart[] = [];
  for (const result of message.results) {
    const wrapper = wrappers.get(result.callId);
    const at = results.findIndex(({ callId }) => callId === wrapper?.id);
    const before = results[at];
    if (wrapper === undefined) results.push(result);
    else if (before !== undefined) results[at] = { ...before, content: [...before.content, ...told(result)] };
    else if (wrapper.answered) late.push(...told(result));
    else results.push({ callId: wrapper.id, name: wrapper.name, content: told(result) });
  }
  for (const wrapper of wrappers.values())
    wrapper.answered ||= results.some(({ callId }) => callId === wrapper.id);
  return [
    ...(results.length > 0 ? [{ ...message, results }] : []),
    // The one result has been given: what came in another message can only be said.
    ...(late.length > 0 ? [{ role: 'user' as const, content: late }] : []),
  ];
}

/** A result as a part of the one that answers them all: which call it is of, and where it failed, that it did. */
function told(result: Result): readonly ResultPart[] {
  const texts = result.content.filter(({ type }) => type === 'text');
  const text = resultText({ ...result, content: texts });
  const others = result.content.filter(({ type }) => type !== 'text');
  return [{ type: 'text', text: `functions.${result.name}: ${text}` }, ...others];
}
