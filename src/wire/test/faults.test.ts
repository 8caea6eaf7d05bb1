import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';

import { rounds } from '../../../test/rounds.ts';
import type { Clock } from '../../base/host/clock.ts';
import { argumentsAsObject } from '../../base/message/arguments.ts';
import { callsOf, textOf } from '../../base/message/message.ts';
import type { Model, ModelEvent, ModelRequest, Reply } from '../../base/message/model.ts';
import { adapterOf } from '../catalog.ts';
import type { ModelOptions } from '../index.ts';
import { providerModel } from '../model.ts';
import { decodeBytes, readEvents } from '../recording.ts';
import { traffic } from './traffic.fixture.ts';
import type { Traffic } from './traffic.fixture.ts';

// One contract for the transport over every API: whatever goes wrong with an answer ends in the documented error
// or in a clean repetition, and nothing stays open.

const question: ModelRequest = {
  messages: [{ role: 'user', content: 'Rain in Oslo?' }],
  tools: [
    {
      kind: 'function',
      name: 'weather',
      input: { type: 'object', properties: { city: { type: 'string' } } },
    },
  ],
};

const rejections: unknown[] = [];
const onRejection = (reason: unknown): unknown => rejections.push(reason);
process.on('unhandledRejection', onRejection);
after(() => {
  process.off('unhandledRejection', onRejection);
  assert.deepEqual(rejections, []);
});

