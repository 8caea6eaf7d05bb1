import { isWhetstoneError } from '../../../base/host/errors.ts';
import type { Caller, TaskChoice } from '../../../grade/episode/request.ts';
import type { EpisodeRecord } from '../../../grade/store/record.ts';
import type { ServerContext } from '../../http/context.ts';
import { invalid } from '../../http/refusal.ts';
import { openSession, sessionEpisode } from './session.ts';

/** What a client calls its session, or the one episode that it comes back to. */
export interface SessionName {
  readonly session?: string | undefined;
  readonly episode?: string | undefined;
}

/** Whose sessions these are, and how long one may be left alone. */
export interface SessionKind {
  readonly door: 'oe' | 'hud';
  readonly idleMs: number;
}

/**
 * Which episode a session plays. The episode itself is in the store, and the client may come back to it by its id. Who
 * names a session, on a socket and over `/mcp`, finds there what the session plays, whichever connection reset it: its
 * episodes have places, one after another.
 */
export class SessionEpisode {
  /** The id of its episode, as the client knows it. */
  id: string | undefined;
  readonly #context: ServerContext;
  readonly #caller: Caller;
  readonly #session: string | undefined;
  readonly #kind: SessionKind;
  /** The place of its episode in the session; 0 before the first. */
  #place = 0;

  constructor(context: ServerContext, caller: Caller, name: SessionName, kind: SessionKind) {
    this.#context = context;
    this.#caller = caller;
    this.#kind = kind;
    this.#session = name.session;
    this.id = name.session ?? name.episode;
  }

  get isNamed(): boolean {
    return this.#session !== undefined;
  }

  /** The episode that is played now, where one has begun. Another connection of the session may have changed it. */
  async current(): Promise<EpisodeRecord | undefined> {
    const session = this.#session;
    if (session === undefined) return this.id === undefined ? undefined : this.find(this.id);
    const place = await this.#lastPlace(session);
    if (place !== this.#place) this.id = placeName(session, place);
    const record = await this.find(this.id ?? session);
    // A session may also be called by the id that a client chose for an episode of another: that is its first.
    this.#place = record === undefined ? place : Math.max(place, 1);
    return record;
  }

  /** The place of the session's latest episode, looked for in growing strides: a session may have had many. */
  async #lastPlace(session: string): Promise<number> {
    const isTaken = async (place: number): Promise<boolean> =>
      (await this.#read(placeName(session, place))) !== undefined;
    let last = this.#place;
    let stride = 1;
    for (; await isTaken(last + stride); stride *= 2) last += stride;
    for (stride /= 2; stride >= 1; stride /= 2) if (await isTaken(last + stride)) last += stride;
    return last;
  }

  /** The name of the place behind its episode's; none outside of a session. */
  get nextName(): string | undefined {
    return this.#session === undefined ? undefined : placeName(this.#session, this.#place + 1);
  }

  /** An episode by its id: in a session it has the name of its place, and the one that its client chose. */
  async find(id: string): Promise<EpisodeRecord | undefined> {
    const record =
      (await this.#read(id)) ??
      (await this.#context.engine.store.readEpisodeByKey(this.#caller.id, this.#chosen(id)));
    return record?.owner === this.#caller.id ? record : undefined;
  }

  async #read(id: string): Promise<EpisodeRecord | undefined> {
    const record = await this.#context.engine.store.readEpisode(this.#key(id));
    return record?.owner === this.#caller.id ? record : undefined;
  }

  /** Ends an episode, graded as it stands. */
  async end({ id }: EpisodeRecord): Promise<void> {
    await this.#context.engine.end(this.#caller, id, 'client_terminated');
  }

  /** Opens an episode, or finds the one that the same request opened before. */
  async open(
    id: string,
    known: EpisodeRecord | undefined,
    task: TaskChoice,
    group?: string,
  ): Promise<EpisodeRecord> {
    const name = this.nextName ?? id;
    try {
      const record = await openSession(this.#context, this.#caller, known?.id ?? this.#key(name), {
        task,
        idleMs: this.#kind.idleMs,
        ...(group !== undefined && { group }),
        ...(name !== id && { idempotencyKey: this.#chosen(id) }),
      });
      if (this.#session !== undefined && known === undefined) this.#place += 1;
      return record;
    } catch (error) {
      if (isWhetstoneError(error) && error.code === 'idempotency_conflict')
        throw invalid(
          'episode_id',
          'names an episode that was begun differently. Leave it out to begin another.',
        );
      throw error;
    }
  }

  #key(id: string): string {
    return sessionEpisode(this.#kind.door, this.#caller, id);
  }

  /** The key under which an episode is found by the id that its client chose; no client can send one with a line break. */
  #chosen(id: string): string {
    return `chosen\n${this.#key(id)}`;
  }
}

/** What a place of a session is called: the first as the session itself. */
function placeName(session: string, place: number): string {
  return place <= 1 ? session : `${session}.${place}`;
}
