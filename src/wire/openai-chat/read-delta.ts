import { isJsonObject } from '../../base/json/value.ts';
import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import type { ReadContext } from '../adapter.ts';
import { ReplyAssembler } from '../reply/assemble-reply.ts';
import { filledText, numberOf, objectOf, objectsOf, parseJson, restOf, textOf } from '../json-fields.ts';
import type { ChatHost } from './hosts.ts';

/** What is known between two chunks; a whole message is read as one chunk. */
export interface DeltaState {
  readonly reply: ReplyAssembler;
  readonly host: ChatHost;
  /** Which call a server means by an index: some reuse one for the next call. */
  readonly atIndex: Map<number, string>;
  lastCall: string | undefined;
  calls: number;
  /** Parts of the content that only the host knows. */
  others: number;
  reasoningDetails: JsonObject[];
}

export function beginReading(host: ChatHost, context: ReadContext): DeltaState {
  return {
    reply: new ReplyAssembler(host.api, context),
    host,
    atIndex: new Map(),
    lastCall: undefined,
    calls: 0,
    others: 0,
    reasoningDetails: [],
  };
}

/** A delta of a stream, or a whole message: the same fields, each by piece or at once. */
export function readDelta(state: DeltaState, delta: JsonObject, isWhole = false): void {
  readReasoning(state, delta);
  readContent(state, delta['content']);
  const refusal = filledText(delta['refusal']);
  if (refusal !== undefined) state.reply.refusal('refusal', refusal);
  for (const annotation of objectsOf(delta['annotations'])) {
    state.reply.text('text', '');
    state.reply.append('text', 'annotations', annotation);
  }
  const given = delta['tool_calls'];
  const calls = isJsonObject(given) ? [given] : objectsOf(given);
  for (const [place, call] of calls.entries()) {
    const isPlaced = calls.length > 1 && (isWhole || hasName(call) || state.atIndex.has(place));
    readCall(state, call, isPlaced ? place : undefined);
  }
  readLegacyCall(state, objectOf(delta['function_call']));
}

/** What is only known at the end. */
export function endReading(state: DeltaState): void {
  if (state.reasoningDetails.length === 0) return;
  state.reply.reasoning('reasoning', '');
  state.reply.remember('reasoning', { reasoning_details: state.reasoningDetails });
}

function readContent(state: DeltaState, content: JsonValue | undefined): void {
  if (typeof content === 'string') {
    if (content !== '') state.reply.text('text', content);
    return;
  }
  for (const part of objectsOf(content)) {
    if (part['type'] === 'text') readContent(state, textOf(part['text']) ?? '');
    else if (part['type'] === 'thinking') readThinking(state, part);
    else if (part['type'] === 'refusal') state.reply.refusal('refusal', textOf(part['refusal']) ?? '');
    else state.reply.part(`other ${state.others++}`, { type: 'other', api: state.host.api, raw: part });
  }
}

function readThinking(state: DeltaState, part: JsonObject): void {
  const text = objectsOf(part['thinking'])
    .map((each) => textOf(each['text']) ?? '')
    .join('');
  state.reply.reasoning('reasoning', text);
  state.reply.remember('reasoning', { chunk: true, ...restOf(part, ['type', 'thinking']) });
}

function readReasoning(state: DeltaState, delta: JsonObject): void {
  const field = filledText(delta['reasoning_content']) === undefined ? 'reasoning' : 'reasoning_content';
  const details = objectsOf(delta['reasoning_details']);
  const said = filledText(delta[field]);
  const text = said ?? details.map((each) => textOf(each['text']) ?? '').join('');
  if (text !== '') state.reply.reasoning('reasoning', text);
  if (said !== undefined) state.reply.remember('reasoning', { field });
  for (const detail of details) mergeDetail(state.reasoningDetails, detail);
}

/** Pieces of one detail carry its index; put together they are what must go back. */
function mergeDetail(details: JsonObject[], piece: JsonObject): void {
  const at = details.findIndex((each) => each['index'] === piece['index'] && each['type'] === piece['type']);
  const known = details[at];
  if (known === undefined || piece['index'] === undefined) {
    details.push(piece);
    return;
  }
  const merged: Record<string, JsonValue> = { ...known, ...piece };
  for (const field of ['text', 'summary', 'data'])
    if (typeof known[field] === 'string' && typeof piece[field] === 'string')
      merged[field] = known[field] + piece[field];
  details[at] = merged;
}

/** `place`: among several in one delta, which is all that tells calls without a number apart once they have begun. */
function readCall(state: DeltaState, call: JsonObject, place: number | undefined): void {
  const { reply } = state;
  const body = objectOf(call['function'] ?? call['custom']);
  const isCustom = call['type'] === 'custom' || isJsonObject(call['custom']);
  const id = filledText(call['id']);
  const name = filledText(body['name']);
  const key = keyOf(state, indexOf(call['index']) ?? place, id, name);
  state.lastCall = key;
  const known = reply.callAt(key);
  if (known === undefined || known.name === '' || known.wireId === '')
    reply.call(key, { id, name, kind: isCustom ? 'custom' : 'function' });
  reply.remember(key, restOf(call, ['index', 'id', 'type', 'function', 'custom']));
  const given = body['arguments'] ?? body['input'];
  if (typeof given === 'string') reply.arguments(key, given);
  else if (isJsonObject(given)) reply.wholeArguments(key, given);
}

function hasName(call: JsonObject): boolean {
  return filledText(objectOf(call['function'] ?? call['custom'])['name']) !== undefined;
}

/** Some servers write the index as text. */
function indexOf(index: JsonValue | undefined): number | undefined {
  return numberOf(typeof index === 'string' && index !== '' ? Number(index) : index);
}

/**
 * Which call a delta continues. Servers leave out the index, repeat the id, send it empty, or give every call
 * the same index: another id with a name is another call, a name without an id is one once the arguments
 * before it are whole, everything else continues.
 */
function keyOf(
  state: DeltaState,
  index: number | undefined,
  id: string | undefined,
  name: string | undefined,
): string {
  const byId = id === undefined ? undefined : `id ${id}`;
  const current = index === undefined ? state.lastCall : state.atIndex.get(index);
  const known = current === undefined ? undefined : state.reply.callAt(current);
  if (current !== undefined && known !== undefined) {
    const otherId = id !== undefined && known.wireId !== '' && known.wireId !== id;
    if (index === undefined && byId !== undefined && state.reply.callAt(byId) && otherId) return byId;
    const another = name !== undefined && (otherId || (id === undefined && isWhole(known)));
    if (!another) return current;
  }
  const fresh = byId !== undefined && state.reply.callAt(byId) === undefined ? byId : `call ${state.calls}`;
  state.calls++;
  if (index !== undefined) state.atIndex.set(index, fresh);
  return fresh;
}

function isWhole(call: { readonly text: string; readonly name: string }): boolean {
  return call.name !== '' && call.text !== '' && isJsonObject(parseJson(call.text));
}

/** The form before `tool_calls`; one host adds an empty one to every message. */
function readLegacyCall(state: DeltaState, call: JsonObject): void {
  const name = filledText(call['name']);
  if (name === undefined && state.reply.callAt('function_call') === undefined) return;
  state.reply.call('function_call', { name });
  state.reply.remember('function_call', { function_call: true });
  const given = call['arguments'];
  if (isJsonObject(given)) state.reply.wholeArguments('function_call', given);
  else state.reply.arguments('function_call', textOf(given) ?? '');
}
