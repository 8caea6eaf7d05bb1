import { adapterOf } from '../src/wire/catalog.ts';
import { chunkDecoder } from '../src/wire/framing.ts';
import { type Claim, exponent, peer, round, timeInTurn } from './harness.ts';

/** Kept so that no compiler drops the work. */
const sink: unknown[] = [];

interface Anthropic {
  default: new (options: object) => {
    messages: { stream(request: object): { finalMessage(): Promise<{ content: readonly unknown[] }> } };
  };
}

interface OpenAI {
  default: new (options: object) => {
    chat: {
      completions: {
        stream(request: object): { finalChatCompletion(): Promise<{ choices: readonly unknown[] }> };
      };
    };
  };
}

export const claim: Claim = {
  name: 'wire-decode',
  title: 'a streamed reply is decoded in linear time, at little more than the JSON.parse of its payloads',
  async measure({ rounds }) {
    const { default: Anthropic } = await peer<Anthropic>('@anthropic-ai/sdk');
    const { default: OpenAI } = await peer<OpenAI>('openai');
    const rows: Record<string, string | number>[] = [];
    const limits = [];
    for (const api of ['anthropic', 'openai-chat'] as const) {
      const { payloads, bytes, text } = recording(api, 20_000);
      const answer = (): Promise<Response> =>
        Promise.resolve(new Response(inPieces(bytes), { headers: { 'content-type': 'text/event-stream' } }));
      const options = { apiKey: 'none', fetch: answer, maxRetries: 0 };
      const messages = [{ role: 'user', content: 'x' }];
      const sdk =
        api === 'anthropic'
          ? async () =>
              (
                await new Anthropic(options).messages
                  .stream({ model: 'm', max_tokens: 9, messages })
                  .finalMessage()
              ).content
          : async () =>
              (
                await new OpenAI(options).chat.completions
                  .stream({ model: 'm', messages })
                  .finalChatCompletion()
              ).choices;
      if (JSON.stringify(await sdk()).length < text.length || decode(api, bytes) !== text)
        throw new Error(`the contenders did not read the same arguments of ${api}`);
      const times = await timeInTurn(
        {
          'JSON.parse of each payload': (count: number) => {
            for (let i = 0; i < count; i++) for (const payload of payloads) sink[0] = JSON.parse(payload);
          },
          whetstone: (count: number) => {
            for (let i = 0; i < count; i++) sink[0] = decode(api, bytes);
          },
          'official SDK': async (count: number) => {
            for (let i = 0; i < count; i++) sink[0] = await sdk();
          },
        },
        { rounds },
      );
      const floor = times['JSON.parse of each payload'].median;
      for (const [reader, { median }] of Object.entries(times))
        rows.push({
          api,
          reader,
          events: payloads.length,
          'µs an event': round((median * 1000) / payloads.length),
        });
      limits.push({
        says: `${api}: µs an event beyond JSON.parse`,
        measured: round(((times.whetstone.median - floor) * 1000) / payloads.length),
        atMost: 3,
      });
      const large = recording(api, 400_000);
      const [small, big] = [times.whetstone.median, await once(() => decode(api, large.bytes))];
      limits.push({
        says: `${api}: exponent over 20 times the events`,
        measured: round(
          exponent({ size: payloads.length, time: small }, { size: large.payloads.length, time: big }),
        ),
        atMost: 1.15,
      });
    }
    return {
      rows,
      limits,
      notes: [
        'One call whose arguments stream in pieces of 16 characters, the body in pieces of 1,400 bytes. The SDKs read it through a stubbed fetch.',
        'Whetstone hands out an event a piece; the SDKs also keep a snapshot of the whole.',
      ],
    };
  },
};

async function once(work: () => unknown): Promise<number> {
  const times = await timeInTurn(
    {
      large: (count: number) => {
        for (let i = 0; i < count; i++) sink[0] = work();
      },
    },
    { rounds: 3 },
  );
  return times.large.median;
}

function decode(api: string, bytes: Uint8Array): string {
  const adapter = adapterOf(api);
  const decoder = chunkDecoder(adapter.framing);
  let state = adapter.reader.begin();
  let text = '';
  for (let at = 0; at < bytes.length; at += 1400)
    for (const chunk of decoder.feed(bytes.subarray(at, at + 1400))) {
      const [next, events] = adapter.reader.read(state, chunk);
      state = next;
      for (const event of events) if (event.type === 'call-delta') text += event.text;
    }
  const last = adapter.reader.end(state)[1].at(-1);
  if (last?.type !== 'finish' || !last.reply.complete)
    throw new Error('the recording was not read to its end');
  return text;
}

/** A reply with one call, as its provider streams it. */
function recording(api: 'anthropic' | 'openai-chat', length: number) {
  const text = JSON.stringify({
    rows: Array.from({ length: length / 20 }, (_, index) => `row "${index}" of many`),
  });
  const pieces = Array.from({ length: Math.ceil(text.length / 16) }, (_, index) =>
    text.slice(index * 16, index * 16 + 16),
  );
  const events = api === 'anthropic' ? anthropicEvents(pieces) : chatEvents(pieces);
  const payloads = events.map((event) => JSON.stringify(event));
  const framed = events.map(
    (event, index) =>
      `${'type' in event ? `event: ${String(event.type)}\n` : ''}data: ${payloads[index]}\n\n`,
  );
  const end = api === 'anthropic' ? '' : 'data: [DONE]\n\n';
  return { text, payloads, bytes: new TextEncoder().encode(framed.join('') + end) };
}

function anthropicEvents(pieces: readonly string[]): readonly object[] {
  const usage = { input_tokens: 9, output_tokens: 1 };
  return [
    {
      type: 'message_start',
      message: {
        id: 'm',
        type: 'message',
        role: 'assistant',
        model: 'm',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage,
      },
    },
    {
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'tool_use', id: 't', name: 'write', input: {} },
    },
    ...pieces.map((piece) => ({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'input_json_delta', partial_json: piece },
    })),
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'tool_use', stop_sequence: null },
      usage: { output_tokens: 9 },
    },
    { type: 'message_stop' },
  ];
}

function chatEvents(pieces: readonly string[]): readonly object[] {
  const chunk = (delta: object, finish_reason: string | null = null): object => ({
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason }],
  });
  const call = (fields: object): object => ({ tool_calls: [{ index: 0, ...fields }] });
  return [
    chunk({
      role: 'assistant',
      content: null,
      ...call({ id: 't', type: 'function', function: { name: 'write', arguments: '' } }),
    }),
    ...pieces.map((piece) => chunk(call({ function: { arguments: piece } }))),
    chunk({}, 'tool_calls'),
  ];
}

function inPieces(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.subarray(at, (at += 1400)));
    },
  });
}
