import type { Message } from '../src/base/message/message.ts';
import type { ToolSpec } from '../src/base/message/model.ts';
import { bodyText } from '../src/wire/request/body-text.ts';
import { adapterOf } from '../src/wire/catalog.ts';
import { type Claim, median, peer, round } from './harness.ts';

const early = 10;
const late = 200;

/** Plays a conversation turn by turn and answers what the early and the late turn cost, in milliseconds. */
type Play = () => Promise<Cost>;

interface Cost {
  readonly early: number;
  readonly late: number;
  /** Of the late turn: the text into bytes, which whoever sends it must do. */
  readonly bytes?: number;
}

export const claim: Claim = {
  name: 'wire-encode',
  title: 'one turn more of a conversation costs what the turn costs, at turn 200 as at turn 10',
  async measure({ rounds }) {
    const plays = new Map<string, Play>();
    for (const api of apis) plays.set(`${api}: whetstone`, () => Promise.resolve(playOurs(api)));
    for (const [name, play] of await aiSdkPlays()) plays.set(name, play);
    const costs = new Map<string, Cost[]>([...plays.keys()].map((name) => [name, []]));
    // The first plays are for the compiler.
    for (let play = -2; play < rounds * 3; play++)
      for (const [name, run] of plays) {
        const cost = await run();
        if (play >= 0) costs.get(name)!.push(cost);
      }
    const rows = [...costs].map(([name, measured]) => {
      const at = (which: keyof Cost): number => median(measured.map((cost) => cost[which] ?? 0)) * 1000;
      return {
        'who writes': name,
        'µs at turn 10': round(at('early')),
        'µs at turn 200': round(at('late')),
        growth: round(at('late') / at('early')),
        'µs of that body into bytes': measured[0]?.bytes === undefined ? '' : round(at('bytes')),
      };
    });
    return {
      rows,
      limits: rows.slice(0, apis.length).map((row) => ({
        says: `${row['who writes'].split(':')[0]}: turn 200 / turn 10`,
        measured: row.growth,
        atMost: 2,
      })),
      notes: [
        'A turn is a question, a call, its result and an answer, 1.6 KB as JSON; timed is the request and the text of its body.',
        "AI SDK's providers are timed from the prompt to the stubbed fetch; the prompt is handed to them as they want it.",
        'Bytes are made of the whole text for each request, by every client: they grow with the history.',
      ],
    };
  },
};

const apis = [
  'anthropic',
  'openai-chat',
  'openai-responses',
  'gemini',
  'gemini-interactions',
  'bedrock-converse',
  'mistral',
  'cohere',
  'ollama',
] as const;

const input = { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] } as const;
const tools: readonly ToolSpec[] = [{ kind: 'function', name: 'look', input }];

const words = {
  question: 'lorem ipsum dolor '.repeat(20),
  result: 'dolor sit amet '.repeat(40),
  answer: 'consectetur '.repeat(20),
};

function playOurs(api: string): Cost {
  const adapter = adapterOf(api);
  let messages: readonly Message[] = [];
  const took = { early: 0, late: 0, bytes: 0 };
  for (let turn = 0; turn <= late; turn++) {
    messages = [...messages, ...turnOf(turn, api)];
    const started = performance.now();
    const { body } = adapter.writeRequest({ messages, tools }, { model: 'm' });
    const text = bodyText(body);
    const written = performance.now();
    if (turn === early) took.early = written - started;
    if (turn !== late) continue;
    took.late = written - started;
    if (new TextEncoder().encode(text).length < text.length) throw new Error('fewer bytes than characters');
    took.bytes = performance.now() - written;
    if (text !== JSON.stringify(body)) throw new Error(`the body for ${api} is not what its text says`);
  }
  return took;
}

function turnOf(turn: number, api: string): readonly Message[] {
  const id = `call${String(turn).padStart(5, '0')}`;
  const from = { api, model: 'm' };
  const call = { type: 'call', id, name: 'look', arguments: '{"q":"x"}', kind: 'function' } as const;
  return [
    { role: 'user', content: `${turn} ${words.question}` },
    { role: 'assistant', from, content: [{ ...call, requiresLocalExecution: true }] },
    {
      role: 'tool',
      results: [{ callId: id, name: 'look', content: [{ type: 'text', text: words.result }] }],
    },
    { role: 'assistant', from, content: [{ type: 'text', text: words.answer }] },
  ];
}

type AiModel = (model: string) => { doGenerate(call: object): Promise<unknown> };

async function aiSdkPlays(): Promise<readonly (readonly [string, Play])[]> {
  const anthropic = await peer<{ createAnthropic(options: object): AiModel }>('@ai-sdk/anthropic');
  const google = await peer<{ createGoogleGenerativeAI(options: object): AiModel }>('@ai-sdk/google');
  const openai = await peer<{
    createOpenAI(options: object): { chat: AiModel; responses: AiModel };
  }>('@ai-sdk/openai');
  return [
    ['anthropic: AI SDK', playTheirs((options) => anthropic.createAnthropic(options))],
    ['openai-chat: AI SDK', playTheirs((options) => openai.createOpenAI(options).chat)],
    ['openai-responses: AI SDK', playTheirs((options) => openai.createOpenAI(options).responses)],
    ['gemini: AI SDK', playTheirs((options) => google.createGoogleGenerativeAI(options))],
  ];
}

function playTheirs(create: (options: object) => AiModel): Play {
  return async () => {
    let sent = 0;
    let length = 0;
    const fetch = (_url: string, { body }: { readonly body: string }): Promise<Response> => {
      sent = performance.now();
      length = body.length;
      return Promise.reject(new Error('stubbed'));
    };
    const model = create({ apiKey: 'none', fetch })('m');
    let prompt: readonly object[] = [];
    const took = { early: 0, late: 0 };
    for (let turn = 0; turn <= late; turn++) {
      prompt = [...prompt, ...theirTurn(turn)];
      if (turn !== early && turn !== late) continue;
      // Warm: what is timed is the writing, not its first time.
      for (let again = 0; again < 3; again++) {
        const started = performance.now();
        await model
          .doGenerate({ prompt, tools: [{ type: 'function', name: 'look', inputSchema: input }] })
          .catch(() => undefined);
        took[turn === early ? 'early' : 'late'] = sent - started;
      }
    }
    if (length < late * 1000) throw new Error('the peer did not write the whole conversation');
    return took;
  };
}

function theirTurn(turn: number): readonly object[] {
  const call = { toolCallId: `call${String(turn).padStart(5, '0')}`, toolName: 'look' };
  const output = { type: 'text', value: words.result };
  return [
    { role: 'user', content: [{ type: 'text', text: `${turn} ${words.question}` }] },
    { role: 'assistant', content: [{ type: 'tool-call', ...call, input: { q: 'x' } }] },
    { role: 'tool', content: [{ type: 'tool-result', ...call, output }] },
    { role: 'assistant', content: [{ type: 'text', text: words.answer }] },
  ];
}
