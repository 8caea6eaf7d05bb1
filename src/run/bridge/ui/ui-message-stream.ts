import type { Run } from '../../loop/run.ts';
import type { UIChunk } from './chunk.ts';
import { ChunkWriter } from './write-chunks.ts';

export interface UIMessageStreamOptions {
  /** The message that goes on: the id of the page's last message, where an approval or an answer came back. */
  readonly messageId?: string | undefined;
  /** What a page is told of an error. Its words may hold what nobody outside should read, so by default it is one sentence. */
  readonly onError?: (error: unknown) => string;
}

/**
 * A run as the AI SDK's UI message protocol has it: what `useChat` and its kin read. Who stops reading aborts the run.
 * @example return uiMessageResponse(run({ model, tools, ...readUIMessages((await request.json()).messages) }));
 */
export function toUIMessageStream(
  run: Run<unknown>,
  options: UIMessageStreamOptions = {},
): ReadableStream<UIChunk> {
  const chunks = chunksOf(run, options);
  return new ReadableStream<UIChunk>({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await chunks.return(undefined);
    },
  });
}

async function* chunksOf(
  run: Run<unknown>,
  { messageId, onError = () => 'An error occurred.' }: UIMessageStreamOptions,
): AsyncGenerator<UIChunk, undefined> {
  const writer = new ChunkWriter(messageId);
  try {
    for await (const event of run) yield* writer.write(event);
  } catch (error) {
    yield { type: 'error', errorText: onError(error) };
  }
}

/** The same as an answer to a request of the page. */
export function uiMessageResponse(run: Run<unknown>, options: UIMessageStreamOptions = {}): Response {
  const lines = toUIMessageStream(run, options)
    .pipeThrough(
      new TransformStream<UIChunk, string>({
        transform: (chunk, controller) => controller.enqueue(`data: ${JSON.stringify(chunk)}\n\n`),
        flush: (controller) => controller.enqueue('data: [DONE]\n\n'),
      }),
    )
    .pipeThrough(new TextEncoderStream());
  return new Response(lines, {
    headers: {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache',
      'x-vercel-ai-ui-message-stream': 'v1',
      'x-accel-buffering': 'no',
    },
  });
}
