import { randomId } from '../../../base/host/random.ts';
import type { Caller } from '../../../grade/episode/request.ts';
import type { EpisodeRecord } from '../../../grade/store/record.ts';
import type { ServerContext } from '../../http/context.ts';
import { localCaller } from '../../http/keys.ts';
import { SessionEpisode } from '../session/session-episode.ts';

const idleMs = 15 * 60_000;

/** A control session: at most one task at a time, which outlives the connection that started it. */
export interface HudSession {
  readonly id: string;
  /** The address of its client: only from there may a client that does not know its id take over its task. */
  readonly peer: string;
  readonly episode: SessionEpisode;
  /** Whether there is a task that waits for its grade. */
  hasTask: boolean;
  /** Whether a connection holds it now. */
  isLive: boolean;
  /** Ends the wait after which a session without a connection is forgotten here. */
  keep: () => void;
}

/** Why a session cannot be had. */
export class SessionRefused extends Error {}

/**
 * The control sessions of a server. Their episodes are in the store, so a client that knows its session's id comes back
 * to it after a restart and at any server; only taking over a parked task without its id needs the same process.
 */
export class HudSessions {
  readonly #context: ServerContext;
  readonly #sessions = new Map<string, HudSession>();

  constructor(context: ServerContext) {
    this.#context = context;
  }

  /** Who plays: the protocol has no place for a key. While keys are needed, nobody here may see reasons. */
  get caller(): Caller {
    return this.#context.open ? localCaller : { ...localCaller, explain: false };
  }

  begin(peer: string): HudSession {
    return this.#hold(this.#new(randomId('sess'), peer));
  }

  /** The session with this id, which no connection may hold. */
  async resume(id: string, peer: string): Promise<HudSession> {
    const session = await this.find(id, peer);
    if (session === undefined) throw new SessionRefused(`unknown session: ${id.slice(0, 100)}`);
    if (session.isLive) throw new SessionRefused(`session has a live connection: ${id}`);
    return this.#hold(session);
  }

  /** A session of this process, or one that left an episode in the store. */
  async find(id: string, peer: string): Promise<HudSession | undefined> {
    const known = this.#sessions.get(id);
    if (known !== undefined || !/^sess_[a-z0-9]{20}$/.test(id)) return known;
    const session = this.#new(id, peer);
    const record = await session.episode.current();
    // Two who ask for it at once must get the same one.
    const meanwhile = this.#sessions.get(id);
    if (record === undefined || meanwhile !== undefined) return meanwhile;
    session.hasTask = true;
    this.#sessions.set(id, session);
    this.park(session);
    return session;
  }

  /** The tasks that wait for their grade without a connection, of clients at this address. */
  parked(peer: string): readonly HudSession[] {
    return [...this.#sessions.values()].filter(
      (session) => session.hasTask && !session.isLive && session.peer === peer,
    );
  }

  /** The connection has gone; a task stays for as long as its episode may be left alone. */
  park(session: HudSession): void {
    session.isLive = false;
    session.keep();
    if (session.hasTask)
      session.keep = this.#context.clock.after(idleMs, () => this.#sessions.delete(session.id));
    else this.#sessions.delete(session.id);
  }

  /** Ends the episode of a session, graded as it stands; nothing where there is no task. */
  async end(session: HudSession): Promise<EpisodeRecord | undefined> {
    if (!session.hasTask) return undefined;
    const record = await session.episode.current();
    session.hasTask = false;
    return record && this.#context.engine.end(this.caller, record.id, 'client_terminated');
  }

  #hold(session: HudSession): HudSession {
    session.keep();
    session.isLive = true;
    this.#sessions.set(session.id, session);
    return session;
  }

  #new(id: string, peer: string): HudSession {
    const kind = { door: 'hud', idleMs } as const;
    const episode = new SessionEpisode(this.#context, this.caller, { session: id }, kind);
    return { id, peer, episode, hasTask: false, isLive: false, keep: () => undefined };
  }
}
