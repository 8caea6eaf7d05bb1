import assert from 'node:assert/strict';
import { test } from 'node:test';

import { z } from 'zod';

import { call, scriptedModel } from '../../../../test/scripted-model.ts';
import { canonicalJson } from '../../../base/json/canonical.ts';
import type { JsonValue } from '../../../base/json/value.ts';
import { checkHistory } from '../../../base/message/check-history.ts';
import { resultText } from '../../../base/message/result.ts';
import type { ApprovalRequest } from '../../tool/call/call-record.ts';
import { tool } from '../../tool/define-tool.ts';
import { signRequest, verifyApproval } from './approval.ts';
import type { Approval } from './approval.ts';
import type { RunOptions } from '../option/options.ts';
import type { Outcome } from '../outcome.ts';
import { run } from '../run.ts';

let paid: number[] = [];
const pay = tool({
  name: 'pay',
  description: 'Pays an amount',
  input: z.object({ amount: z.number() }),
  approval: 'always',
  run: ({ amount }) => {
    paid.push(amount);
    return `paid ${amount}`;
  },
});

/** A run that has stopped because two payments wait. */
async function waitingRun(options: Partial<RunOptions> = {}): Promise<Outcome> {
  paid = [];
  const model = scriptedModel([call('1', 'pay', { amount: 1 }), call('2', 'pay', { amount: 2 })]);
  return run({ model, tools: [pay], prompt: 'pay both', ...options });
}

/** Goes on with decisions. */
async function goOn(
  outcome: Outcome,
  approvals: readonly Approval[],
  options: Partial<RunOptions> = {},
): Promise<Outcome> {
  const model = scriptedModel(['All done.']);
  return run({ model, tools: [pay], messages: outcome.messages, approvals, ...options });
}

function approve(request: ApprovalRequest | undefined, more: Partial<Approval> = {}): Approval {
  assert.ok(request);
  const { callId, hash, token } = request;
  return { callId, hash, decision: 'approve', ...(token !== undefined && { token }), ...more };
}

test('stops where a person must agree, with a history that is whole', async () => {
  const outcome = await waitingRun();
  assert.equal(outcome.stop, 'waiting');
  assert.deepEqual(
    outcome.waiting.approvals.map((request) => request.arguments),
    [{ amount: 1 }, { amount: 2 }],
  );
  assert.deepEqual(checkHistory(outcome.messages), []);
  assert.deepEqual(paid, []);
});

test('goes on after one approval and one rejection, and every call has its one result', async () => {
  const outcome = await waitingRun();
  const [first, second] = outcome.waiting.approvals;
  const after = await goOn(outcome, [
    approve(first),
    approve(second, { decision: 'reject', reason: 'once is enough' }),
  ]);
  assert.equal(after.text, 'All done.');
  assert.deepEqual(paid, [1]);
  assert.deepEqual(checkHistory(after.messages), []);
  assert.deepEqual(
    after.calls.map((record) => resultText(record.result)),
    ['paid 1', 'A person did not allow this call of "pay", so it was not run. The reason: once is enough'],
  );
});

test('asks the model only when all that waits is decided', async () => {
  const outcome = await waitingRun();
  const [first, second] = outcome.waiting.approvals;
  const half = await goOn(outcome, [approve(first)]);
  assert.equal(half.stop, 'waiting');
  assert.deepEqual(
    half.waiting.approvals.map((request) => request.callId),
    ['2'],
  );
  const whole = await goOn(half, [approve(second)]);
  assert.equal(whole.stop, 'done');
  assert.deepEqual(paid, [1, 2]);
});

test('refuses an approval for a call that does not wait, or for other arguments (approval_stale)', async () => {
  const outcome = await waitingRun();
  const [first] = outcome.waiting.approvals;
  const wrong = (approvals: readonly Approval[], messages = outcome.messages) =>
    assert.rejects(async () => void (await goOn({ ...outcome, messages }, approvals)), {
      code: 'approval_stale',
    });
  await wrong([approve(first, { callId: '3' })]);
  await wrong([approve(first, { callId: '2' })]);
  await wrong([approve(first), approve(first)]);
  const forged = structuredClone(outcome.messages) as unknown as { content: { arguments: object }[] }[];
  const asked = forged[1]?.content[0];
  assert.ok(asked);
  asked.arguments = { amount: 1_000_000 };
  await wrong([approve(first)], forged as never);
  const done = await goOn(outcome, [approve(first), approve(outcome.waiting.approvals[1])]);
  await wrong([approve(first)], done.messages);
  assert.deepEqual(paid, [1, 2]);
});

