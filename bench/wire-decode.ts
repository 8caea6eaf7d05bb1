import type { ModelRequest } from '../src/base/message/model.ts';
import { adapterOf } from '../src/wire/catalog.ts';
import { chunkDecoder } from '../src/wire/transport/framing.ts';
import { providerModel } from '../src/wire/model.ts';
import { type Claim, exponent, peer, round, timeInTurn } from './harness.ts';
import { type Api, answering, pieceLength, type Recording, recording } from './wire-recordings.ts';

/** Reads one recording and says what was in it. */
type Reader = () => string | Promise<string>;

const apis = ['anthropic', 'openai-chat', 'openai-responses', 'gemini'] as const;
const request: ModelRequest = { messages: [{ role: 'user', content: 'x' }] };

export const claim: Claim = {
  name: 'wire-decode',
  title: 'a streamed reply is decoded in linear time, at little more than the JSON.parse of its payloads',
  async measure({ rounds }) {
    const rows: Record<string, string | number>[] = [];
    const limits = [];
    for (const api of apis) {
      const small = recording(api, 20_000);
      const events = small.payloads.length;
      const readers = await readersOf(api, small);
      for (const [name, read] of Object.entries(readers))
        if ((await read()) !== small.text) throw new Error(`${name} did not read what was said in ${api}`);
      const times = await timeInTurn(
        {
          'JSON.parse of each payload': (count: number) => {
            for (let i = 0; i < count; i++) for (const payload of small.payloads) JSON.parse(payload);
          },
          ...contenders(readers),
        },
        { rounds },
      );
      const floor = times['JSON.parse of each payload'].median;
      for (const [reader, { median }] of Object.entries(times))
        rows.push({
          api,
          reader,
          events,
          'µs an event': round((median * 1000) / events),
          'times JSON.parse': round(median / floor),
        });
      const ours = (times as Record<string, { readonly median: number }>)['whetstone']!.median;
      limits.push({
        says: `${api}: µs an event beyond JSON.parse`,
        measured: round(((ours - floor) * 1000) / events),
        atMost: 3,
      });
      const large = recording(api, 400_000);
      limits.push({
        says: `${api}: exponent over 20 times the events`,
        measured: round(
          exponent(
            { size: events, time: ours },
            { size: large.payloads.length, time: await once(() => decode(api, large)) },
          ),
        ),
        atMost: 1.15,
      });
    }
    return {
      rows,
      limits,
      notes: [
        'One call whose arguments stream in pieces of 16 characters (from Gemini words, since its calls come whole), the body in pieces of 1,400 bytes.',
        '"whetstone" takes the framing off and reads the events; all others read the same bytes through a stubbed fetch, with all that they do around it.',
        "The official SDKs keep a snapshot of the whole at each event; AI SDK's providers check each chunk against a schema. A server of the API itself repeats the arguments at the end of a Responses stream.",
      ],
    };
  },
};

function contenders(readers: Readonly<Record<string, Reader>>) {
  return Object.fromEntries(
    Object.entries(readers).map(([name, read]) => [
      name,
      async (count: number) => {
        for (let i = 0; i < count; i++) await read();
      },
    ]),
  );
}

async function readersOf(api: Api, recorded: Recording): Promise<Readonly<Record<string, Reader>>> {
  const options = { apiKey: 'none', fetch: answering(recorded), maxRetries: 0 };
  const model = providerModel(adapterOf(api), 'bench', 'm', { apiKey: 'none', fetch: options.fetch });
  const sdk = await officialReader(api, options);
  return {
    whetstone: () => decode(api, recorded),
    'whetstone through fetch': async () => {
      let text = '';
      for await (const event of model.stream(request))
        if (event.type === 'call-delta' || event.type === 'text') text += event.text;
      return text;
    },
    'AI SDK provider': await aiSdkReader(api, options),
    ...(sdk && { 'official SDK': sdk }),
  };
}

