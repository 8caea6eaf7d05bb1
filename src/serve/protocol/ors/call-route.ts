import { randomId } from '../../../base/host/random.ts';
import { causeOf } from '../../http/middleware/access-log.ts';
import type { ServerEvent } from '../../http/event-stream.ts';
import { refusalOf } from '../../http/refusal.ts';
import { callTool, repeatCall } from './call.ts';
import type { OrsApp } from './exchange.ts';
import { piecesOf } from './pieces.ts';
import { EnvelopeError, hasControls, orsFields, readOrsBody } from './read-request.ts';
import { Results } from './results.ts';
import { sessionRecord } from './session-routes.ts';

/** A call of a tool: all that a session does. */
export function serveCalls({ app, context, exchange: { streamed } }: OrsApp): void {
  const results = new Results();
  app.post('/:env/call', (c) =>
    streamed(c, async (caller, requestId) => {
      const record = await sessionRecord(context, c, caller);
      const body = await readOrsBody(c, context, orsFields.call);
      const { name, input = {}, task_id: again } = body;
      if (typeof name !== 'string') throw new EnvelopeError('name must be a string.');
      if (again !== undefined && again !== null && (typeof again !== 'string' || hasControls(again)))
        throw new EnvelopeError('task_id must be a string that this server gave.');
      const id = again ?? randomId('task');
      const broken = (error: unknown): void =>
        context.log('error', 'call_broken', {
          protocol: 'ors',
          request_id: requestId,
          error: String(error),
          cause: causeOf(error),
        });
      // Under its episode: another session's call is as unknown here as one that never was.
      const place = `${record.id} ${id}`;
      return callEvents(id, broken, async () => {
        if (typeof again === 'string')
          return results.get(place) ?? repeatCall(context, record, { name, taskId: again });
        return results.run(place, () =>
          callTool(context, caller, record.id, { name, input: input ?? {}, taskId: id }),
        );
      });
    }),
  );
}

/** The task id goes out before the call runs: a client that loses us after that asks for it, and does not call again. */
async function* callEvents(
  id: string,
  onBroken: (error: unknown) => void,
  work: () => Promise<string>,
): AsyncGenerator<ServerEvent> {
  yield { event: 'task_id', data: id };
  let text: string;
  try {
    text = await work();
  } catch (error) {
    const { status, message } = refusalOf(error);
    if (status >= 500) onBroken(error);
    yield { event: 'error', data: message.replaceAll(/\s+/g, ' '), last: true };
    return;
  }
  const pieces = piecesOf(text);
  const end = pieces.length - 1;
  for (const [index, data] of pieces.entries())
    yield index === end ? { event: 'end', data, last: true } : { event: 'chunk', data };
}
