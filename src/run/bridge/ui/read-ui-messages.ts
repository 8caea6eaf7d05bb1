import { isJsonObject } from '../../../base/json/value.ts';
import type { JsonObject, JsonValue } from '../../../base/json/value.ts';
import type { Call } from '../../../base/message/call.ts';
import type { Message } from '../../../base/message/message.ts';
import type { AssistantPart, ProviderData, Source, UserPart } from '../../../base/message/part.ts';
import { errorResult, textResult } from '../../../base/message/result.ts';
import type { Result } from '../../../base/message/result.ts';
import type { Approval } from '../../loop/approval/approval.ts';

/** What a page sent, as the options of a run. */
export interface ReadUIMessages {
  readonly messages: readonly Message[];
  /** What the person decided on calls that wait. */
  readonly approvals: readonly Approval[];
  /** The message of the page that goes on, where it does: for `toUIMessageStream`. */
  readonly messageId: string | undefined;
}

/**
 * The messages of a page (`useChat` sends them whole) as our history, with what a person decided on its calls. What is
 * missing or half there is left out; a run mends the rest. They come from outside: a server that must not
 * trust a page keeps histories at home, or signs approvals with `approvalKey`.
 */
export function readUIMessages(given: readonly unknown[]): ReadUIMessages {
  const approvals: Approval[] = [];
  const list = (given as readonly JsonValue[]).filter(isJsonObject);
  const messages = list.flatMap((message): readonly Message[] => {
    const parts = Array.isArray(message['parts'])
      ? (message['parts'] as readonly JsonValue[]).filter(isJsonObject)
      : [];
    if (message['role'] === 'assistant') return stepsOf(parts).flatMap((step) => readStep(step, approvals));
    if (message['role'] === 'system')
      return [{ role: 'system', content: parts.map(({ text }) => textOf(text)).join('\n') }];
    return message['role'] === 'user' ? [{ role: 'user', content: parts.flatMap(readUserPart) }] : [];
  });
  const last = list.at(-1);
  const goesOn = last?.['role'] === 'assistant' && typeof last['id'] === 'string';
  // An old decision is written in the history; only what waits at its end is still to be carried out.
  const end = messages.at(-1);
  const waiting = new Set(end?.role === 'tool' ? end.results.map(({ callId }) => callId) : []);
  return {
    messages,
    approvals: approvals.filter(({ callId }) => waiting.has(callId)),
    messageId: goesOn ? String(last['id']) : undefined,
  };
}

/** A message of the page holds all steps of a run. */
function stepsOf(parts: readonly JsonObject[]): readonly (readonly JsonObject[])[] {
  const steps: JsonObject[][] = [[]];
  for (const part of parts) {
    if (part['type'] === 'step-start') steps.push([]);
    else steps.at(-1)!.push(part);
  }
  return steps;
}

function readStep(parts: readonly JsonObject[], approvals: Approval[]): readonly Message[] {
  const content: AssistantPart[] = [];
  const results: Result[] = [];
  for (const part of parts) {
    const type = textOf(part['type']);
    const data = dataOf(part['providerMetadata']);
    if (type === 'text') content.push({ type: 'text', text: textOf(part['text']), ...data });
    else if (type === 'reasoning') content.push({ type: 'reasoning', text: textOf(part['text']), ...data });
    else if (type === 'dynamic-tool' || type.startsWith('tool-'))
      readCall(part, type, { content, results, approvals });
  }
  return [
    ...(content.length > 0 ? [{ role: 'assistant', content } as const] : []),
    ...(results.length > 0 ? [{ role: 'tool', results } as const] : []),
  ];
}

interface Into {
  readonly content: AssistantPart[];
  readonly results: Result[];
  readonly approvals: Approval[];
}

function readCall(part: JsonObject, type: string, { content, results, approvals }: Into): void {
  const state = textOf(part['state']);
  // Its arguments had not all come.
  if (state === 'input-streaming') return;
  const { input, output, errorText, rawInput } = part;
  const given = input ?? rawInput;
  const call: Call = {
    type: 'call',
    id: textOf(part['toolCallId']),
    name: type === 'dynamic-tool' ? textOf(part['toolName']) : type.slice('tool-'.length),
    arguments: isJsonObject(given) ? given : textOf(given),
    kind: 'function',
    requiresLocalExecution: part['providerExecuted'] !== true,
    ...dataOf(part['callProviderMetadata']),
  };
  content.push(call);
  if (!call.requiresLocalExecution) {
    if (state === 'output-available')
      content.push({ type: 'hosted-result', callId: call.id, name: call.name, content: output ?? null });
    return;
  }
  if (state === 'output-available')
    results.push(textResult(call, typeof output === 'string' ? output : JSON.stringify(output ?? null)));
  if (state === 'output-error') results.push(errorResult(call, 'failed', textOf(errorText)));
  if (state === 'output-denied') results.push(errorResult(call, 'rejected', deniedText(call, part)));
  if (state === 'approval-requested' || state === 'approval-responded')
    results.push(
      errorResult(call, 'needs_approval', 'This call waits for a person to approve it. It was not run.'),
    );
  if (state === 'input-available')
    results.push(
      errorResult(
        call,
        'needs_client',
        'This call was handed to the program that asked for it. Its answer is not here yet.',
      ),
    );
  if (state === 'approval-responded') approvals.push(readApproval(call, part));
}

function readApproval(call: Call, part: JsonObject): Approval {
  const { id, approved, reason } = objectOf(part['approval']);
  const [hash = '', token] = textOf(id).split('.');
  return {
    callId: call.id,
    hash,
    decision: approved === true ? 'approve' : 'reject',
    ...(typeof reason === 'string' && { reason }),
    ...(token !== undefined && { token }),
  };
}

function deniedText(call: Call, part: JsonObject): string {
  const { reason } = objectOf(part['approval']);
  const because = typeof reason === 'string' ? ` The reason: ${reason}` : '';
  return `A person did not allow this call of "${call.name}", so it was not run.${because}`;
}

function readUserPart(part: JsonObject): readonly UserPart[] {
  if (part['type'] === 'text') return [{ type: 'text', text: textOf(part['text']) }];
  if (part['type'] !== 'file') return [];
  const mediaType = textOf(part['mediaType']);
  const source = sourceOf(textOf(part['url']), mediaType);
  if (mediaType.startsWith('image/')) return [{ type: 'image', source }];
  const title = part['filename'];
  return [{ type: 'document', source, ...(typeof title === 'string' && { title }) }];
}

function sourceOf(url: string, mediaType: string): Source {
  const data = /^data:[^,]*;base64,(.*)$/s.exec(url)?.[1];
  return data === undefined ? { kind: 'url', url, mediaType } : { kind: 'base64', data, mediaType };
}

function dataOf(given: JsonValue | undefined): { readonly providerData?: ProviderData } {
  return isJsonObject(given) ? { providerData: given as ProviderData } : {};
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
