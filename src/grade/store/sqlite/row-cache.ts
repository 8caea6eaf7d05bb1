import { Recent } from '../../../base/host/recent.ts';
import type { EpisodeChange, EpisodeRecord, KeyRecord, TurnRecord } from '../record.ts';

const mostEpisodes = 2000;
const mostKeys = 200;

/**
 * Rows of the latest episodes and keys, as the file has them: a turn then reads nothing back. `version` moves when
 * another connection has written, and all kept rows are forgotten. What this connection writes is reported here.
 */
export class RowCache {
  readonly #version: () => number;
  #seen = NaN;
  #asked = false;
  #episodes = new Recent<string, EpisodeRecord>(mostEpisodes);
  #keys = new Recent<string, KeyRecord>(mostKeys);

  constructor(version: () => number) {
    this.#version = version;
  }

  episode(id: string): EpisodeRecord | undefined {
    return this.#fresh().#episodes.get(id);
  }

  key(hash: string): KeyRecord | undefined {
    return this.#fresh().#keys.get(hash);
  }

  /** A row was inserted, or read. */
  keepEpisode(episode: EpisodeRecord): void {
    this.#episodes.set(episode.id, episode);
  }

  keepKey(key: KeyRecord): void {
    this.#keys.set(key.hash, key);
  }

  /** A turn was stored. */
  turn({ episode, turn, at }: TurnRecord, { state, expiresAt, totalUsage, end }: EpisodeChange): void {
    const before = this.#episodes.get(episode);
    if (before?.turnCount === turn - 1)
      this.#episodes.set(episode, {
        ...before,
        turnCount: turn,
        state,
        totalUsage,
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
