// The same route with the AI SDK.
import { openai } from '@ai-sdk/openai';
import {
  convertToModelMessages,
  createUIMessageStreamResponse,
  isStepCount,
  streamText,
  tool,
  toUIMessageStream,
  type UIMessage,
} from 'ai';
import { z } from 'zod';

const refund = tool({
  description: 'Pays money back',
  inputSchema: z.object({ order: z.string(), amount: z.number() }),
  needsApproval: ({ amount }) => amount > 20,
  execute: ({ order, amount }) => `Refunded ${amount} for ${order}`,
});

export async function POST(request: Request): Promise<Response> {
  const { messages } = (await request.json()) as { messages: UIMessage[] };
  const { stream } = streamText({
    model: openai('gpt-5'),
    tools: { refund },
    stopWhen: isStepCount(20),
    messages: await convertToModelMessages(messages),
    abortSignal: request.signal,
  });
  return createUIMessageStreamResponse({
    stream: toUIMessageStream({ stream, originalMessages: messages }),
  });
}
