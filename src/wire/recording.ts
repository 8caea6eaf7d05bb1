import { WhetstoneError } from '../base/host/errors.ts';
import { isJsonObject } from '../base/json/value.ts';
import type { JsonObject, JsonValue } from '../base/json/value.ts';
import type { Call } from '../base/message/call.ts';
import type { ModelError, ModelEvent, Reply } from '../base/message/model.ts';
import type { Adapter, Chunk, PrintedUsage } from './adapter.ts';
import { adapterOf } from './catalog.ts';
import { isErrorBody, readError } from './reply/error.ts';
import { chunkDecoder } from './transport/framing.ts';
import { omitUndefined, listOf, numberOf, objectOf, parseJson, textOf } from './json-fields.ts';

/** One recorded answer of a provider, decoded: what `whet wire decode` prints. */
export interface DecodedReply {
  readonly id?: string;
  readonly text: string;
  readonly calls: readonly DecodedCall[];
  /** The provider's own value. */
  readonly finish: JsonValue;
  readonly usage: PrintedUsage | null;
  /** The stream broke off: neither an end nor an error came. */
  readonly truncated: boolean;
  readonly error: string | null;
  /** Calls that the stream broke off in; they must not run. */
  readonly cut?: readonly DecodedCall[];
}

export interface DecodedCall {
  readonly id: string | null;
  readonly name: string;
  /** Parsed; null when they are not an object. */
  readonly arguments: JsonObject | null;
  readonly rawArguments: string;
  /** The provider runs it. */
  readonly server: boolean;
}

/** A recorded exchange, from whichever of `rawBase64`, `raw`, `events`, `response` it has. */
export function decodeRecord(record: JsonObject): DecodedReply {
  const id = textOf(record['id']);
  const api = textOf(record['api']);
  if (api === undefined)
    throw new WhetstoneError(
      'recording_unreadable',
      `The record${id === undefined ? '' : ` ${id}`} does not say in "api" whose it is. Give --api NAME.`,
    );
  const adapter = adapterOf(apiOf(api));
  const status = numberOf(record['status']) ?? 200;
  const body = record['response'] ?? null;
  const raw = textOf(record['raw']);
  if (status >= 400) return omitUndefined({ id, ...failed(readError(status, body ?? raw ?? '')) });
  const chunks = chunksOf(record, adapter);
  if (chunks !== undefined) return omitUndefined({ id, ...decodeChunks(chunks, raw, adapter) });
  if (isJsonObject(body)) return omitUndefined({ id, ...decodeWhole(body, adapter) });
  if (typeof body === 'string') return omitUndefined({ id, ...failed(readError(undefined, body)) });
  throw new WhetstoneError('recording_unreadable', `Record ${id ?? ''} has no stream and no response body.`);
}

/** A body as it was saved: a stream, or a whole reply as JSON. */
export function decodeBody(bytes: Uint8Array, adapter: Adapter): DecodedReply {
  const text = new TextDecoder().decode(bytes);
  const whole = parseJson(text);
  if (isJsonObject(whole) && !looksLikeChunk(whole, adapter)) return decodeWhole(whole, adapter);
  if (text.trim() === '')
    throw new WhetstoneError('recording_unreadable', 'There is nothing to decode: the input is empty.');
  if (text.trimStart().startsWith('<'))
    throw new WhetstoneError('recording_unreadable', readError(undefined, text).message);
  const chunks = decodeBytes(adapter, [bytes]);
  if (chunks.some((chunk) => chunk.data !== undefined))
    return decodeReply(readChunks(adapter, chunks), adapter);
  throw new WhetstoneError(
    'recording_unreadable',
    `These ${bytes.length} bytes are neither a stream of the API ${adapter.api} nor a JSON reply: ${JSON.stringify(text.slice(0, 60))}…`,
  );
}

/** A recorded stream; one that holds no event at all may be a whole body, or what a proxy said. */
function decodeChunks(chunks: readonly Chunk[], raw: string | undefined, adapter: Adapter): DecodedReply {
  const isStream = chunks.some(({ data, text }) => data !== undefined || text === '[DONE]');
  if (isStream || raw === undefined || raw.trim() === '')
    return decodeReply(readChunks(adapter, chunks), adapter);
  const whole = parseJson(raw);
  if (Array.isArray(whole)) return decodeReply(readChunks(adapter, asChunks(whole)), adapter);
  return isJsonObject(whole) ? decodeWhole(whole, adapter) : failed(readError(undefined, raw));
}