for (const each of traffic) {
  const { api } = each;

  test(`${api}: the same reply comes streamed and whole`, async () => {
    await using server = await serve((answer) => answer.all(), sayWhole(each));
    const streamed = await replyOf(server.model(each));
    const whole = await server.model(each).generate(question);
    for (const reply of [streamed, whole]) assertWhole(reply);
  });

  test(`${api}: asks again after a refusal that may pass, waits as it was told, and says so`, async () => {
    await using server = await serve(
      (answer) => answer.refuse(429, { 'retry-after': '7' }),
      (answer) => answer.refuse(503),
      (answer) => answer.all(),
    );
    const clock = manualClock({ passes: (ms) => ms === 7000 || ms === 1000 });
    const events = await eventsOf(server.model(each, { clock, retry: { random: () => 1 } }));
    assert.deepEqual(retriesIn(events), [
      [1, 7000, 'rate_limit'],
      [2, 1000, 'overloaded'],
    ]);
    assertWhole(endOf(events));
    assert.equal(clock.waiting(), 0);
  });

  test(`${api}: a refusal that lasts is the end, after as many attempts as are of use`, async () => {
    const expected = [
      [400, 'invalid_request', 1],
      [401, 'authentication', 1],
      [403, 'permission', 1],
      [404, 'invalid_request', 1],
      [408, 'timeout', 2],
      [409, 'invalid_request', 2],
      [413, 'context_too_long', 1],
      [429, 'rate_limit', 2],
      [500, 'server', 2],
      [501, 'server', 1],
      [503, 'overloaded', 2],
      [504, 'timeout', 2],
      [529, 'overloaded', 2],
    ] as const;
    for (const [status, kind, attempts] of expected) {
      await using server = await serve((answer) => answer.refuse(status));
      const model = server.model(each, quick());
      for (const reply of [await replyOf(model), await model.generate(question)]) {
        const { error } = reply;
        assert.deepEqual([error?.status, error?.kind, error?.message], [status, kind, `No: ${status}.`]);
        assert.deepEqual([reply.complete, reply.message.content], [false, []]);
      }
      assert.equal(server.asked, 2 * attempts, `${status}`);
    }
  });

  test(`${api}: a connection that is lost before the first event is made again`, async () => {
    const losses: readonly ((answer: Answer) => unknown)[] = [
      (answer) => answer.drop(),
      (answer) => answer.open().drop(),
      (answer) => answer.open().close(),
      (answer) => answer.open().send(each.frames[0]!.subarray(0, 12)).drop(),
    ];
    for (const lose of losses) {
      await using server = await serve(lose, (answer) => answer.all());
      const events = await eventsOf(server.model(each, quick()));
      assert.deepEqual(retriesIn(events), [[1, 500, 'network']]);
      assertWhole(endOf(events));
    }
    await using nothing = await serve((answer) => answer.say(200, each.contentType, ''));
    const { error } = await replyOf(nothing.model(each, { retry: { retries: 0 } }));
    assert.deepEqual([error?.kind, error?.message], ['network', 'The server answered 200 and sent no body.']);
    await using server = await serve((answer) => answer.drop(), sayWhole(each));
    assertWhole(await server.model(each, quick()).generate(question));
    await using half = await serve((answer) => answer.half());
    const reply = await half.model(each, quick()).generate(question);
    assert.deepEqual([reply.error?.kind, reply.complete, half.asked], ['network', false, 2]);
  });

  test(`${api}: a connection that is lost inside a reply ends it once, and its open call is never run`, async () => {
    const whole = Buffer.concat(each.frames);
    const step = Math.ceil(whole.length / rounds(20));
    for (let at = 1; at < whole.length; at += step)
      for (const end of ['drop', 'close'] as const) {
        await using server = await serve((answer) => answer.open().send(whole.subarray(0, at))[end]());
        const events = await eventsOf(server.model(each, { retry: { retries: 0 } }));
        const reply = endOf(events);
        if (reply.complete) continue;
        assert.equal(reply.error?.kind, 'network', `${end} after ${at}: ${reply.error?.message}`);
        assertCut(events, reply);
      }
  });

  test(`${api}: a damaged message inside a reply ends it: a call that lost a piece might still parse`, async () => {
    for (const at of each.frames.keys()) {
      const frames = each.frames.with(at, each.garbage);
      await using server = await serve((answer) =>
        answer
          .open()
          .send(...frames)
          .wait(),
      );
      const clock = manualClock();
      const events = await eventsOf(server.model(each, { clock, retry: { retries: 0 } }));
      const reply = endOf(events);
      // What is damaged behind the end of a reply has cost nothing of it.
      if (reply.complete) assert.ok(at > each.frames.length - 3);
      else {
        assert.equal(reply.error?.kind, 'network');
        assertCut(events, reply);
      }
      await server.idle();
      assert.equal(clock.waiting(), 0);
      if (adapterOf(api).framing === 'aws-event-stream') continue;
      // A recording is read on to its end: only what came whole behind the damage is a call all the same.
      const read = endOf(readEvents(adapterOf(api), decodeBytes(adapterOf(api), frames)));
      for (const call of callsOf(read.message))
        if (call.invalid === undefined) assert.deepEqual(argumentsAsObject(call), { city: 'Oslo' });
    }
  });

  test(`${api}: an error inside a stream ends it, and is a reason to ask again where nothing was said`, async () => {
    await using server = await serve(
      (answer) => answer.open().send(each.failure).wait(),
      (answer) =>
        answer
          .open()
          .send(...each.frames.slice(0, -2), each.failure)
          .wait(),
    );
    const events = await eventsOf(
      server.model(each, { ...quick(), retry: { ...quick().retry, retries: 1 } }),
    );
    const reply = endOf(events);
    assert.equal(server.asked, retriesIn(events).length + 1);
    assert.equal(retriesIn(events).length, reply.message.content.length > 0 ? 1 : 0);
    assert.match(reply.error?.message ?? '', /The house is full/);
    assertCut(events, reply);
    await server.idle();
  });

  test(`${api}: each of the four time-outs ends the exchange, says which it was, and leaves nothing`, async () => {
    const [first, ...rest] = each.frames as [Uint8Array, ...Uint8Array[]];
    const stages: Readonly<Record<string, readonly [(answer: Answer) => unknown, RegExp]>> = {
      connect: [(answer) => answer.wait(), /answer to the request did not come within 1001 ms/],
      firstChunk: [(answer) => answer.open().wait(), /first bytes of the reply did not come within 1002 ms/],
      betweenChunks: [(answer) => answer.open().send(first).wait(), /next bytes .* within 1003 ms/],
      total: [(answer) => answer.open().send(first, rest[0]!).wait(), /whole reply .* within 1004 ms/],
    };
    const timeouts = { connect: 1001, firstChunk: 1002, betweenChunks: 1003, total: 1004 };
    for (const [stage, [behave, message]] of Object.entries(stages)) {
      await using server = await serve(behave);
      const clock = manualClock();
      const reading = eventsOf(server.model(each, { clock, timeouts, retry: { retries: 0 } }));
      await server.reached();
      await clock.pass(timeouts[stage as keyof typeof timeouts]);
      const events = await reading;
      const reply = endOf(events);
      assert.equal(reply.error?.kind, 'timeout');
      assert.match(reply.error.message, message);
      assertCut(events, reply);
      await server.idle();
      assert.equal(clock.waiting(), 0);
    }
    await using server = await serve((answer) => answer.wait());
    const clock = manualClock();
    const waiting = server.model(each, { clock, timeouts, retry: { retries: 0 } }).generate(question);
    await server.reached();
    assert.equal(clock.waiting(), 1, 'a reply that is not streamed has only the whole time');
    await clock.pass(1004);
    assert.equal((await waiting).error?.kind, 'timeout');
    await server.idle();
  });

  test(`${api}: an abort at any moment ends the socket, and the reply with what had come`, async () => {
    for (let moment = 0; moment <= each.frames.length + 2; moment++) {
      await using server = await serve((answer) =>
        answer
          .open()
          .send(...each.frames.slice(0, -1))
          .wait(),
      );
      const clock = manualClock();
      const controller = new AbortController();
      const events: ModelEvent[] = [];
      if (moment === 0) controller.abort();
      const reading = (async () => {
        const model = server.model(each, { clock });
        for await (const event of model.stream(question, { signal: controller.signal }))
          if (events.push(event) === moment - 1) controller.abort();
      })();
      if (moment === 1) {
        await server.reached();
        controller.abort();
      }
      // The last frame is held back, so that a reply of few events is aborted while it waits.
      if (moment > 1) await Promise.race([reading, silence(events)]);
      controller.abort();
      await reading;
      const reply = endOf(events);
      if (reply.complete) continue;
      assert.deepEqual([reply.error?.kind, reply.complete], ['aborted', false]);
      assertCut(events, reply);
      await server.idle();
      assert.equal(clock.waiting(), 0);
    }
  });

  test(`${api}: an abort while it waits to ask again ends the waiting`, async () => {
    for (const way of ['stream', 'generate'] as const) {
      await using server = await serve((answer) => answer.refuse(429, { 'retry-after': '30' }));
      const clock = manualClock();
      const controller = new AbortController();
      const model = server.model(each, { clock });
      const options = { signal: controller.signal };
      const reply =
        way === 'generate'
          ? model.generate(question, options)
          : eventsOf(model, options.signal).then((events) => endOf(events));
      await clock.reached(30_000);
      controller.abort();
      assert.equal((await reply).error?.kind, 'aborted');
      assert.deepEqual([clock.waiting(), server.asked], [0, 1]);
    }
  });

  test(`${api}: leaving the loop ends the connection and every timer`, async () => {
    await using server = await serve((answer) =>
      answer
        .open()
        .send(...each.frames.slice(0, -1))
        .wait(),
    );
    const clock = manualClock();
    for await (const event of server.model(each, { clock }).stream(question))
      if (event.type === 'text') break;
    assert.equal(clock.waiting(), 0);
    await server.idle();
  });

  test(`${api}: a page of a proxy is told from a reply, whatever its status and its type say`, async () => {
    const page = '<!doctype html><html><title>Log in</title></html>';
    for (const status of [200, 502])
      for (const type of ['text/html', each.contentType, 'application/json']) {
        await using server = await serve((answer) => answer.say(status, type, page));
        const model = server.model(each, { retry: { retries: 0 } });
        for (const reply of [await replyOf(model), await model.generate(question)]) {
          assert.deepEqual([reply.error?.kind, reply.complete], ['server', false], `${status} ${type}`);
          assert.match(reply.error!.message, /HTML page \(Log in\)/, `${status} ${type}`);
        }
      }
  });

  test(`${api}: a stream under another content type is read all the same`, async () => {
    await using server = await serve((answer) => answer.say(200, 'text/plain', Buffer.concat(each.frames)));
    assertWhole(await replyOf(server.model(each)));
  });

  test(`${api}: a whole reply, or a refusal, where a stream was asked for`, async () => {
    const refusal = JSON.stringify(each.refusal('Not today.'));
    await using server = await serve(
      sayWhole(each),
      (answer) => answer.say(200, 'application/json', refusal),
      (answer) => answer.say(200, each.contentType, refusal),
      (answer) => answer.say(200, 'application/json', '{"healthy":true}'),
    );
    const model = server.model(each, { retry: { retries: 0 } });
    assertWhole(await replyOf(model));
    for (let time = 0; time < 2; time++) {
      const reply = await replyOf(model);
      assert.equal(reply.complete, false);
      assert.match(reply.error?.message ?? '', /Not today\./);
    }
    const stranger = await model.generate(question);
    assert.equal(stranger.complete, false);
    assert.match(stranger.error?.message ?? '', /answered 200 and gave no reason: {"healthy":true}/);
  });

  test(`${api}: a redirect is not followed, and an address where nobody is says so`, async () => {
    await using server = await serve((answer) => answer.say(307, 'text/plain', '', 'http://127.0.0.1:9/'));
    const model = server.model(each, { retry: { retries: 0 } });
    const dead = providerModel(adapterOf(api), api, 'm', { baseUrl: 'http://127.0.0.1:9', ...quick() });
    for (const way of [replyOf, (asked: Model) => asked.generate(question)]) {
      assert.match((await way(model)).error?.message ?? '', /answered 307 and points to another address/);
      const reply = await way(dead);
      assert.deepEqual([reply.error?.kind, reply.complete], ['network', false]);
      assert.match(reply.error!.message, /connection to http:\/\/127\.0\.0\.1:9 failed/);
    }
  });

  test(`${api}: bytes that come one by one are the same reply`, async () => {
    await using server = await serve((answer) =>
      answer
        .open()
        .send(...singly(each.frames))
        .close(),
    );
    assertWhole(await replyOf(server.model(each)));
  });
}

