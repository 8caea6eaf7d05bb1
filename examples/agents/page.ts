// The route behind a page that uses `useChat`: larger refunds want a person's yes.
import { run, tool } from 'whetstone';
import { readUIMessages, uiMessageResponse } from 'whetstone/ui';
import { openai } from 'whetstone/wire';
import { z } from 'zod';

const refund = tool({
  name: 'refund',
  description: 'Pays money back',
  input: z.object({ order: z.string(), amount: z.number() }),
  approval: ({ amount }) => amount > 20,
  run: ({ order, amount }) => `Refunded ${amount} for ${order}`,
});

export async function POST(request: Request): Promise<Response> {
  const { messages } = (await request.json()) as { messages: unknown[] };
  const { messageId, ...given } = readUIMessages(messages);
  const going = run({ model: openai('gpt-5'), tools: [refund], signal: request.signal, ...given });
  return uiMessageResponse(going, { messageId });
}