function decodeWhole(body: JsonObject, adapter: Adapter): DecodedReply {
  return isErrorBody(body)
    ? failed(readError(undefined, body))
    : decodeReply(adapter.readReply(body), adapter);
}

/** One line of NDJSON is JSON too. */
function looksLikeChunk(value: JsonObject, adapter: Adapter): boolean {
  return adapter.framing === 'ndjson' && value['done'] === false;
}

/** All chunks of a body, whatever pieces it comes in. */
export function decodeBytes(adapter: Adapter, pieces: Iterable<Uint8Array>): readonly Chunk[] {
  const decoder = chunkDecoder(adapter.framing);
  const chunks: Chunk[] = [];
  for (const piece of pieces) chunks.push(...decoder.feed(piece));
  chunks.push(...decoder.end());
  return chunks;
}

/** All events of a stream. */
export function readEvents(adapter: Adapter, chunks: Iterable<Chunk>): readonly ModelEvent[] {
  const events: ModelEvent[] = [];
  let state = adapter.reader.begin();
  for (const chunk of chunks) {
    const [next, told] = adapter.reader.read(state, chunk);
    state = next;
    events.push(...told);
  }
  events.push(...adapter.reader.end(state)[1]);
  return events;
}

function readChunks(adapter: Adapter, chunks: Iterable<Chunk>): Reply {
  const last = readEvents(adapter, chunks).at(-1);
  if (last?.type !== 'finish') throw new Error('a reader ended without its finish event');
  return last.reply;
}

function chunksOf(record: JsonObject, adapter: Adapter): readonly Chunk[] | undefined {
  const binary = textOf(record['rawBase64']);
  if (binary !== undefined) return decodeBytes(adapter, [Buffer.from(binary, 'base64')]);
  const raw = textOf(record['raw']);
  if (raw !== undefined) return decodeBytes(adapter, [new TextEncoder().encode(raw)]);
  if (Array.isArray(record['response'])) return asChunks(listOf(record['response']));
  if (!Array.isArray(record['events'])) return undefined;
  return listOf(record['events']).map((event): Chunk => {
    const { event: name, data, text } = objectOf(event);
    return omitUndefined({ event: textOf(name), data: data ?? undefined, text: textOf(text) });
  });
}

/** A stream that came as one JSON array of its chunks. */
function asChunks(list: readonly JsonValue[]): readonly Chunk[] {
  return list.map((data) => ({ data }));
}

/** A reply in the words of the command line. */
function decodeReply(reply: Reply, adapter: Adapter): DecodedReply {
  const calls = reply.message.content.filter((part) => part.type === 'call');
  const lost = !reply.complete;
  // What was damaged on the way is not an error of the provider: the recording is not all there.
  const error = reply.error?.kind === 'network' ? undefined : reply.error;
  const cut = calls.filter((call) => lost && call.invalid?.reason === 'truncated');
  return omitUndefined({
    text: reply.message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(''),
    calls: calls.filter((call) => !cut.includes(call)).map(decodeCall),
    finish: reply.finish.raw ?? null,
    usage: reply.usage === undefined ? null : adapter.printUsage(reply.usage),
    truncated: lost && error === undefined,
    error: error?.message ?? null,
    cut: cut.length > 0 ? cut.map(decodeCall) : undefined,
  });
}

function decodeCall(call: Call): DecodedCall {
  const given = call.wireArguments ?? call.arguments;
  const value = typeof given === 'string' ? parseJson(given === '' ? '{}' : given) : given;
  return {
    id: call.idMadeUp === true ? null : (call.wireId ?? call.id),
    name: call.name,
    arguments: value === null ? {} : isJsonObject(value) && call.kind !== 'custom' ? value : null,
    rawArguments: typeof given === 'string' ? given : JSON.stringify(given),
    server: !call.requiresLocalExecution,
  };
}

function failed(error: ModelError): DecodedReply {
  return { text: '', calls: [], finish: null, usage: null, truncated: false, error: error.message };
}

/** Recordings name the host's kind too: the format is what counts. */
function apiOf(name: string): string {
  return name.replace(/-compat$/, '');
}