function decode(api: Api, { bytes }: Recording): string {
  const adapter = adapterOf(api);
  const decoder = chunkDecoder(adapter.framing);
  let state = adapter.reader.begin();
  let text = '';
  for (let at = 0; at < bytes.length; at += pieceLength)
    for (const chunk of decoder.feed(bytes.subarray(at, at + pieceLength))) {
      const [next, events] = adapter.reader.read(state, chunk);
      state = next;
      for (const event of events)
        if (event.type === 'call-delta' || event.type === 'text') text += event.text;
    }
  const last = adapter.reader.end(state)[1].at(-1);
  if (last?.type !== 'finish' || !last.reply.complete)
    throw new Error('the recording was not read to its end');
  return text;
}

interface StubbedOptions {
  readonly apiKey: string;
  readonly fetch: () => Promise<Response>;
}

interface AiModel {
  doStream(call: object): Promise<{
    stream: ReadableStream<{ readonly type: string; readonly delta?: string }>;
  }>;
}

async function aiSdkReader(api: Api, options: StubbedOptions): Promise<Reader> {
  const model = await aiSdkModel(api, options);
  const prompt = [{ role: 'user', content: [{ type: 'text', text: 'x' }] }];
  return async () => {
    let text = '';
    const { stream } = await model.doStream({ prompt });
    for await (const { type, delta } of stream)
      if (type === 'tool-input-delta' || type === 'text-delta') text += delta ?? '';
    return text;
  };
}

interface AiProvider {
  (model: string): AiModel;
  chat(model: string): AiModel;
  responses(model: string): AiModel;
}

async function aiSdkModel(api: Api, options: StubbedOptions): Promise<AiModel> {
  type Create<Name extends string> = Record<Name, (options: object) => AiProvider>;
  if (api === 'anthropic')
    return (await peer<Create<'createAnthropic'>>('@ai-sdk/anthropic')).createAnthropic(options)('m');
  if (api === 'gemini')
    return (await peer<Create<'createGoogleGenerativeAI'>>('@ai-sdk/google')).createGoogleGenerativeAI(
      options,
    )('m');
  const openai = (await peer<Create<'createOpenAI'>>('@ai-sdk/openai')).createOpenAI(options);
  return api === 'openai-chat' ? openai.chat('m') : openai.responses('m');
}

interface Anthropic {
  default: new (options: object) => {
    messages: {
      stream(request: object): { finalMessage(): Promise<{ content: readonly { input: unknown }[] }> };
    };
  };
}

interface OpenAI {
  default: new (options: object) => {
    chat: {
      completions: {
        stream(request: object): {
          finalChatCompletion(): Promise<{
            choices: readonly {
              message: { tool_calls: readonly { function: { arguments: string } }[] };
            }[];
          }>;
        };
      };
    };
    responses: {
      stream(request: object): {
        finalResponse(): Promise<{ output: readonly { arguments: string }[] }>;
      };
    };
  };
}

/** Google's SDK takes no fetch of ours. */
async function officialReader(api: Api, options: StubbedOptions): Promise<Reader | undefined> {
  const messages = [{ role: 'user', content: 'x' }];
  if (api === 'anthropic') {
    const { default: Client } = await peer<Anthropic>('@anthropic-ai/sdk');
    return async () => {
      const stream = new Client(options).messages.stream({ model: 'm', max_tokens: 9, messages });
      return JSON.stringify((await stream.finalMessage()).content[0]!.input);
    };
  }
  const { default: Client } = await peer<OpenAI>('openai');
  if (api === 'openai-chat')
    return async () => {
      const stream = new Client(options).chat.completions.stream({ model: 'm', messages });
      const { choices } = await stream.finalChatCompletion();
      return choices[0]!.message.tool_calls[0]!.function.arguments;
    };
  if (api === 'openai-responses')
    return async () => {
      const stream = new Client(options).responses.stream({ model: 'm', input: 'x' });
      return (await stream.finalResponse()).output[0]!.arguments;
    };
  return undefined;
}

async function once(work: () => unknown): Promise<number> {
  const times = await timeInTurn(
    {
      large: (count: number) => {
        for (let i = 0; i < count; i++) work();
      },
    },
    { rounds: 3 },
  );
  return times.large.median;
}