test('tells integers apart that no double holds', async () => {
  const requests: ApprovalRequest[] = [];
  const big = tool({
    name: 'big',
    description: 'Takes an id',
    input: { type: 'object' },
    approval: 'always',
    run: () => 1,
  });
  const model = scriptedModel([
    call('1', 'big', '{"id":9007199254740992}'),
    call('2', 'big', '{"id":9007199254740993}'),
  ]);
  const outcome = await run({ model, tools: [big], prompt: 'go' });
  requests.push(...outcome.waiting.approvals);
  assert.notEqual(requests[0]?.hash, requests[1]?.hash);
});

test('refuses an approval that nobody asked for (approval_forged)', async () => {
  const key = { approvalKey: 'a secret', runId: 'r1' };
  const outcome = await waitingRun(key);
  const [first, second] = outcome.waiting.approvals;
  const { token: _, ...bare } = approve(first);
  for (const approval of [
    bare,
    approve(first, { token: second?.token ?? '' }),
    approve(first, { token: '%%%' }),
  ]) {
    await assert.rejects(async () => void (await goOn(outcome, [approval], key)), {
      code: 'approval_forged',
    });
  }
  await assert.rejects(async () => void (await goOn(outcome, [approve(first)], { ...key, runId: 'r2' })), {
    code: 'approval_forged',
  });
  assert.deepEqual(paid, []);
  const after = await goOn(outcome, [approve(first), approve(second)], key);
  assert.equal(after.stop, 'done');
});

test('a token holds for its place in its conversation, also for a caller without a run id (approval_forged)', async () => {
  const key = { approvalKey: 'a secret' };
  const outcome = await waitingRun(key);
  const approvals = outcome.waiting.approvals.map((request) => approve(request));
  // The same call id with the same arguments, in another conversation, and later in this one.
  const other = await waitingRun({ ...key, prompt: 'pay both, please' });
  const [, ...step] = outcome.messages;
  const later = {
    ...outcome,
    messages: [...outcome.messages, { role: 'user' as const, content: 'more' }, ...step],
  };
  for (const elsewhere of [other, later]) {
    await assert.rejects(async () => void (await goOn(elsewhere, approvals, key)), {
      code: 'approval_forged',
    });
  }
  assert.deepEqual(paid, []);
  // It came back over the wire, where a database has put the keys in its own order, and with new system words.
  const stored = JSON.parse(canonicalJson(outcome.messages as unknown as JsonValue)) as Outcome['messages'];
  const travelled = { ...outcome, messages: stored };
  assert.equal((await goOn(travelled, approvals, { ...key, system: 'It is late.' })).stop, 'done');
  assert.deepEqual(paid, [1, 2]);
});

test('asks with the same token again, so that one that was used can be told', async () => {
  const key = { approvalKey: 'a secret' };
  const outcome = await waitingRun(key);
  const again = await goOn(outcome, [], key);
  assert.deepEqual(
    again.waiting.approvals.map(({ token }) => token),
    outcome.waiting.approvals.map(({ token }) => token),
  );
  const [first, second] = outcome.waiting.approvals;
  const half = await goOn(outcome, [approve(first)], key);
  assert.deepEqual(
    half.waiting.approvals.map(({ token }) => token),
    [second?.token],
  );
});

test('signs so that no two requests have the same bytes', async () => {
  const request = { callId: '1', name: 'pay', arguments: {}, hash: 'aa' };
  const signed = await signRequest('key', 'run', request);
  const approval = { callId: '1', hash: 'aa', decision: 'approve', token: signed.token ?? '' } as const;
  await verifyApproval('key', 'run', approval, 'pay');
  const shifted: [string, Approval, string][] = [
    ['run1', { ...approval, callId: '' }, 'pay'],
    ['run', { ...approval, callId: '1pay' }, ''],
    ['run', { ...approval, callId: '1p' }, 'ay'],
    ['run', { ...approval, hash: 'a' }, 'paya'],
  ];
  for (const [runId, moved, name] of shifted) {
    await assert.rejects(verifyApproval('key', runId, moved, name), { code: 'approval_forged' });
  }
});

