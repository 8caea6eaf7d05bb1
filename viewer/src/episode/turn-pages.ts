import { useEffect, useMemo, useState } from 'preact/hooks';

import type { EpisodeDetail } from '../../../src/serve/api/episode.ts';
import type { EpisodeTurn } from '../../../src/serve/api/turn.ts';
import { client } from '../frame/server.ts';

/** The turns of an episode, however many they are. */
export interface Turns {
  readonly count: number;
  /** By its number. One that is not here yet is asked for, and the view is drawn anew when it has come. */
  readonly at: (turn: number) => EpisodeTurn | undefined;
}

const atOnce = 50;
/** So many are kept of those that were asked for. */
const mostKept = 1000;

/** All turns at hand where the episode came whole; else those that are looked at. */
export function useTurns({ episode_id: episode, turns, turn_count: count }: EpisodeDetail): Turns {
  const [, draw] = useState(0);
  const pages = useMemo(() => new TurnPages(episode, () => draw((last) => last + 1)), [episode]);
  useEffect(() => () => pages.stop(), [pages]);
  return { count, at: (turn) => turns[turn - 1] ?? (turn > count ? undefined : pages.at(turn)) };
}

/** Turns that are asked for as they are looked at, one page at a time. */
class TurnPages {
  readonly #episode: string;
  readonly #changed: () => void;
  readonly #kept = new Map<number, EpisodeTurn>();
  readonly #stop = new AbortController();
  /** Looked at since the last page was asked for, and not here. */
  #missed: number[] = [];
  #isAsking = false;

  constructor(episode: string, changed: () => void) {
    this.#episode = episode;
    this.#changed = changed;
  }

  at(turn: number): EpisodeTurn | undefined {
    const kept = this.#kept.get(turn);
    if (kept === undefined) {
      this.#missed.push(turn);
      // Once the view is drawn all that it misses is known.
      queueMicrotask(() => void this.#ask());
    }
    return kept;
  }

  stop(): void {
    this.#stop.abort();
  }

  async #ask(): Promise<void> {
    if (this.#isAsking || this.#missed.length === 0) return;
    // What was looked at last is what is looked at now.
    const last = this.#missed.at(-1)!;
    const near = this.#missed.filter((turn) => Math.abs(turn - last) < atOnce);
    const first = Math.min(...near);
    const spare = atOnce - (Math.max(...near) - first + 1);
    // What is looked at next is on either side.
    const from = Math.max(1, first - Math.max(0, Math.floor(spare / 2)));
    this.#missed = [];
    this.#isAsking = true;
    try {
      const { signal } = this.#stop;
      const { turns } = await client().turns(this.#episode, { from, limit: atOnce }, { signal });
      for (const turn of turns) this.#kept.set(turn.turn, turn);
      for (const turn of this.#kept.keys()) {
        if (this.#kept.size <= mostKept) break;
        this.#kept.delete(turn);
      }
      this.#isAsking = false;
      if (turns.length > 0) this.#changed();
    } catch {
      this.#isAsking = false; // The bar says that the server is away; the next look asks again.
    }
  }
}
