import assert from 'node:assert/strict';
import { test } from 'node:test';

import { seededRandom } from '../../base/host/random.ts';
import type { JsonObject } from '../../base/json/value.ts';
import { recordings } from '../../../test/recordings.ts';
import { rounds, seed } from '../../../test/rounds.ts';
import type { Adapter, Chunk } from '../adapter.ts';
import { adapterOf } from '../catalog.ts';
import { encodeChunk } from '../transport/framing.ts';
import { listOf, objectOf, objectsOf, textOf } from '../json-fields.ts';
import { decodeBytes, decodeRecord, readEvents } from '../recording.ts';

/** Each file of recordings, and the API that reads it. */
const recorded = [
  { file: 'anthropic', api: 'anthropic' },
  { file: 'bedrock-converse', api: 'bedrock-converse' },
  { file: 'bedrock-invoke-anthropic', api: 'bedrock-invoke-anthropic' },
  { file: 'bedrock-invoke-nova', api: 'bedrock-invoke-nova' },
  { file: 'cohere', api: 'cohere' },
  { file: 'ollama', api: 'ollama' },
  { file: 'gemini', api: 'gemini' },
  { file: 'vertex-gemini', api: 'vertex-gemini' },
  { file: 'gemini-interactions', api: 'gemini-interactions' },
  { file: 'mistral', api: 'mistral' },
  { file: 'openai-responses', api: 'openai-responses' },
  { file: 'openai-responses-compat', api: 'openai-responses' },
  { file: 'openai-chat', api: 'openai-chat' },
  { file: 'openai-chat-compat', api: 'openai-chat' },
];

for (const { file, api } of recorded) {
  const adapter = adapterOf(api);
  const records = recordings(file);

  test(`reads every recorded answer of ${file} as it was`, () => {
    for (const record of records) assert.deepEqual(told(record), expected(record), String(record['id']));
  });

  test(`reads every recorded stream of ${file} alike, however its bytes are split`, () => {
    const random = seededRandom(seed(`splits of ${file}`));
    for (const record of records) {
      const bytes = bytesOf(record, adapter);
      if (bytes === undefined) continue;
      const whole = readEvents(adapter, decodeBytes(adapter, [bytes]));
      const single = Array.from(bytes, (byte) => Uint8Array.of(byte));
      assert.deepEqual(readEvents(adapter, decodeBytes(adapter, single)), whole, String(record['id']));
      for (let round = 0; round < rounds(2); round++) {
        const events = readEvents(adapter, decodeBytes(adapter, randomPieces(bytes, random)));
        assert.deepEqual(events, whole, String(record['id']));
      }
    }
  });

  test(`runs no call of ${file} that its provider had not completed, wherever the stream is cut`, () => {
    for (const record of records) {
      const chunks = chunksOf(record, adapter);
      if (chunks === undefined) continue;
      const whole = new Map(callEnds(adapter, chunks).map((call) => [call.id, call]));
      for (let length = 0; length < chunks.length; length++) {
        const events = readEvents(adapter, chunks.slice(0, length));
        assert.equal(events.filter((event) => event.type === 'finish').length, 1);
        assert.equal(events.at(-1)?.type, 'finish');
        const started = events.filter((event) => event.type === 'call-start').length;
        assert.equal(events.filter((event) => event.type === 'call-end').length, started);
        for (const call of callEnds(adapter, chunks.slice(0, length)))
          if (call.invalid === undefined)
            assert.deepEqual(call, whole.get(call.id), `${String(record['id'])} at ${length}`);
      }
    }
  });

  test(`passes every recorded stream of ${file} on as the provider would`, () => {
    for (const record of records) {
      const chunks = chunksOf(record, adapter);
      // What was written cannot be taken back, as a stream does that begins anew in the middle.
      if (chunks === undefined || /spliced-message-start/.test(String(record['id']))) continue;
      const events = readEvents(adapter, chunks);
      const again = readEvents(adapter, rewritten(adapter, events));
      assert.deepEqual(essence(again), essence(events), String(record['id']));
    }
  });
}

function told(record: JsonObject): unknown {
  const { text, calls, finish, usage, truncated, error } = decodeRecord(record);
  if (Number(record['status']) >= 400) return { error };
  return { text, calls, finish, usage, truncated, error };
}

/** What the recordings expect, in the fields that are compared. */
function expected(record: JsonObject): unknown {
  const answer = objectOf(record['expected']);
  if (Number(record['status']) >= 400) return { error: answer['error'] };
  const decoded = decodeRecord(record).calls;
  const usage = answer['usage'] as { input: number; output: number } | null;
  return {
    text: answer['text'],
    calls: objectsOf(answer['calls']).map((call, index) => ({
      id: call['id'],
      name: call['name'],
      arguments: call['arguments'],
      rawArguments: call['form'] === 'object' ? decoded[index]?.rawArguments : call['rawArguments'],
      server: call['server'] === true,
    })),
    finish: answer['finish'] ?? null,
    usage: usage === null ? null : { input: usage.input, output: usage.output },
    truncated: answer['truncated'],
    error: answer['error'] ?? null,
  };
}

function chunksOf(record: JsonObject, adapter: Adapter): readonly Chunk[] | undefined {
  const bytes = bytesOf(record, adapter);
  return bytes && decodeBytes(adapter, [bytes]);
}

function bytesOf(record: JsonObject, adapter: Adapter): Uint8Array | undefined {
  const binary = textOf(record['rawBase64']);
  if (binary !== undefined) return Buffer.from(binary, 'base64');
  const raw = textOf(record['raw']);
  if (raw !== undefined) return new TextEncoder().encode(raw);
  if (!Array.isArray(record['events'])) return undefined;
  const chunks = listOf(record['events']).map((event) => {
    const { event: name, data, text } = objectOf(event);
    return encodeChunk(adapter.framing, {
      ...(typeof name === 'string' ? { event: name } : {}),
      ...(data === null ? { text: String(text) } : { data: data! }),
    });
  });
  return Buffer.concat(chunks);
}

function* randomPieces(bytes: Uint8Array, random: () => number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length;) {
    const length = 1 + Math.floor(random() * 200);
    yield bytes.subarray(at, at + length);
    at += length;
  }
}

function callEnds(adapter: Adapter, chunks: readonly Chunk[]) {
  return readEvents(adapter, chunks).flatMap((event) => (event.type === 'call-end' ? [event.call] : []));
}

function rewritten(adapter: Adapter, events: ReturnType<typeof readEvents>): readonly Chunk[] {
  let state = adapter.writer.begin({ model: 'm', id: 'again' });
  return events.flatMap((event) => {
    const [next, chunks] = adapter.writer.write(state, event);
    state = next;
    return chunks;
  });
}

/** What must survive the way through our events and back. */
function essence(events: ReturnType<typeof readEvents>): unknown {
  const last = events.at(-1);
  assert.ok(last?.type === 'finish');
  const { reply } = last;
  const joined = (type: string): string =>
    reply.message.content
      .flatMap((part) => (part.type === type && 'text' in part ? [part.text] : []))
      .join('');
  return {
    text: joined('text'),
    reasoning: joined('reasoning'),
    calls: reply.message.content.flatMap((part) =>
      part.type === 'call' ? [[part.name, part.arguments, part.requiresLocalExecution]] : [],
    ),
    // Where a host says nothing, a server of ours has to say something.
    finish: reply.finish.reason === 'other' ? 'stop' : reply.finish.reason,
    complete: reply.complete,
    error: reply.error?.message,
    usage: reply.usage && [reply.usage.input, reply.usage.output, reply.usage.cachedRead],
  };
}
