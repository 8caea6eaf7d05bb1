import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { EpisodeTurn } from '../../api/turn.ts';
import { createKey } from '../../http/keys.ts';
import { lumbar, say, testServer } from '../testing/test-server.ts';
import { listedTurn, pageOf } from './turn-window.ts';

const server = await testServer();
const words = ['Hello. How did it happen?', 'When was that?', 'Thank you.'];
const { episode_id: id } = (await server.post('/api/v1/episodes', lumbar)).body;
const path = `/api/v1/episodes/${id}`;
for (const one of words)
  await server.post(`${path}/turns`, {
    messages: [say(one, { name: 'nothing_known', input: {} }, { name: 'nothing_known', input: { at: one } })],
  });

test('of an episode with more turns than asked for come the first, and what explains it apart', async () => {
  const whole = (await server.get(path)).body;
  const head = (await server.get(`${path}?turns=2`)).body;
  assert.deepEqual(head.turns, whole.turns.slice(0, 2));
  assert.deepEqual([head.turn_count, head.explain], [3, undefined]);
  const { request_id: _, ...enough } = (await server.get(`${path}?turns=3`)).body;
  assert.deepEqual({ ...enough, request_id: whole.request_id }, whole);
});

test('what explains a long episode tells stray calls of one tool together, and nothing else otherwise', async () => {
  const { explain } = (await server.get(path)).body;
  const apart = (await server.get(`${path}/explanation`)).body;
  const stray = (one: { kind: string }) => one.kind === 'stray_call';
  assert.deepEqual(
    apart.grade.reasons.filter((one: { kind: string }) => !stray(one)),
    explain.grade.reasons.filter((one: { kind: string }) => !stray(one)),
  );
  const sum = (reasons: readonly { kind: string; earned: number }[]) =>
    reasons.filter(stray).reduce((total, { earned }) => total + earned, 0);
  assert.equal(sum(apart.grade.reasons), sum(explain.grade.reasons));
  assert.deepEqual(
    apart.grade.reasons
      .filter(stray)
      .map(({ turn, times }: { turn: number; times: number }) => [turn, times]),
    [[1, 6]],
  );
  assert.equal(apart.earned.length, 3);
  assert.deepEqual(apart.facts, explain.facts);
});

test('credit is worked out for words and calls, and what it was worth is the reward that is lost', async () => {
  const { reward, parts } = (await server.get(`${path}/credit`)).body;
  assert.equal(reward, (await server.get(path)).body.explain.grade.reward);
  assert.deepEqual(
    parts.map(({ turn, index, name }: { turn: number; index?: number; name?: string }) => [
      turn,
      index,
      name,
    ]),
    [1, 2, 3].flatMap((turn) => [
      [turn, undefined, undefined],
      [turn, 0, 'nothing_known'],
      [turn, 1, 'nothing_known'],
    ]),
  );
  assert.ok(parts[1].progress <= 0, 'a stray call is worth nothing');
});

const turn = (output: string): EpisodeTurn => ({
  turn: 7,
  messages: [],
  observation: { role: 'assistant', content: '' },
  reward: 0,
  episode_complete: false,
  results: [
    { name: 'short', output: 'short' },
    { name: 'long', output },
  ],
  at: '',
});

test('a result over 8 kB is begun in a list, and said where the whole of it is', () => {
  const [short, long] = listedTurn(turn('é'.repeat(10_000)), 'ep/1').results!;
  assert.deepEqual(short, { name: 'short', output: 'short' });
  assert.equal(long!.output, 'é'.repeat(8192));
  assert.deepEqual(long!.full, { href: '/api/v1/episodes/ep%2F1/turns/7/results/1', bytes: 20_000 });
  const split = listedTurn(turn(`${'x'.repeat(8191)}😀`), 'e').results![1]!;
  assert.ok(split.output.isWellFormed());
});

test('a page of turns ends after a megabyte, and has one turn at least', () => {
  const [small, large] = [turn('x'), { ...turn(''), messages: [{ content: 'x'.repeat(2_000_000) }] }];
  assert.deepEqual(pageOf([large, small]), [large]);
  assert.deepEqual(pageOf([small, large, small]), [small]);
  assert.deepEqual(pageOf([small, small]), [small, small]);
});

test('what went over the wire is kept with its turn, apart from lists, and only for keys that may explain', async () => {
  const closed = await testServer({ open: false });
  const keyed = async (explain: boolean) => {
    const { key } = await createKey(closed.store, { name: 'k', expiresAt: 4e12, explain }, 0);
    return { authorization: `Bearer ${key}` };
  };
  const [may, mayNot] = [await keyed(true), await keyed(false)];
  const exchange = { url: 'https://models.example/v1', status: 200, request: '{"a":1}', reply: 'data: {}' };
  for (const headers of [may, mayNot]) {
    const { episode_id: own } = (await closed.post('/api/v1/episodes', lumbar, headers)).body;
    const at = `/api/v1/episodes/${own}`;
    const turn = { messages: [say('Hello.')], usage: { input_tokens: 1, exchanges: [exchange] } };
    assert.equal((await closed.post(`${at}/turns`, turn, headers)).status, 200);
    const [listed] = (await closed.get(`${at}/turns`, headers)).body.turns;
    assert.deepEqual(listed.usage, { input_tokens: 1 });
    const told = await closed.get(`${at}/turns/1/exchanges`, headers);
    if (headers === may) assert.deepEqual([listed.exchanges, told.body.exchanges], [1, [exchange]]);
    else assert.deepEqual([listed.exchanges, told.status], [undefined, 403]);
    const long = { ...exchange, reply: 'w'.repeat(60_001) };
    const refused = await closed.post(`${at}/turns`, { ...turn, usage: { exchanges: [long] } }, headers);
    assert.equal(refused.status, 400);
  }
});