function sayWhole({ whole }: Traffic): (answer: Answer) => unknown {
  return (answer) => answer.say(200, 'application/json', JSON.stringify(whole));
}

function singly(frames: readonly Uint8Array[]): readonly Uint8Array[] {
  return [...Buffer.concat(frames)].map((byte) => Uint8Array.of(byte));
}

function assertWhole(reply: Reply): void {
  assert.deepEqual([reply.complete, reply.error], [true, undefined]);
  assert.equal(textOf(reply.message), 'I will look.');
  const [call, ...more] = callsOf(reply.message);
  assert.deepEqual([call?.name, call?.invalid, more], ['weather', undefined, []]);
  assert.deepEqual(argumentsAsObject(call!), { city: 'Oslo' });
  assert.deepEqual([reply.usage?.input, reply.usage?.output], [9, 20]);
}

/** One error, one end, and of a call that its provider had not completed, nothing that would run. */
function assertCut(events: readonly ModelEvent[], reply: Reply): void {
  assert.equal(reply.complete, false);
  assert.equal(events.filter(({ type }) => type === 'finish').length, 1);
  assert.equal(events.at(-1)?.type, 'finish');
  if (reply.message.content.length > 0) assert.equal(events.filter(({ type }) => type === 'error').length, 1);
  const released = events.flatMap((event) =>
    event.type === 'call-end' && event.call.invalid === undefined ? [event.call.id] : [],
  );
  for (const call of callsOf(reply.message))
    if (!released.includes(call.id)) assert.equal(call.invalid?.reason, 'truncated');
}

