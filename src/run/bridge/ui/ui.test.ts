import assert from 'node:assert/strict';
import { test } from 'node:test';

import { AbstractChat, DefaultChatTransport, lastAssistantMessageIsCompleteWithApprovalResponses } from 'ai';
import type { ChatState, UIMessage } from 'ai';
import { z } from 'zod';

import { checkHistory } from '../../../base/message/check-history.ts';
import { textOf } from '../../../base/message/message.ts';
import type { Model } from '../../../base/message/model.ts';
import { mockModel } from '../../../wire/mock/model.ts';
import { run } from '../../loop/run.ts';
import { tool } from '../../tool/define-tool.ts';
import { readRunEvents, readUIMessages, runEventResponse, uiMessageResponse } from './index.ts';

/** What `useChat` is made of, without React. */
class Chat extends AbstractChat<UIMessage> {
  constructor(fetch: typeof globalThis.fetch) {
    const state: ChatState<UIMessage> = {
      status: 'ready',
      error: undefined,
      messages: [],
      pushMessage(message) {
        state.messages = [...state.messages, message];
      },
      popMessage() {
        state.messages = state.messages.slice(0, -1);
      },
      replaceMessage(index, message) {
        state.messages = state.messages.with(index, message);
      },
      snapshot: structuredClone,
    };
    super({
      state,
      transport: new DefaultChatTransport({ api: 'http://page/chat', fetch }),
      sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    });
  }
}

let paid: number[] = [];
const pay = tool({
  name: 'pay',
  description: 'Pays',
  input: z.object({ amount: z.number() }),
  approval: ({ amount }) => amount > 10,
  noteOnRequest: ({ amount }) => `Paying ${amount}`,
  run: ({ amount }) => {
    paid.push(amount);
    return { paid: amount };
  },
});

/** A server of one route. */
function serving(model: Model): typeof globalThis.fetch {
  return async (_url, init) => {
    const { messages } = JSON.parse(String(init?.body)) as { messages: unknown[] };
    const { messageId, ...given } = readUIMessages(messages);
    assert.deepEqual(checkHistory(given.messages), []);
    return uiMessageResponse(run({ model, tools: [pay], ...given }), { messageId });
  };
}

async function settled(chat: Chat): Promise<void> {
  while (chat.status !== 'ready' && chat.status !== 'error')
    await new Promise((resolve) => setImmediate(resolve));
}

test('a page of the AI SDK shows words, reasoning, calls with their results and notes, and goes on with them', async () => {
  paid = [];
  const model = mockModel([
    { reasoning: 'Hm.', text: 'I pay.', calls: [{ name: 'pay', arguments: { amount: 3 } }] },
    'Paid.',
    'You are welcome.',
  ]);
  const chat = new Chat(serving(model));
  await chat.sendMessage({ text: 'Pay 3.' });
  assert.equal(chat.error, undefined);
  const parts = chat.lastMessage!.parts;
  assert.deepEqual(
    parts.map(({ type }) => type),
    ['step-start', 'reasoning', 'text', 'tool-pay', 'data-note', 'step-start', 'text'],
  );
  const call = parts.find((part) => part.type === 'tool-pay') as Record<string, unknown>;
  assert.deepEqual(
    [call['state'], call['input'], call['output']],
    ['output-available', { amount: 3 }, { paid: 3 }],
  );
  await chat.sendMessage({ text: 'Thanks.' });
  assert.deepEqual(
    model.asked[2]!.request.messages.slice(0, 5).map((message) => [message.role, textOf(message)]),
    [
      ['user', 'Pay 3.'],
      ['assistant', 'I pay.'],
      ['tool', '{"paid":3}'],
      ['assistant', 'Paid.'],
      ['user', 'Thanks.'],
    ],
  );
});

test('a page approves a call and rejects another, and each is carried out once in the message where it was asked', async () => {
  for (const approved of [true, false]) {
    paid = [];
    const model = mockModel([{ calls: [{ name: 'pay', arguments: { amount: 30 } }] }, 'Well.', 'Bye.']);
    const chat = new Chat(serving(model));
    await chat.sendMessage({ text: 'Pay 30.' });
    const part = chat.lastMessage!.parts.find(({ type }) => type === 'tool-pay') as unknown as {
      state: string;
      approval: { id: string };
    };
    assert.equal(part.state, 'approval-requested');
    assert.deepEqual(paid, []);
    await chat.addToolApprovalResponse({ id: part.approval.id, approved, reason: 'so be it' });
    await settled(chat);
    assert.equal(chat.error, undefined);
    assert.deepEqual(paid, approved ? [30] : []);
    assert.equal(chat.messages.length, 2);
    const after = chat.lastMessage!.parts.find(({ type }) => type === 'tool-pay') as unknown as {
      state: string;
    };
    assert.equal(after.state, approved ? 'output-available' : 'output-denied');
    assert.equal(
      chat.lastMessage!.parts.at(-1)?.type === 'text' &&
        (chat.lastMessage!.parts.at(-1) as { text: string }).text,
      'Well.',
    );
    await chat.sendMessage({ text: 'Bye.' });
    assert.deepEqual([chat.error, paid.length], [undefined, approved ? 1 : 0]);
  }
});

test('an approval of a page holds for the arguments that it saw', async () => {
  paid = [];
  const model = mockModel([{ calls: [{ name: 'pay', arguments: { amount: 30 } }] }, 'Well.']);
  const forging: typeof globalThis.fetch = (url, init) =>
    serving(model)(url, {
      ...init!,
      body: String(init?.body).replaceAll('"input":{"amount":30}', '"input":{"amount":3000}'),
    });
  const chat = new Chat(forging);
  await chat.sendMessage({ text: 'Pay 30.' });
  const part = chat.lastMessage!.parts.find(({ type }) => type === 'tool-pay') as unknown as {
    approval: { id: string };
  };
  await chat.addToolApprovalResponse({ id: part.approval.id, approved: true });
  await settled(chat);
  assert.equal(chat.error?.message, 'An error occurred.');
  assert.deepEqual(paid, []);
});

test('a page that leaves aborts the run, and one that fails is told in one sentence', async () => {
  const broken = mockModel([{ fault: { status: 400, message: 'The key sk-secret is wrong.' } }]);
  const text = await uiMessageResponse(run({ model: broken, prompt: 'Go.' })).text();
  assert.match(text, /"type":"error","errorText":"An error occurred\."/);
  assert.ok(!text.includes('sk-secret') && text.endsWith('data: [DONE]\n\n'));
  const hanging = run({ model: mockModel([{ fault: { hang: true } }]), prompt: 'Go.' });
  const reader = uiMessageResponse(hanging).body!.getReader();
  await reader.read();
  await reader.cancel();
  assert.equal((await hanging).stop, 'aborted');
});

test('our own events reach a page, without what stays at home', async () => {
  const throwing = tool({
    name: 'pay',
    description: 'Pays',
    run: () => Promise.reject(new Error('No.', { cause: 'sk-secret' })),
  });
  const going = run({
    model: mockModel([{ calls: [{ name: 'pay', arguments: {} }] }, 'Done. ✓']),
    tools: [throwing],
    prompt: 'Go.',
  });
  const types: string[] = [];
  let text = '';
  for await (const event of readRunEvents(runEventResponse(going))) {
    types.push(event.type);
    if (event.type === 'text') text += String(event['text']);
    assert.ok(!JSON.stringify(event).includes('sk-secret'));
  }
  assert.deepEqual(
    [types[0], types.at(-1), text, types.includes('result')],
    ['run-start', 'finish', 'Done. ✓', true],
  );
});
