import assert from 'node:assert/strict';
import { test } from 'node:test';

import { textOf } from '../../base/message/message.ts';
import { modelJudge } from '../../grade/episode/judge/judge.ts';
import { modelVoice } from '../../grade/episode/voice/model-voice.ts';
import { answerOf, judgedCatalog } from '../../grade/episode/testing/changed-catalog.ts';
import { modelNamed } from '../../wire/index.ts';
import { mock } from '../../wire/mock/index.ts';
import { createKey } from '../http/keys.ts';
import { lumbar, say, testServer } from './testing/test-server.ts';

const leak = 'The doctor called it a strain, and my shift lead wrote it down.';
const opinion = 'An opinion of the judge that reveals the answer.';

test('what models say besides is for those who may see reasons, and a failing one shows in metrics and log', async () => {
  await using provider = await mock(({ request }) => {
    const asked = textOf(request.messages.at(-1)!);
    if (!asked.includes('\nThe point')) return leak;
    if (asked.includes('\nThe point: Asks')) return 'I cannot tell.';
    return JSON.stringify({ ...(JSON.parse(answerOf(asked)) as object), reason: opinion });
  });
  const options = { baseUrl: `${provider.url}/v1`, apiKey: 'none' };
  const log: string[] = [];
  const server = await testServer({
    open: false,
    catalog: judgedCatalog(),
    voice: modelVoice(modelNamed('openai/person', options)),
    judge: modelJudge(modelNamed('openai/judge', options)),
    log: (level, event, line) => log.push(JSON.stringify([level, event, line])),
  });
  const play = async (explain: boolean) => {
    const { key } = await createKey(server.store, { name: 'k', explain }, 0);
    const auth = { authorization: `Bearer ${key}` };
    const created = await server.post('/api/v1/episodes', { ...lumbar, score_turns: true }, auth);
    const path = `/api/v1/episodes/${created.body.episode_id}`;
    const turn = await server.post(`${path}/turns`, { messages: [say('Hello, how are you?')] }, auth);
    const ended = await server.send('DELETE', path, undefined, auth);
    const read = await server.get(path, auth);
    return {
      turn: turn.body,
      ended: ended.body,
      read: read.body,
      all: [turn, ended, read].map(({ text }) => text).join(),
    };
  };

  const blind = await play(false);
  assert.deepEqual(
    [blind.turn.not_judged, blind.ended.grade.not_judged, blind.read.grade.not_judged],
    [3, 1, 1],
  );
  for (const secret of [leak, opinion, 'openai/', 'layman', 'promptHash', 'prompt_hash', 'voice', 'refused'])
    assert.ok(!blind.all.includes(secret), secret);

  const { read } = await play(true);
  const { grade, voices } = read.explain;
  assert.deepEqual([voices[0].turn, voices[0].by, voices[0].refused.length], [1, 'openai/person', 3]);
  assert.equal(voices[0].refused[0].said, leak);
  assert.deepEqual(
    [grade.person_fault.fell_back, grade.verdicts.plain.reason, grade.verdicts.order.failed],
    [1, opinion, true],
  );
  assert.match(grade.verdicts.plain.prompt_hash, /^[\da-f]{64}$/);

  const { key } = await createKey(server.store, { name: 'metrics' }, 0);
  const { text } = await server.get('/metrics', { authorization: `Bearer ${key}` });
  assert.equal((await server.get('/metrics')).status, 401);
  assert.match(text, /^whet_faults_total\{who="person"\} 2$/m);
  assert.match(text, /^whet_faults_total\{who="judge"\} 2$/m);
  // Of each episode 3 votes, 1 vote, 1 that is advisory, and 2 answers that were none.
  assert.match(text, /^whet_judge_calls_total 14$/m);
  for (const kind of ['input', 'output'])
    assert.match(text, new RegExp(`^whet_judge_tokens_total\\{kind="${kind}"\\} [1-9]`, 'm'));
  assert.ok(log.some((line) => line.startsWith('["warn","judge_fault",{"collection":"case-management"')));
  for (const secret of [leak, opinion]) assert.ok(!log.join().includes(secret));
});

test('a server that is told to stop waits for the models that it has asked', async () => {
  let answer = (_words: string): void => {};
  let isAsked = (): void => {};
  const asked = new Promise<void>((resolve) => (isAsked = resolve));
  await using provider = await mock(() => {
    isAsked();
    return new Promise((resolve) => (answer = resolve));
  });
  const model = modelNamed('openai/person', { baseUrl: `${provider.url}/v1`, apiKey: 'none' });
  const server = await testServer({ voice: modelVoice(model) });
  const { body } = await server.post('/api/v1/episodes', lumbar);
  const turn = server.post(`/api/v1/episodes/${body.episode_id}/turns`, { messages: [say('Hello.')] });
  await asked;
  const closed = server.close();
  answer('Hello, good of you to call.');
  assert.equal((await turn).body.observation.content, 'Hello, good of you to call.');
  await closed;
});
