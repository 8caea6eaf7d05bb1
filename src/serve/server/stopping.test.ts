import assert from 'node:assert/strict';
import { test } from 'node:test';

import { WebSocket } from 'ws';

import type { Clock } from '../../base/host/clock.ts';
import { textOf } from '../../base/message/message.ts';
import { modelJudge } from '../../grade/episode/judge/judge.ts';
import { modelVoice } from '../../grade/episode/voice/model-voice.ts';
import { answerOf, judgedCatalog } from '../../grade/episode/testing/changed-catalog.ts';
import { modelNamed } from '../../wire/index.ts';
import { mock } from '../../wire/mock/index.ts';
import { lumbar, say, testServer } from './testing/test-server.ts';

/** A clock whose timers ring when a test says so. */
function handClock() {
  const timers = new Map<() => void, number>();
  const clock: Clock = {
    now: () => 1_800_000_000_000,
    monotonic: () => 0,
    after: (ms, ring) => {
      timers.set(ring, ms);
      return () => timers.delete(ring);
    },
  };
  /** Rings all that is due within so long. */
  const pass = (within: number): void => {
    for (const [ring, ms] of [...timers])
      if (ms <= within) {
        timers.delete(ring);
        ring();
      }
  };
  /** Rings, round after round, what is due within so long, until the work is done; at last whatever waits. */
  const passUntil = async <Value>(work: Promise<Value>, within: number): Promise<Value> => {
    const ended = new AbortController();
    const end = (): void => ended.abort();
    work.then(end, end);
    for (let rounds = 0; !ended.signal.aborted; rounds++) {
      pass(rounds < 2000 ? within : Infinity);
      await round();
    }
    return work;
  };
  return { clock, pass, passUntil };
}

const round = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A model that answers when it is told to. */
async function slowModel(answer: (asked: string) => string) {
  let isAsked = (): void => {};
  let go = (): void => {};
  const asked = new Promise<void>((resolve) => (isAsked = resolve));
  const told = new Promise<void>((resolve) => (go = resolve));
  const provider = await mock(async ({ request }) => {
    isAsked();
    await told;
    return answer(textOf(request.messages.at(-1)!));
  });
  const model = modelNamed('openai/slow', { baseUrl: `${provider.url}/v1`, apiKey: 'none' });
  return { model, asked, answer: () => go(), [Symbol.asyncDispose]: () => provider[Symbol.asyncDispose]() };
}

test('a server that is told to stop finishes an evaluation whose judge is slow', async () => {
  const { clock, pass, passUntil } = handClock();
  await using slow = await slowModel(answerOf);
  const server = await testServer({ catalog: judgedCatalog(), judge: modelJudge(slow.model), clock });
  const evaluated = server.post('/api/v1/evaluate', { ...lumbar, messages: [say('How are you?')] });
  await slow.asked;
  const closed = server.close();
  await round();
  pass(2000); // It cut all connections two seconds after the last turn, whatever else was under way.
  await round();
  slow.answer();
  assert.equal((await evaluated).status, 200);
  await passUntil(closed, 2000);
});

test('a server that is told to stop answers what a socket has asked, and begins nothing more for it', async () => {
  const { clock, passUntil } = handClock();
  await using slow = await slowModel(() => 'I do not know what you mean by that.');
  const server = await testServer({ voice: modelVoice(slow.model), clock });
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/openenv/ws`);
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  const heard: string[] = [];
  const step = JSON.stringify({ type: 'step', data: { message: 'Where were you at that time?' } });
  socket.on('message', (data: Buffer) => {
    const { data: answer } = JSON.parse(data.toString());
    heard.push(answer.observation.message);
    socket.send(step); // As a trainer's client does: its next step at once. So a server that served it never ended.
  });
  const ended = new Promise((resolve) => socket.once('close', resolve));
  socket.send(step);
  await slow.asked;
  const closed = server.close();
  slow.answer();
  assert.equal(await ended, 1001);
  assert.equal(heard.length, 1);
  const [episode] = await server.store.listEpisodes({ owner: 'local', limit: 1 });
  assert.equal(episode?.turnCount, 1);
  await passUntil(closed, 2000);
});

test('a server that is told to stop ends its event streams, whole', async () => {
  const { clock, passUntil } = handClock();
  const server = await testServer({ clock });
  const path = `/api/v1/episodes/${(await server.post('/api/v1/episodes', lumbar)).body.episode_id}`;
  const stream = await fetch(`${server.url}${path}/events`);
  await server.post(`${path}/turns`, { messages: [say('When did it happen?')] });
  const closed = server.close();
  assert.match(await passUntil(stream.text(), 1000), /^id: 1\nevent: turn\n/);
  await passUntil(closed, 2000);
});
