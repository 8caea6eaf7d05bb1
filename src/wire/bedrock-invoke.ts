import type { JsonObject } from '../base/json/value.ts';
import type { Adapter, Chunk } from './adapter.ts';
import { isJsonObject } from '../base/json/value.ts';
import { isGarbled } from './reply/garbled.ts';
import { omitUndefined, objectOf, parseJson, restOf, textOf } from './json-fields.ts';

/** What Bedrock's InvokeModel adds to a body that is otherwise another API's. */
export interface InvokeEnvelope {
  readonly api: string;
  /** Fields of every request, such as `anthropic_version`. */
  readonly fields: JsonObject;
  /** How the stream names its events, where the inner API names them by an outer field. */
  readonly unwrap: (data: JsonObject) => Chunk;
}

/** Another API's adapter as Bedrock's InvokeModel carries it: the model in the path, the events in `chunk`s. */
export function bedrockInvoke(inner: Adapter, access: Adapter['access'], envelope: InvokeEnvelope): Adapter {
  const { api, fields, unwrap } = envelope;
  return {
    ...inner,
    api,
    framing: 'aws-event-stream',
    access: {
      ...access,
      path: (model, stream) =>
        `/model/${encodeURIComponent(model)}/${stream ? 'invoke-with-response-stream' : 'invoke'}`,
    },
    writeRequest(request, options) {
      const written = inner.writeRequest(request, options);
      return { ...written, body: { ...fields, ...restOf(written.body, ['model', 'stream']) } };
    },
    readRequest: (body) => inner.readRequest(restOf(body, Object.keys(fields)) ?? {}),
    reader: {
      begin: (context) => inner.reader.begin(context),
      read: (state, chunk) => inner.reader.read(state, isGarbled(chunk) ? chunk : unwrap(opened(chunk))),
      end: (state, error) => inner.reader.end(state, error),
    },
    writer: {
      begin: (options) => inner.writer.begin(options),
      write(state, event) {
        const [next, chunks] = inner.writer.write(state, event);
        return [next, chunks.map((chunk) => wrapped(chunk))];
      },
    },
  };
}

/** A chunk holds the inner event as base64; a recording may show it already opened. */
function opened(chunk: Chunk): JsonObject {
  const data = objectOf(chunk.data);
  const bytes = textOf(data['bytes']);
  const inner =
    bytes === undefined ? data : parseJson(new TextDecoder().decode(Buffer.from(bytes, 'base64')));
  if (!isJsonObject(inner)) return {};
  return chunk.event === undefined || chunk.event === 'chunk' ? inner : { [chunk.event]: inner };
}

/** Converse events carry their name outside; in an invoke envelope it is inside. */
function wrapped(chunk: Chunk): Chunk {
  const data = objectOf(chunk.data);
  const inner = 'type' in data || chunk.event === undefined ? data : { [chunk.event]: data };
  return { event: 'chunk', data: { bytes: Buffer.from(JSON.stringify(inner)).toString('base64') } };
}

/** `{messageStart: {…}}`: the name is the only field apart from the service's own metrics. */
export function unwrapNamed(data: JsonObject): Chunk {
  const [event, body] = Object.entries(data).find(([name]) => !name.startsWith('amazon-bedrock')) ?? [];
  return omitUndefined({ event, data: body });
}

/** The service's own exceptions have no type: they are under their name. */
export function unwrapTyped(data: JsonObject): Chunk {
  const [name, body] = Object.entries(data).find(([key]) => key.endsWith('Exception')) ?? [];
  if (name !== undefined)
    return { event: 'error', data: { type: 'error', error: { type: name, ...objectOf(body) } } };
  return omitUndefined({ event: textOf(data['type']), data });
}