test('runs what a person changed the arguments to', async () => {
  const outcome = await waitingRun();
  const [first, second] = outcome.waiting.approvals;
  const after = await goOn(outcome, [
    approve(first, { decision: 'edit', arguments: { amount: 9 } }),
    approve(second),
  ]);
  assert.deepEqual(paid.toSorted(), [2, 9]);
  assert.equal(after.calls[0]?.approval?.decision, 'edit');
  assert.match(resultText(after.calls[0].result), /A person changed the arguments.*\{"amount":9\}/s);
});

test('asks a person in the process, and remembers what they said for all', async () => {
  const asked: unknown[] = [];
  paid = [];
  const model = scriptedModel(
    [call('1', 'pay', { amount: 1 })],
    [call('2', 'pay', { amount: 1 })],
    [call('3', 'pay', { amount: 2 })],
    ['ok'],
  );
  const outcome = await run({
    model,
    tools: [pay],
    prompt: 'go',
    approve: (request) => {
      asked.push(request.arguments);
      return { decision: 'approve', remember: 'exact' };
    },
  });
  assert.equal(outcome.stop, 'done');
  assert.deepEqual(asked, [{ amount: 1 }, { amount: 2 }]);
  assert.deepEqual(paid, [1, 1, 2]);
});

test('decides by rules before any person is asked', async () => {
  const shell = tool({
    name: 'shell',
    description: 'Runs a command',
    input: z.object({ command: z.string() }),
    approval: 'always',
    run: ({ command }) => command,
  });
  const model = scriptedModel(
    [
      call('1', 'shell', { command: 'git status' }),
      call('2', 'shell', { command: 'rm -rf /' }),
      call('3', 'shell', { command: 'ls' }),
    ],
    ['ok'],
  );
  const outcome = await run({
    model,
    tools: [shell],
    prompt: 'go',
    approvalRules: [
      { tool: 'sh*', arguments: { command: { startsWith: 'git ' } }, decision: 'approve' },
      { tool: 'shell', arguments: { command: { matches: 'rm .*' } }, decision: 'reject', reason: 'never' },
    ],
  });
  assert.deepEqual(
    outcome.calls.map((record) => record.result.errorCode),
    [undefined, 'rejected', 'needs_approval'],
  );
  assert.equal(outcome.stop, 'waiting');
});

test('goes on with approvals also where the user says more with them', async () => {
  const outcome = await waitingRun();
  const approvals = outcome.waiting.approvals.map((request) => approve(request));
  const after = await goOn(outcome, approvals, { prompt: 'And hurry.' });
  assert.deepEqual(paid, [1, 2]);
  assert.deepEqual(
    after.messages.map((message) => message.role),
    ['user', 'assistant', 'tool', 'user', 'assistant'],
  );
  assert.deepEqual(checkHistory(after.messages), []);
});

test('lets the user talk on where nothing is decided: what waited stays undone', async () => {
  const outcome = await waitingRun();
  const after = await goOn(outcome, [], { prompt: 'Never mind.' });
  assert.deepEqual([after.stop, after.text, paid], ['done', 'All done.', []]);
});

test('asks whether to stop also after calls that had waited', async () => {
  const outcome = await waitingRun();
  const approvals = outcome.waiting.approvals.map((request) => approve(request));
  const after = await goOn(outcome, approvals, {
    stopWhen: ({ calls, reply }) => calls.length === reply.message.content.length,
  });
  assert.deepEqual([after.stop, after.text, paid], ['condition', '', [1, 2]]);
});

