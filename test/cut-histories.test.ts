import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';

import { seededRandom } from '../src/base/host/random.ts';
import { systemClock } from '../src/base/host/clock.ts';
import { isWhetstoneError } from '../src/base/host/errors.ts';
import type { JsonObject } from '../src/base/json/value.ts';
import type { Message } from '../src/base/message/message.ts';
import type { Model, ModelEvent } from '../src/base/message/model.ts';
import type { Outcome } from '../src/run/loop/outcome.ts';
import { run } from '../src/run/loop/run.ts';
import type { Adapter, Chunk } from '../src/wire/adapter.ts';
import { adapterOf, apiNames } from '../src/wire/catalog.ts';
import { replyEvents } from '../src/wire/reply/reply-events.ts';
import { bodyText, wellFormed } from '../src/wire/request/body-text.ts';
import { refusalsOf } from './known-refusals.ts';
import { recordings } from './recordings.ts';
import { rounds, seed } from './rounds.ts';

/** Each file of recordings with the API that reads it. */
const sources = [
  ...apiNames.map((api) => [api, api] as const),
  ['openai-responses-compat', 'openai-responses'] as const,
];

/** How a reply can end before its end, as the program hears of it. */
const endings = ['drop', 'throw', 'abort', 'time-out'] as const;
type Ending = (typeof endings)[number];

/**
 * With `WHET_ROUNDS=100`: every ending at every event, sent to every API. Minutes for each, so one after the other:
 * `WHET_ROUNDS=100 node --conditions=whetstone-source --test --test-name-pattern='of mistral ' test/cut-histories.test.ts`.
 */
const isThorough = rounds(1) >= 100;

for (const [file, api] of sources)
  test(`whatever ends a reply of ${file} at any event, the history is refused by nobody`, async (t) => {
    const random = seededRandom(seed(`cuts of ${file}`));
    const found = new Map<string, string>();
    let cuts = 0;
    let sent = 0;
    for (const [at, stream] of streamsOf(file, api).entries()) {
      // A long stream says the same of itself over and over: some of it will do, and all of it in the long run.
      const stride = Math.ceil(stream.events.length / rounds(40));
      // Most endings leave the same history behind: it is judged once.
      const judged = new Set<string>();
      for (let events = at % stride; events <= stream.events.length; events += stride) {
        const ending = endings[(at + events) % endings.length]!;
        const all = isThorough ? endings : [ending];
        for (const each of all) {
          cuts++;
          const messages = await endedAt(stream, events, each);
          const history = hash('sha1', JSON.stringify(messages, withoutTimes));
          if (judged.has(history)) continue;
          judged.add(history);
          const targets = isThorough ? apiNames : [api, apiNames[Math.floor(random() * apiNames.length)]!];
          for (const target of targets) {
            sent++;
            for (const refusal of refusalsAfter(messages, target))
              found.set(
                `${target}: ${refusal.replaceAll(/\d+/g, 'N').slice(0, 120)}`,
                `${stream.id}, ${each} at ${events}: ${refusal}`,
              );
          }
        }
      }
    }
    t.diagnostic(`${cuts} cuts, ${sent} histories sent`);
    assert.deepEqual([...found.values()].slice(0, 5), []);
  });

test('histories that are handed from API to API, with replies of all of them, are refused by nobody', async (t) => {
  const random = seededRandom(seed('mixed histories'));
  const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)]!;
  const streams = sources.map(([file, api]) => streamsOf(file, api)).filter((each) => each.length > 0);
  if (streams.length === 0) return;
  const found = new Map<string, string>();
  const asked = rounds(60);
  for (let round = 0; round < asked; round++) {
    let messages: readonly Message[] = [];
    const told: string[] = [];
    for (let step = 1 + Math.floor(random() * 4); step > 0; step--) {
      const stream = pick(pick(streams));
      const whole = random() < 0.5;
      const events = whole ? stream.events.length : Math.floor(random() * (stream.events.length + 1));
      const ending = pick(endings);
      told.push(`${stream.id} ${whole ? 'whole' : `${ending} at ${events}`}`);
      messages = await endedAt(stream, events, ending, messages);
      const target = pick(apiNames);
      for (const refusal of refusalsAfter(messages, target))
        found.set(
          `${target}: ${refusal.replaceAll(/\d+/g, 'N').slice(0, 120)}`,
          `${target} after ${told.join(', ')}: ${refusal}`,
        );
    }
  }
  t.diagnostic(`${asked} histories`);
  assert.deepEqual([...found.values()].slice(0, 5), []);
});