function retriesIn(events: readonly ModelEvent[]): readonly (readonly [number, number, string])[] {
  return events.flatMap((event) =>
    event.type === 'retry' ? [[event.attempt, event.waitMs, event.error.kind] as const] : [],
  );
}

function endOf(events: readonly ModelEvent[]): Reply {
  const last = events.at(-1);
  assert.ok(last?.type === 'finish', `the last event is ${last?.type}`);
  return last.reply;
}

async function eventsOf(model: Model, signal?: AbortSignal): Promise<readonly ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of model.stream(question, signal ? { signal } : {})) events.push(event);
  return events;
}

async function replyOf(model: Model): Promise<Reply> {
  return endOf(await eventsOf(model));
}

/** Until no event has come for many turns of the event loop. */
async function silence(events: readonly ModelEvent[]): Promise<void> {
  let heard = -1;
  for (let quiet = 0; quiet < 200; quiet++) {
    await new Promise(setImmediate);
    if (events.length === heard) continue;
    heard = events.length;
    quiet = 0;
  }
}

/** No waiting before a repetition, and one repetition. */
function quick(): { readonly clock: Clock; readonly retry: NonNullable<ModelOptions['retry']> } {
  return { clock: manualClock({ passes: (ms) => ms <= 1000 }), retry: { retries: 1, random: () => 1 } };
}

