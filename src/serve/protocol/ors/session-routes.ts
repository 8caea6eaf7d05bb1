import { isWhetstoneError, WhetstoneError } from '../../../base/host/errors.ts';
import { randomId } from '../../../base/host/random.ts';
import type { Caller } from '../../../grade/episode/request.ts';
import type { Observation } from '../../../grade/scenario/transcript.ts';
import type { EpisodeRecord } from '../../../grade/store/record.ts';
import type { ServerContext } from '../../http/context.ts';
import { actionBook } from '../session/offer.ts';
import { openSession, sessionEpisode } from '../session/session.ts';
import type { OrsApp } from './exchange.ts';
import { type OrsContext, orsFields, readOrsBody, readTask, sessionOf } from './read-request.ts';

const idleMs = 15 * 60_000;

/** Sessions: made, kept alive, looked at and deleted. Each is an episode. */
export function serveSessions({ app, context, exchange: { answer, streamed } }: OrsApp): void {
  const { engine } = context;
  app.post('/create_session', (c) =>
    streamed(c, async () => {
      // A client that lost the first answer asks again with the id it was given.
      const { task_id: again } = await readOrsBody(c, context, orsFields.createSession);
      const session = typeof again === 'string' && /^ses_\w{20}$/.test(again) ? again : randomId('ses');
      return [
        { event: 'task_id', data: session },
        { event: 'end', data: '', last: true },
      ];
    }),
  );
  app.post('/create', (c) =>
    answer(c, async (caller) => {
      const session = sessionOf(c);
      const body = await readOrsBody(c, context, orsFields.create);
      const { group, ...task } = readTask(c, engine.tasks.collections(caller), body);
      try {
        await openSession(context, caller, sessionEpisode('ors', caller, session), {
          task,
          idleMs,
          ...(group !== undefined && { group }),
        });
      } catch (error) {
        if (isWhetstoneError(error) && error.code === 'idempotency_conflict')
          throw new WhetstoneError('request_invalid', 'This session was created with a different payload.');
        throw error;
      }
      return { sid: session };
    }),
  );
  app.post('/ping', (c) =>
    answer(c, async (caller) => {
      const { terminalReason } = await sessionRecord(context, c, caller);
      if (terminalReason === 'client_terminated')
        throw new WhetstoneError('episode_unknown', 'This session was deleted. Make another with /create.');
      return { status: 'ok' };
    }),
  );
  for (const path of ['/delete', '/delete_session'])
    app.post(path, (c) =>
      answer(c, async (caller) => {
        const session = sessionOf(c);
        try {
          await engine.end(caller, sessionEpisode('ors', caller, session), 'client_terminated');
        } catch (error) {
          if (!isWhetstoneError(error) || error.code !== 'episode_unknown') throw error;
        }
        return { sid: session };
      }),
    );

  app.get('/:env/prompt', (c) =>
    answer(c, async (caller) => {
      const record = await sessionRecord(context, c, caller);
      const { content, images = [] } = JSON.parse(record.opening) as Observation;
      return [
        ...images.map(({ media_type: mimeType, data }) => ({ type: 'image', data, mimeType, detail: null })),
        { type: 'text', text: content, detail: null },
      ];
    }),
  );
  app.get('/:env/task_tools', (c) =>
    answer(c, async (caller) => {
      const record = await sessionRecord(context, c, caller);
      return { tools: actionBook(engine.tasks.taskOf(record)).offers };
    }),
  );
}

/** The episode of the session that a request names. */
export async function sessionRecord(
  { engine }: ServerContext,
  c: OrsContext,
  caller: Caller,
): Promise<EpisodeRecord> {
  const session = sessionOf(c);
  try {
    // By the session and not by the path: a session made from split and index goes by the first environment's name.
    return await engine.touch(caller, sessionEpisode('ors', caller, session));
  } catch (error) {
    if (!isWhetstoneError(error) || error.code !== 'episode_unknown') throw error;
    // The client knows it by the id that it sent.
    throw new WhetstoneError(
      'episode_unknown',
      `There is no session ${JSON.stringify(session.slice(0, 100))}: make it with /create.`,
      { details: { session } },
    );
  }
}
