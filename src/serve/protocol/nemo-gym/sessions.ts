import { isWhetstoneError, WhetstoneError } from '../../../base/host/errors.ts';
import { randomId } from '../../../base/host/random.ts';
import type { Caller } from '../../../grade/episode/request.ts';
import type { EpisodeRecord } from '../../../grade/store/record.ts';
import type { ServerContext } from '../../http/context.ts';
import { openSession, sessionEpisode } from '../session/session.ts';
import { readRow } from './row.ts';

const idleMs = 15 * 60_000;

/** The session that a cookie names. Their cookie parsers are many, so its value is plain letters and digits. */
export function sessionIn(cookies: string | undefined): string | undefined {
  return /(?:^|;\s*)whet="?(ng_[a-z0-9]{20})"?(?:;|$)/.exec(cookies ?? '')?.[1];
}

/** Opens a new session, always: a repeat cannot be told from another rollout of the same row. */
export async function seedSession(
  context: ServerContext,
  caller: Caller,
  row: unknown,
  scoreTurns?: boolean,
): Promise<{ readonly session: string; readonly record: EpisodeRecord }> {
  const session = randomId('ng');
  const record = await openSession(context, caller, sessionEpisode('ng', caller, session), {
    ...readRow(row),
    idleMs,
    ...(scoreTurns !== undefined && { scoreTurns }),
  });
  return { session, record };
}

/** The episode of a session; undefined where there is none. */
export async function findSession(
  { engine }: ServerContext,
  caller: Caller,
  session: string | undefined,
): Promise<EpisodeRecord | undefined> {
  if (session === undefined) return undefined;
  try {
    return await engine.touch(caller, sessionEpisode('ng', caller, session));
  } catch (error) {
    if (isWhetstoneError(error) && error.code === 'episode_unknown') return undefined;
    throw error;
  }
}

/** The episode of a session that must be there. */
export async function mustFindSession(
  context: ServerContext,
  caller: Caller,
  session: string | undefined,
): Promise<EpisodeRecord> {
  const record = await findSession(context, caller, session);
  if (record !== undefined) return record;
  throw new WhetstoneError(
    'episode_unknown',
    'There is no session: make one with /seed_session or /reset, and send its cookie with each request.',
  );
}
