import { run, tool } from 'whetstone';
import { mockModel } from 'whetstone/mock';
import { z } from 'zod';

const refund = tool({
  name: 'refund',
  description: 'Pays money back',
  input: z.object({ order: z.string(), amount: z.number() }),
  approval: ({ amount }) => amount > 20, // small ones need nobody
  run: ({ order, amount }) => `Refunded ${amount} for ${order}`,
});
const model = mockModel([
  {
    calls: [
      { name: 'refund', arguments: { order: 'A', amount: 10 } },
      { name: 'refund', arguments: { order: 'B', amount: 90 } },
    ],
  },
  'A is refunded. B was too much, so I left it.',
]);

// The requests leave the process (to a page, a chat, a mail) and come back as decisions: hence the key.
const settings = { model, tools: [refund], approvalKey: 'a long secret of this server', runId: 'ticket-7' };
const first = await run({ ...settings, prompt: 'Refund A and B.' });
console.log(
  first.stop,
  first.waiting.approvals.map((request) => request.arguments),
);

const approvals = first.waiting.approvals.map(({ callId, hash, token = '' }) => ({
  callId,
  hash,
  token,
  decision: 'reject' as const,
  reason: 'Ask for less.',
}));
const second = await run({ ...settings, messages: first.messages, approvals });
console.log(second.text);
