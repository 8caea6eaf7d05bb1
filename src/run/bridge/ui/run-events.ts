import type { JsonObject } from '../../../base/json/value.ts';
import type { RunEvent } from '../../loop/event.ts';
import type { Run } from '../../loop/run.ts';

/** The events of a run as they arrive in a page: the same, without what no JSON holds. */
export type SentEvent = JsonObject & { readonly type: RunEvent['type'] | 'run-error' };

/** A run's own events as an answer to a request of a page, which reads them with `readRunEvents`. */
export function runEventResponse(
  run: Run<unknown>,
  { onError = () => 'An error occurred.' }: { readonly onError?: (error: unknown) => string } = {},
): Response {
  const events = linesOf(run, onError);
  const lines = new ReadableStream<string>({
    async pull(controller) {
      const { done, value } = await events.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await events.return(undefined);
    },
  });
  return new Response(lines.pipeThrough(new TextEncoderStream()), {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', 'x-accel-buffering': 'no' },
  });
}

async function* linesOf(
  run: Run<unknown>,
  onError: (error: unknown) => string,
): AsyncGenerator<string, undefined> {
  try {
    for await (const event of run) yield `data: ${JSON.stringify(event, sayable)}\n\n`;
  } catch (error) {
    yield `data: ${JSON.stringify({ type: 'run-error', message: onError(error) })}\n\n`;
  }
}

/** The error behind a failure stays at home: it may hold anything. */
function sayable(name: string, value: unknown): unknown {
  return name === 'cause' || typeof value === 'bigint' ? undefined : value;
}

/**
 * The events of a run in a page, as `runEventResponse` sent them. Leaving the loop closes the connection.
 * @example for await (const event of readRunEvents(await fetch('/run'))) if (event.type === 'text') show(event.text);
 */
export async function* readRunEvents(response: Response): AsyncGenerator<SentEvent, undefined> {
  if (response.body === null) return undefined;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return undefined;
      text += value;
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks)
        if (block.startsWith('data: ')) yield JSON.parse(block.slice('data: '.length)) as SentEvent;
    }
  } finally {
    await reader.cancel();
  }
}