interface ManualClock extends Clock {
  /** Ends every wait of so many milliseconds, once there is one. */
  pass(ms: number): Promise<void>;
  reached(ms: number): Promise<void>;
  /** How many still wait. */
  waiting(): number;
}

/** A clock on which time passes only when it is said, or at once for the waits that `passes` picks. */
function manualClock({ passes = (_ms: number): boolean => false } = {}): ManualClock {
  const waits = new Set<{ readonly ms: number; readonly callback: () => void }>();
  const of = (ms: number): { readonly callback: () => void } | undefined =>
    [...waits].find((wait) => wait.ms === ms);
  const reached = async (ms: number): Promise<void> => {
    while (of(ms) === undefined) await new Promise(setImmediate);
  };
  return {
    now: () => 0,
    monotonic: () => 0,
    after(ms, callback) {
      const wait = { ms, callback };
      waits.add(wait);
      if (passes(ms)) setImmediate(() => waits.delete(wait) && callback());
      return () => waits.delete(wait);
    },
    reached,
    async pass(ms) {
      await reached(ms);
      const wait = of(ms)!;
      waits.delete(wait as never);
      wait.callback();
    },
    waiting: () => waits.size,
  };
}

/** An answer as a server gives it, step by step. */
interface Answer {
  /** The head of a stream. */
  open(): Answer;
  send(...frames: readonly Uint8Array[]): Answer;
  all(): void;
  /** Ends the body as if it were whole. */
  close(): void;
  /** Loses the connection. */
  drop(): void;
  /** Keeps the connection open and says no more. */
  wait(): void;
  /** Half of an unstreamed reply, and then the connection is lost. */
  half(): void;
  refuse(status: number, headers?: Readonly<Record<string, string>>): void;
  say(status: number, type: string, body: string | Uint8Array, location?: string): void;
}

interface FaultyServer extends AsyncDisposable {
  readonly asked: number;
  model(of: Traffic, options?: ModelOptions): Model;
  /** A request has come, and was answered as far as it will be. */
  reached(): Promise<void>;
  /** Every answer has ended: no connection waits for more. */
  idle(): Promise<void>;
}

/** A server whose answers go wrong: one behaviour a request, the last for all that follow. */
async function serve(...behaviours: readonly ((answer: Answer) => unknown)[]): Promise<FaultyServer> {
  let current: Traffic | undefined;
  let asked = 0;
  const open = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    open.add(response);
    response.once('close', () => open.delete(response));
    const behave = behaviours[Math.min(asked, behaviours.length - 1)]!;
    request.resume().once('end', () => {
      asked++;
      behave(answerBy(response, current!));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const turns = async (isDone: () => boolean): Promise<void> => {
    while (!isDone()) await new Promise(setImmediate);
  };
  return {
    get asked() {
      return asked;
    },
    model(of, options = {}) {
      current = of;
      return providerModel(adapterOf(of.api), of.api, 'm', { baseUrl, ...options });
    },
    reached: () => turns(() => asked > 0),
    idle: () => turns(() => open.size === 0),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      assert.equal(process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length, 0);
    },
  };
}

function answerBy(response: ServerResponse, of: Traffic): Answer {
  const answer: Answer = {
    open() {
      response.writeHead(200, { 'content-type': of.contentType }).flushHeaders();
      return answer;
    },
    send(...frames) {
      for (const frame of frames) response.write(frame);
      return answer;
    },
    all: () =>
      answer
        .open()
        .send(...of.frames)
        .close(),
    close: () => void response.end(),
    // What was written before must arrive: a reset may overtake it.
    drop: () => void setImmediate(() => response.socket?.destroySoon()),
    wait: () => undefined,
    half() {
      const body = JSON.stringify(of.whole);
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
      response.write(body.slice(0, 20));
      answer.drop();
    },
    refuse(status, headers = {}) {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(of.refusal(`No: ${status}.`)));
    },
    say(status, type, body, location) {
      response.writeHead(status, { 'content-type': type, ...(location === undefined ? {} : { location }) });
      response.end(body);
    },
  };
  return answer;
}
