import { Recent } from './recent.ts';
import type { EpisodeChange, EpisodeRecord, KeyRecord, TurnRecord } from './record.ts';

const mostEpisodes = 2000;
const mostKeys = 200;

/**
 * Rows of the latest episodes and keys, as the file has them: a turn then reads nothing back. `version` moves when
 * another connection has written, and all that is kept is forgotten. What this connection writes is told here.
 */
export class RowCache {
  readonly #version: () => number;
  #seen = NaN;
  #asked = false;
  #episodes = new Recent<EpisodeRecord>(mostEpisodes);
  #keys = new Recent<KeyRecord>(mostKeys);

  constructor(version: () => number) {
    this.#version = version;
  }

  async episode(id: string, read: () => EpisodeRecord | undefined): Promise<EpisodeRecord | undefined> {
    return look(this.#fresh().#episodes, id, read);
  }

  async key(hash: string, read: () => KeyRecord | undefined): Promise<KeyRecord | undefined> {
    return look(this.#fresh().#keys, hash, read);
  }

  inserted(episode: EpisodeRecord): void {
    this.#episodes.set(episode.id, episode);
  }

  /** A turn was stored. */
  turn({ episode, turn, at }: TurnRecord, { state, expiresAt, end }: EpisodeChange): void {
    const before = this.#episodes.get(episode);
    if (before?.turnCount === turn - 1)
      this.#episodes.set(episode, {
        ...before,
        turnCount: turn,
        state,
        expiresAt: Math.max(before.expiresAt, expiresAt),
        updatedAt: at,
        ...(end && { status: 'complete', ...end }),
      });
    else this.#episodes.delete(episode);
  }

  forgetEpisode(id: string): void {
    this.#episodes.delete(id);
  }

  forget(): void {
    this.#episodes = new Recent(mostEpisodes);
    this.#keys = new Recent(mostKeys);
  }

  /** Asks for the version once in a round of the event loop: what arrived in it was sent before it began. */
  #fresh(): this {
    if (this.#asked) return this;
    const version = this.#version();
    if (version !== this.#seen) this.forget();
    this.#seen = version;
    this.#asked = true;
    setImmediate(() => {
      this.#asked = false;
    });
    return this;
  }
}

function look<Row>(rows: Recent<Row>, id: string, read: () => Row | undefined): Row | undefined {
  const kept = rows.get(id);
  if (kept !== undefined) return kept;
  const row = read();
  if (row !== undefined) rows.set(id, row);
  return row;
}
