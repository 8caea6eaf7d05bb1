import type { JsonValue } from '../json/value.ts';
import { expectObject } from './expect.ts';

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

/** Nothing used: where adding begins. */
export const noUsage: Usage = { input: 0, output: 0, cachedRead: 0, cachedWrite: 0, reasoning: 0, total: 0 };

/** The sum of two usages. What one of the two does not know stays unknown; `raw` belongs to one reply and is left out. */
export function addUsage(a: Usage, b: Usage): Usage {
  expectObject(a, 'usage');
  expectObject(b, 'usage');
  const cachedRead = addKnown(a.cachedRead, b.cachedRead);
  const cachedWrite = addKnown(a.cachedWrite, b.cachedWrite);
  const reasoning = addKnown(a.reasoning, b.reasoning);
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    ...(cachedRead === undefined ? undefined : { cachedRead }),
    ...(cachedWrite === undefined ? undefined : { cachedWrite }),
    ...(reasoning === undefined ? undefined : { reasoning }),
    total: a.total + b.total,
  };
}

function addKnown(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a + b;
}