test('hands all calls of the client over at once, with their arguments, and goes on with the answers', async () => {
  const ask = tool({ name: 'ask', description: 'Asks the user', input: z.object({ question: z.string() }) });
  const model = scriptedModel([call('1', 'ask', { question: 'a?' }), call('2', 'ask', { question: 'b?' })]);
  const outcome = await run({ model, tools: [ask], prompt: 'go' });
  assert.equal(outcome.stop, 'waiting');
  assert.deepEqual(
    outcome.waiting.calls.map((each) => each.arguments),
    [{ question: 'a?' }, { question: 'b?' }],
  );
  const second = scriptedModel(['Thanks.']);
  const half = await run({
    model: second,
    tools: [ask],
    messages: outcome.messages,
    answers: [{ callId: '2', content: 'B' }],
  });
  assert.equal(half.stop, 'waiting');
  assert.equal(second.asked.length, 0);
  const whole = await run({
    model: second,
    tools: [ask],
    messages: half.messages,
    answers: [{ callId: '1', content: { a: 1 } }],
  });
  assert.equal(whole.text, 'Thanks.');
  const results = whole.messages.flatMap((message) => (message.role === 'tool' ? message.results : []));
  assert.deepEqual(results.map(resultText), ['{"a":1}', 'B']);
  await assert.rejects(
    async () =>
      void (await run({
        model: second,
        tools: [ask],
        messages: whole.messages,
        answers: [{ callId: '1', content: 'x' }],
      })),
    { code: 'approval_stale' },
  );
});

test('refuses two answers for one call, since only one can be meant', async () => {
  const ask = tool({ name: 'ask', description: 'Asks the user', input: z.object({}) });
  const model = scriptedModel([call('1', 'ask', {}), call('2', 'pay', { amount: 1 })]);
  const { messages, waiting } = await run({ model, tools: [ask, pay], prompt: 'go' });
  const answer = { callId: '1', content: 'A' };
  const approval = { callId: '2', hash: waiting.approvals[0]!.hash, decision: 'approve' as const };
  for (const given of [
    { answers: [answer, { ...answer, content: 'B' }] },
    { approvals: [approval, approval] },
  ])
    await assert.rejects(async () => void (await run({ model, tools: [ask, pay], messages, ...given })), {
      code: 'approval_stale',
      message: /is answered twice at once/,
    });
});

test('does not wait for a person once the run is stopped', { timeout: 5000 }, async () => {
  const stop = new AbortController();
  const model = scriptedModel([call('1', 'pay', { amount: 1 })]);
  paid = [];
  const asked: AbortSignal[] = [];
  const outcome = await run({
    model,
    tools: [pay],
    prompt: 'go',
    signal: stop.signal,
    approve: (_, signal) => {
      asked.push(signal);
      queueMicrotask(() => stop.abort());
      return new Promise(() => undefined);
    },
  });
  assert.equal(outcome.stop, 'aborted');
  assert.equal(outcome.calls[0]?.result.errorCode, 'cancelled');
  assert.equal(asked[0]?.aborted, true);
  assert.deepEqual(paid, []);
  assert.deepEqual(checkHistory(outcome.messages), []);
});

test('a signed approval changes arguments only where the program lets it (approval_edit_refused)', async () => {
  const key = { approvalKey: 'a secret' };
  const outcome = await waitingRun(key);
  const [first, second] = outcome.waiting.approvals;
  const edited = approve(first, { decision: 'edit', arguments: { amount: 1_000_000 } });
  for (const editable of [undefined, false, ['note']] as const) {
    await assert.rejects(
      async () =>
        void (await goOn(outcome, [edited, approve(second)], {
          ...key,
          ...(editable !== undefined && { editable }),
        })),
      { code: 'approval_edit_refused' },
    );
  }
  assert.deepEqual(paid, []);
  const after = await goOn(outcome, [edited, approve(second)], { ...key, editable: ['amount'] });
  assert.equal(after.stop, 'done');
  assert.deepEqual(paid.toSorted(), [1_000_000, 2]);
});

test('an approver in the process may change what the tool lets it change', async () => {
  const edit = () => ({ decision: 'edit' as const, arguments: { amount: 9 } });
  const free = await waitingRun({ approve: edit });
  assert.deepEqual([free.stop, paid], ['done', [9, 9]]);
  const bound = await waitingRun({ approve: edit, editable: false });
  assert.deepEqual(paid, []);
  assert.match(
    resultText(bound.calls[0]!.result),
    /arguments were edited, but its arguments may not be changed/,
  );
});