function withoutTimes(name: string, value: unknown): unknown {
  return name === 'startedAt' || name === 'durationMs' ? undefined : value;
}

interface Stream {
  readonly id: string;
  readonly api: string;
  readonly adapter: Adapter;
  readonly events: readonly ModelEvent[];
}

const known = new Map<string, readonly Stream[]>();

/** Every recorded reply as events: streams as they were, others as they would have been streamed. */
function streamsOf(file: string, api: string): readonly Stream[] {
  const before = known.get(file);
  if (before !== undefined) return before;
  const adapter = adapterOf(api);
  const streams = recordings(file).flatMap((record): readonly Stream[] => {
    if (Number(record['status'] ?? 200) >= 400) return [];
    const events = eventsOf(record, adapter);
    return events === undefined ? [] : [{ id: String(record['id']), api, adapter, events }];
  });
  known.set(file, streams);
  return streams;
}

function eventsOf(record: JsonObject, adapter: Adapter): readonly ModelEvent[] | undefined {
  const { events: chunks, response } = record;
  if (Array.isArray(chunks)) return readAll(adapter, chunks as readonly Chunk[]);
  if (typeof response !== 'object' || response === null) return undefined;
  return [...replyEvents(adapter.readReply(response as JsonObject))];
}

/** What a stream tells before its end, and the end. */
function readAll(adapter: Adapter, chunks: readonly Chunk[]): readonly ModelEvent[] {
  let state = adapter.reader.begin();
  const told: ModelEvent[] = [];
  for (const chunk of chunks) {
    const [next, events] = adapter.reader.read(state, chunk);
    state = next;
    told.push(...events);
  }
  told.push(...adapter.reader.end(state)[1]);
  return told;
}

/** The history of a run whose model told so many events of its reply and then ended like this. */
async function endedAt(
  stream: Stream,
  count: number,
  ending: Ending,
  before: readonly Message[] = [],
): Promise<readonly Message[]> {
  const stop = new AbortController();
  let ring = (): void => undefined;
  const model: Model = {
    name: `${stream.api}/m`,
    api: stream.api,
    capabilities: { images: true, tools: true, parallelCalls: true, strict: true },
    generate: () => Promise.reject(new Error('Runs stream.')),
    async *stream() {
      yield* stream.events.slice(0, count);
      if (count >= stream.events.length) return;
      if (ending === 'throw') throw new Error('The line went dead.');
      if (ending === 'abort') stop.abort();
      if (ending === 'time-out') ring();
      // Whoever was stopped hears no more; a line that was dropped just ends.
      if (ending !== 'drop') await new Promise<void>(() => undefined);
    },
  };
  const clock = {
    ...systemClock,
    after(ms: number, callback: () => void) {
      if (ms === limit) ring = callback;
      return () => undefined;
    },
  };
  const ended = await run({
    model,
    messages: before,
    prompt: 'Go on.',
    clock,
    signal: stop.signal,
    replyRetries: 0,
    limits: { steps: 1, time: limit },
  }).catch((error: unknown) => {
    if (isWhetstoneError(error) && error.code === 'model_failed') return error.details['outcome'] as Outcome;
    throw error;
  });
  return ended.messages;
}

const limit = 987_654;

/** What the next request is refused for. */
function refusalsAfter(messages: readonly Message[], target: string): readonly string[] {
  const request = { messages: [...messages, { role: 'user', content: 'And now?' } as const] };
  const { body } = adapterOf(target).writeRequest(request, { model: 'm', stream: true });
  return refusalsOf(target, wellFormed(bodyText(body)));
}
