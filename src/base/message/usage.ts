import type { JsonValue } from '../json/value.ts';

/** Tokens of one reply. `input` counts everything read, cached or not; `output` everything written, reasoning too. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cachedRead?: number;
  readonly cachedWrite?: number;
  readonly reasoning?: number;
  readonly total: number;
  /** As the provider gave it. */
  readonly raw?: JsonValue;
}

/** Why a reply ended, in our words; `raw` is the provider's. Calls are found by their presence, never by this. */
export interface Finish {
  readonly reason: 'stop' | 'calls' | 'length' | 'filter' | 'refusal' | 'pause' | 'error' | 'other';
  readonly raw?: JsonValue;
}
